/* Targets of the slots of virtual tables.
   SPDX-License-Identifier: GPL-3.0-or-later

   A slot contains the address of a function.  If the file does not have the
   address, there is a relocation: in position-independent code, or for a
   function of another file.  */

#ifndef HEAPPROF_TABLE_SLOTS_H
#define HEAPPROF_TABLE_SLOTS_H

#include "object-layout.h"
#include "object-tables.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Target of a slot: a place in its own file or, with ADDRESS 0, the function
   NAME in another one.  */
struct table_target
{
  uint64_t address;
  const char *name; /* owned by the object file */
};

struct table_slot
{
  uint64_t place;
  struct table_target target;
};

/* All zeros is empty.  */
struct table_slots
{
  struct table_slot *relocated; /* by place */
  size_t count;
  size_t capacity;
  struct object_file *file;
  const struct object_layout *layout;
};

/* Read the relocations of FILE that are in TABLES.  LAYOUT is FILE's; both must
   outlive the slots.  Return false if memory is exhausted.  */
bool table_slots_read (struct table_slots *slots, struct object_file *file,
		       const struct object_layout *layout,
		       const struct virtual_tables *tables);
void table_slots_release (struct table_slots *slots);

/* Set *TARGET to the target of the slot at ADDRESS.  Return false if it is
   unknown.  */
bool table_slots_find (const struct table_slots *slots, uint64_t address,
		       struct table_target *target);

#endif /* HEAPPROF_TABLE_SLOTS_H */
