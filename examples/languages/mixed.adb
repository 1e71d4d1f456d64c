--  Ada, C and Fortran in one program: C allocates an array, Fortran fills it, Ada adds
--  its elements; Ada allocates a record that C changes.
--  SPDX-License-Identifier: GPL-3.0-or-later
--
--  Lines with "site:" allocate.  The program prints, for each, how many blocks, bytes
--  and accesses its profile must have.

with Ada.Text_IO;
with Interfaces.C; use Interfaces.C;

procedure Mixed is
   type Vector is array (1 .. 50) of double;
   type Vector_Access is access Vector;
   pragma Convention (C, Vector_Access);

   type Pair is record
      First, Second : long;
   end record;
   pragma Convention (C, Pair);
   type Pair_Access is access Pair;
   pragma Convention (C, Pair_Access);

   function Make (N : long) return Vector_Access;
   pragma Import (C, Make, "mixed_make");
   procedure Fill (Values : Vector_Access; N : int);
   pragma Import (C, Fill, "mixed_fill");
   procedure Change (Both : Pair_Access);
   pragma Import (C, Change, "mixed_change");

   Values : constant Vector_Access := Make (50);
   Both   : Pair_Access;
   Total  : double := 0.0;
begin
   Fill (Values, 50);
   for I in Values'Range loop
      Total := Total + Values (I);
   end loop;
   Both := new Pair'(First => 1, Second => 2);   --  site: both mixed.pair
   Change (Both);
   if Total = 1275.0 and Both.First = 3 then
      Ada.Text_IO.Put_Line ("site values 1 400 100");
      Ada.Text_IO.Put_Line ("site both 1 16 6");
   end if;
end Mixed;
