/* Internal tables of a counter profile, used only by the implementation of
   counter-profile.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_COUNTER_TABLES_H
#define HEAPPROF_COUNTER_TABLES_H

#include "counter-profile.h"
#include "record-table.h"
#include "saturating.h"
#include <libiberty/hashtab.h>
#include <libiberty/objalloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names with more records than this also have them in the index of functions.
   Most names have one.  */
#define COUNTER_MOST_LISTED 16

struct counter_name
{
  const char *text; /* NUL-terminated; in the arena, or the caller's during a
		       lookup; NULL when looking for any name with GUID */
  size_t n;
  uint64_t guid;
  uint32_t number;
  uint32_t first; /* record number plus 1; 0: none */
  uint32_t last;  /* likewise, valid if FIRST is */
  uint32_t record_count;
  bool is_vtable;
  struct counter_name *successor; /* next name in an input; NULL: none */
  /* See counter-repeat.h.  */
  uint8_t *head; /* in the arena; NULL: not known */
  size_t head_bytes;
  struct counter_function *plain; /* the record that the head belongs to */
};

struct binary_id
{
  const uint8_t *bytes; /* in the arena, or the caller's */
  size_t n;
};

struct counter_profile
{
  struct objalloc *arena;
  struct record_table names;
  struct record_table functions;
  struct record_table binary_ids;
  struct record_table traces;
  htab_t name_index;
  htab_t function_index; /* NULL: no name has that many records */
  htab_t binary_id_index;
  uint64_t stream;
  unsigned int flags;
  bool has_kind;		  /* an input had functions */
  struct counter_name *last_name; /* last one added; NULL: none */
  struct counter_value *scratch;  /* malloced */
  size_t scratch_capacity;
};

/* Create the index of names of PROFILE.  Return false if memory is
   exhausted.  */
bool counter_names_init (struct counter_profile *profile);

static inline struct counter_name *
counter_names_get (const struct counter_profile *profile, uint32_t name)
{
  return record_table_get (&profile->names, name);
}

static inline int
compare_numbers (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* Compare two counter_values: by value, then by descending count.  */
int counter_value_compare (const void *element1, const void *element2);

#endif /* HEAPPROF_COUNTER_TABLES_H */
