      *> COBOL: a list of based records.
      *> SPDX-License-Identifier: GPL-3.0-or-later
      *>
      *> Lines with "site:" allocate.  The program prints, for each, how many blocks,
      *> bytes and accesses its profile must have.  SET moves pointers in the run-time
      *> library, which does not count: each node is stored by MOVE and read by ADD.
      *>   -O0 -O2 until GCC 15 nodes 100: ADD is in the run-time library, too.

       IDENTIFICATION DIVISION.
       PROGRAM-ID. list.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 list-head USAGE POINTER VALUE NULL.
       01 rest USAGE POINTER.
       01 total PIC S9(9) COMP-5 VALUE 0.
       LINKAGE SECTION.
       01 node.
          02 node-value PIC S9(9) COMP-5.
          02 node-next USAGE POINTER.
       PROCEDURE DIVISION.
           CALL "firstpart" USING list-head.
           CALL "secondpart" USING list-head.
           PERFORM UNTIL list-head = NULL
             SET ADDRESS OF node TO list-head
             ADD node-value TO total
             SET rest TO node-next
             FREE list-head
             SET list-head TO rest
           END-PERFORM.
           IF total = 5050
             DISPLAY "site nodes 100 1600 200"
           END-IF.
           STOP RUN.
       END PROGRAM list.

       IDENTIFICATION DIVISION.
       PROGRAM-ID. push.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 added USAGE POINTER.
       LINKAGE SECTION.
       01 list-head USAGE POINTER.
       01 given PIC S9(9) COMP-5.
       01 node.
          02 node-value PIC S9(9) COMP-5.
          02 node-next USAGE POINTER.
       PROCEDURE DIVISION USING list-head given.
           ALLOCATE 16 CHARACTERS RETURNING added. *> site: nodes
           SET ADDRESS OF node TO added.
           MOVE given TO node-value.
           SET node-next TO list-head.
           SET list-head TO added.
           GOBACK.
       END PROGRAM push.

       IDENTIFICATION DIVISION.
       PROGRAM-ID. firstpart.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 i PIC S9(9) COMP-5.
       LINKAGE SECTION.
       01 list-head USAGE POINTER.
       PROCEDURE DIVISION USING list-head.
           PERFORM VARYING i FROM 1 BY 1 UNTIL i > 30
             CALL "push" USING list-head i
           END-PERFORM.
           GOBACK.
       END PROGRAM firstpart.

       IDENTIFICATION DIVISION.
       PROGRAM-ID. secondpart.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 i PIC S9(9) COMP-5.
       LINKAGE SECTION.
       01 list-head USAGE POINTER.
       PROCEDURE DIVISION USING list-head.
           PERFORM VARYING i FROM 31 BY 1 UNTIL i > 100
             CALL "push" USING list-head i
           END-PERFORM.
           GOBACK.
       END PROGRAM secondpart.
