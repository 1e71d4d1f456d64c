/* The machine instructions of an object file by address.
   SPDX-License-Identifier: GPL-3.0-or-later

   Code is disassembled from one symbol to the next, on the first query for an
   address there.  Stubs that lead to other objects (.plt, .plt.got, .plt.sec)
   do not count as code, nor does data between functions that symbols of AArch64
   mark as such.  */

#ifndef HEAPPROF_CODE_MAP_H
#define HEAPPROF_CODE_MAP_H

#include "object-file.h"
#include <stdbool.h>
#include <stdint.h>

struct code_map;

struct code_instruction
{
  uint64_t address;
  uint32_t bytes;
  bool leaves; /* never continues with the next one: an unconditional jump, a
		  call, a return */
  bool returns;
  bool calls;
};

/* Create a map of FILE, which must outlive it.  NULL if memory is
   exhausted.  */
struct code_map *code_map_open (struct object_file *file);
void code_map_close (struct code_map *map);

/* Return why MAP has no instructions: the machine is not known, or the library
   was missing when this program was built.  NULL if it has.  */
const char *code_map_problem (const struct code_map *map);

/* Set INSTRUCTION to the one that starts at ADDRESS.  Return false if none
   does.  */
bool code_map_find (struct code_map *map, uint64_t address,
		    struct code_instruction *instruction);

/* The same for the first instruction that starts at or after ADDRESS; return
   false if there is none in the rest of its section.  */
bool code_map_next (struct code_map *map, uint64_t address,
		    struct code_instruction *instruction);

/* The same for the last instruction that starts before ADDRESS; return false if
   there is none.  */
bool code_map_before (struct code_map *map, uint64_t address,
		      struct code_instruction *instruction);

/* Return true if execution from BEGIN reaches the instruction at END without a
   branch being taken for certain.  */
bool code_map_is_straight (struct code_map *map, uint64_t begin, uint64_t end);

/* Return true if INSTRUCTION, of MAP, is a call or unconditional jump to a
   fixed address: set *TARGET to it.  */
bool code_map_target (struct code_map *map,
		      const struct code_instruction *instruction,
		      uint64_t *target);

/* Return true if ADDRESS is the start of a veneer, which a linker inserted
   where a call could not reach its target: set *TARGET to that.  */
bool code_map_veneer (struct code_map *map, uint64_t address, uint64_t *target);

/* Call VISIT with CLOSURE for all instructions of MAP, in address order.  Stop
   and return false if VISIT does, or memory is exhausted.  */
bool code_map_visit (struct code_map *map,
		     bool (*visit) (void *closure,
				    const struct code_instruction *where),
		     void *closure);

/* Call VISIT with CLOSURE for each address that the instructions of MAP from
   BEGIN, where a function starts, to END refer to, and for the instruction's
   own; some are no addresses of anything.  Stop and return false if VISIT does,
   or memory is exhausted.  */
bool code_map_visit_references (struct code_map *map, uint64_t begin,
				uint64_t end,
				bool (*visit) (void *closure, uint64_t place,
					       uint64_t address),
				void *closure);

#endif /* HEAPPROF_CODE_MAP_H */
