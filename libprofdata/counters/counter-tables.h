/* The tables of a counter profile: for the files that make up counter-profile.h
   alone.
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

/* Records of a name that has more than this are in the index of functions, too.
   Mostly a name has one.  */
#define COUNTER_MOST_LISTED 16

struct counter_name
{
  const char *text; /* NUL-terminated; in the arena, or the
		       caller's while it is searched; NULL in a
		       search for any name with GUID */
  size_t n;
  uint64_t guid;
  uint32_t number;
  uint32_t first; /* record, plus 1; 0: none */
  uint32_t last;  /* the same, valid if FIRST is */
  uint32_t record_count;
  bool is_vtable;
  struct counter_name *successor; /* that an input had after this; NULL:
				     none */
  /* See counter-repeat.h.  */
  uint8_t *head; /* in the arena; NULL: none is known */
  size_t head_bytes;
  struct counter_function *plain; /* the record that the head goes with */
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
  htab_t function_index; /* NULL: no name has so many records */
  htab_t binary_id_index;
  uint64_t stream;
  unsigned int flags;
  bool has_kind;		  /* some input had functions */
  struct counter_name *last_name; /* that was added; NULL: none */
  struct counter_value *scratch;  /* malloced */
  size_t scratch_capacity;
};

/* Make the index of names of PROFILE.  False if memory cannot be had.  */
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

/* Compare two counter_values: by value, then by falling count.  */
int counter_value_compare (const void *element1, const void *element2);

#endif /* HEAPPROF_COUNTER_TABLES_H */
