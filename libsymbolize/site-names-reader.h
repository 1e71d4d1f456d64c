/* Linkage names that the compiler plugin stored next to the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC describes functions that are not public without their linkage names.  The
   plugin writes these to a section of its own, .debug_heapprof_names, with a
   key that the debug information has, too: doc/site-names.md.  */

#ifndef HEAPPROF_SITE_NAMES_READER_H
#define HEAPPROF_SITE_NAMES_READER_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the debug information has for a function.  */
struct site_key
{
  uint32_t line;    /* of its declaration; 0 if unknown */
  uint32_t column;  /* 0 if unknown */
  const char *file; /* may have a path; NULL if unknown */
  const char *name;
};

struct site_entry
{
  struct site_key key; /* FILE without a path */
  uint32_t scope;      /* hash of scopes and parameters */
  const char *linkage_name;
};

/* All zeros is an empty table.  */
struct site_names
{
  struct site_entry *entries; /* sorted */
  size_t count;
  char *text; /* entries point into this */
};

/* Fill NAMES from the sections of ELF.  Damaged entries are skipped; NAMES
   stays empty if memory is exhausted.  */
void site_names_read (struct site_names *names, Elf *elf);

/* Fill NAMES from the BYTES bytes at TEXT, the content of a section.  */
void site_names_parse (struct site_names *names, const char *text,
		       size_t bytes);

/* Return the linkage name of the function with KEY and, unless SCOPE is NULL,
   the scope *SCOPE; NULL if there is none or more than one.  Set *IS_AMBIGUOUS
   if a scope may distinguish them.  The name is valid until
   site_names_release.  */
const char *site_names_find (const struct site_names *names,
			     const struct site_key *key, const uint32_t *scope,
			     bool *is_ambiguous);

void site_names_release (struct site_names *names);

#endif /* HEAPPROF_SITE_NAMES_READER_H */
