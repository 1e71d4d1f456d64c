/* Types of what calls allocate, which the compiler plugin left beside the debug
   information.
   SPDX-License-Identifier: GPL-3.0-or-later

   The section is .debug_heapprof_types (doc/site-types.md): sites by where the
   call stands, and what the types look like.  */

#ifndef HEAPPROF_SITE_TYPES_READER_H
#define HEAPPROF_SITE_TYPES_READER_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site_member
{
  uint32_t offset; /* bytes from the begin of the type */
  uint32_t size;   /* bytes that it has a part of */
  uint32_t alignment;
  char kind;	    /* 'm' member, 'b' bit-field, 'a' made by the
		       compiler: it stays where it is */
  const char *name; /* "" if it has none */
  const char *type_name;
};

struct site_type
{
  uint64_t number; /* not 0 */
  uint64_t size;   /* bytes, not 0 */
  uint64_t start;  /* where in a block the first one begins */
  uint32_t alignment;
  char kind; /* 's' class, 'u' union, 'p' any other */
  const char *name;
  uint32_t member_count;
  struct site_member *members;
};

/* What a call is the allocation of.  */
enum site_answer
{
  SITE_UNKNOWN,
  SITE_TYPED,
  SITE_RETURNED /* the caller's call says it */
};

struct site_types;

/* The types in ELF, which may be NULL.  NULL if there are none or memory is
   exhausted.  */
struct site_types *site_types_read (Elf *elf);

/* The same from the BYTES bytes at TEXT, the content of a section.  */
struct site_types *site_types_parse (const char *text, size_t bytes);
void site_types_free (struct site_types *types);

/* What the call at LINE and COLUMN of FILE, whose path may be before it, in the
   function with the linkage name FUNCTION of FUNCTION_BYTES bytes allocates.
   *TYPE is set for SITE_TYPED, and valid as long as TYPES.  TYPES may be
   NULL.  */
enum site_answer site_types_find (const struct site_types *types,
				  const char *file, uint32_t line,
				  uint32_t column, const char *function,
				  size_t function_bytes,
				  const struct site_type **type);

#endif /* HEAPPROF_SITE_TYPES_READER_H */
