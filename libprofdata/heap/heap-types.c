/* Names and layouts of the data types of blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-types.h"
#include "heap-detail-tables.h"
#include <stdlib.h>
#include <string.h>

static hashval_t
hash_type (const void *record)
{
  const struct heap_type *type = record;
  return iterative_hash (&type->number, sizeof type->number, 0);
}

static int
equal_types (const void *record1, const void *record2)
{
  const struct heap_type *type1 = record1;
  const struct heap_type *type2 = record2;
  return type1->number == type2->number;
}

/* Return a copy of the N MEMBERS, with string ids mapped by STRINGS unless that
   is NULL.  NULL if memory is exhausted.  */
static struct heap_member *
copy_members (const struct heap_member *members, uint32_t n,
	      const uint32_t *strings)
{
  struct heap_member *copies = malloc (((size_t) n + 1) * sizeof *copies);
  if (!copies)
    return NULL;
  for (uint32_t i = 0; i < n; i++)
    {
      copies[i] = members[i];
      if (strings)
	{
	  copies[i].name = strings[members[i].name];
	  copies[i].type_name = strings[members[i].type_name];
	}
    }
  return copies;
}

static bool
add_type (struct heap_details *details, const struct heap_type *type,
	  const uint32_t *strings)
{
  if (heap_details_type (details, type->number))
    return true;
  struct heap_type added = *type;
  if (strings)
    added.name = strings[type->name];
  added.members = copy_members (type->members, type->member_count, strings);
  bool is_new = false;
  bool done
    = added.members
      && heap_details_find_or_add (&details->type_index, hash_type, equal_types,
				   &details->types, &added, &is_new);
  if (!done)
    free (added.members);
  return done;
}

bool
heap_details_add_type (struct heap_details *details,
		       const struct heap_type *type)
{
  return add_type (details, type, NULL);
}

const struct heap_type *
heap_details_type (const struct heap_details *details, uint64_t number)
{
  const struct heap_type key = { .number = number };
  return details->type_index ? htab_find (details->type_index, &key) : NULL;
}

uint32_t
heap_details_type_count (const struct heap_details *details)
{
  return details->types.count;
}

const struct heap_type *
heap_details_type_at (const struct heap_details *details, uint32_t number)
{
  return record_table_get (&details->types, number);
}

bool
heap_types_merge (struct heap_details *details,
		  const struct heap_details *source, const uint32_t *strings)
{
  bool done = true;
  for (uint32_t i = 0; done && i < source->types.count; i++)
    done = add_type (details, heap_details_type_at (source, i), strings);
  return done;
}
