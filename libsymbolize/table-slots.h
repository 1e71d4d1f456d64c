/* What the slots of virtual tables point at.
   SPDX-License-Identifier: GPL-3.0-or-later

   A slot holds the address of a function.  Where the file does not have it,
   there is a relocation: of position-independent code, or of a function that
   another file has.  */

#ifndef HEAPPROF_TABLE_SLOTS_H
#define HEAPPROF_TABLE_SLOTS_H

#include "object-layout.h"
#include "object-tables.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a slot points at: a place in its own file, or, with ADDRESS 0, what is
   called NAME in another one.  */
struct table_target
{
  uint64_t address;
  const char *name; /* the object file's */
};

struct table_slot
{
  uint64_t place;
  struct table_target target;
};

/* All zeros is none.  */
struct table_slots
{
  struct table_slot *relocated; /* by place */
  size_t count;
  size_t capacity;
  struct object_file *file;
  const struct object_layout *layout;
};

/* Read the relocations of FILE that are in TABLES.  LAYOUT is FILE's; both must
   outlive the slots.  False if memory is exhausted.  */
bool table_slots_read (struct table_slots *slots, struct object_file *file,
		       const struct object_layout *layout,
		       const struct virtual_tables *tables);
void table_slots_release (struct table_slots *slots);

/* Put what the slot at ADDRESS points at into *TARGET.  False if that is not
   known.  */
bool table_slots_find (const struct table_slots *slots, uint64_t address,
		       struct table_target *target);

#endif /* HEAPPROF_TABLE_SLOTS_H */
