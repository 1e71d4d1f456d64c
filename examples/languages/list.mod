(* Modula-2: a list of records, and an array.
   SPDX-License-Identifier: GPL-3.0-or-later

   Lines with "site:" allocate.  The program prints, for each, how many blocks, bytes
   and accesses its profile must have.
   -O2 nodes 497: three loads after the stores of the last block are left out, which
   -O2 until GCC 12 nodes 500: is not so in GCC 12.  *)

MODULE list;

FROM Storage IMPORT ALLOCATE, DEALLOCATE;
FROM STextIO IMPORT WriteString, WriteLn;

TYPE
  Link = POINTER TO Node;
  Node = RECORD
    value : LONGINT;
    next  : Link;
  END;
  Vector = POINTER TO ARRAY [1..100] OF LONGREAL;

VAR
  head, rest : Link;
  values     : Vector;
  sum        : LONGINT;
  total      : LONGREAL;
  i          : CARDINAL;

PROCEDURE Push (value : LONGINT);
VAR
  node : Link;
BEGIN
  NEW (node);   (* site: nodes *)
  node^.value := value;
  node^.next := head;
  head := node
END Push;

PROCEDURE First;
VAR
  i : LONGINT;
BEGIN
  FOR i := 1 TO 30 DO
    Push (i)
  END
END First;

PROCEDURE Second;
VAR
  i : LONGINT;
BEGIN
  FOR i := 31 TO 100 DO
    Push (i)
  END
END Second;

BEGIN
  head := NIL;
  First;
  Second;
  sum := 0;
  rest := head;
  WHILE rest # NIL DO
    sum := sum + rest^.value;
    rest := rest^.next
  END;
  WHILE head # NIL DO
    rest := head^.next;
    DISPOSE (head);
    head := rest
  END;

  NEW (values);   (* site: values *)
  FOR i := 1 TO 100 DO
    values^[i] := VAL (LONGREAL, i)
  END;
  total := 0.0;
  FOR i := 1 TO 100 DO
    total := total + values^[i]
  END;
  DISPOSE (values);

  IF (sum = 5050) AND (total = 5050.0)
  THEN
    WriteString ('site nodes 100 1600 500'); WriteLn;
    WriteString ('site values 1 1600 200'); WriteLn
  END
END list.
