--  Ada: a list of records, an array and a tagged record.
--  SPDX-License-Identifier: GPL-3.0-or-later
--
--  Lines with "site:" allocate.  The program prints, for each, how many blocks, bytes
--  and accesses its profile must have.
--
--  Changes: where the compiler makes other accesses than those of the text.
--    -O0 square 6: the tag is stored twice
--    -O2 square 3: the members need not be read

with Ada.Text_IO;
with Ada.Unchecked_Deallocation;

procedure List is
   type Node;
   type Link is access Node;
   type Node is record
      Value : Long_Integer;
      Next  : Link;
   end record;

   type Vector is array (1 .. 100) of Long_Float;
   type Vector_Access is access Vector;

   type Shape is tagged record
      Width, Height : Long_Integer;
   end record;
   type Shape_Access is access Shape;

   procedure Free is new Ada.Unchecked_Deallocation (Node, Link);
   procedure Free is new Ada.Unchecked_Deallocation (Vector, Vector_Access);
   procedure Free is new Ada.Unchecked_Deallocation (Shape, Shape_Access);

   Head, Rest : Link;
   Values     : Vector_Access;
   Square     : Shape_Access;
   Sum        : Long_Integer := 0;
   Total      : Long_Float := 0.0;

   procedure Push (Value : Long_Integer) is
   begin
      Head := new Node'(Value => Value, Next => Head);   --  site: nodes list.node
   end Push;

   function Area (Any : Shape_Access) return Long_Integer is
     (Any.Width * Any.Height);
   pragma No_Inline (Area);

   procedure First is
   begin
      for I in 1 .. 30 loop
         Push (Long_Integer (I));
      end loop;
   end First;

   procedure Second is
   begin
      for I in 31 .. 100 loop
         Push (Long_Integer (I));
      end loop;
   end Second;

begin
   First;
   Second;
   Rest := Head;
   while Rest /= null loop
      Sum := Sum + Rest.Value;
      Rest := Rest.Next;
   end loop;
   while Head /= null loop
      Rest := Head.Next;
      Free (Head);
      Head := Rest;
   end loop;

   Values := new Vector;   --  site: values long_float[]
   for I in Values'Range loop
      Values (I) := Long_Float (I);
   end loop;
   for I in Values'Range loop
      Total := Total + Values (I);
   end loop;
   Free (Values);

   Square := new Shape'(Width => 3, Height => 4);   --  site: square list.shape
   Sum := Sum + Area (Square);
   Free (Square);

   if Sum = 5062 and Total = 5050.0 then
      Ada.Text_IO.Put_Line ("site nodes 100 1600 500");
      Ada.Text_IO.Put_Line ("site values 1 800 200");
      Ada.Text_IO.Put_Line ("site square 1 24 5");
   end if;
end List;
