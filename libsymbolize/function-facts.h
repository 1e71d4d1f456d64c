/* Names and declarations of functions, from the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function has an entry for each place that it is inlined into, and each of
   those has many addresses.  All are instances of one abstract entry, which is
   evaluated only once.  */

#ifndef HEAPPROF_FUNCTION_FACTS_H
#define HEAPPROF_FUNCTION_FACTS_H

#include "constructor-names.h"
#include "function-scopes.h"
#include "site-names-reader.h"
#include <elfutils/libdw.h>
#include <libiberty/hashtab.h>
#include <stdbool.h>
#include <stdint.h>

struct function_facts
{
  const void *entry;	      /* the abstract entry: addr of its Dwarf_Die */
  const char *name;	      /* as in the source; NULL if unknown */
  const char *linkage_name;   /* from the debug information or the compiler
				 plugin; NULL if unknown */
  const char *described_name; /* the name in the debug information, unchanged:
				 the linkage name if it has one */
  bool is_described;	      /* LINKAGE_NAME is from the debug information */
  bool columns_differ;	      /* the compiler numbers the columns of calls
				 differently from clang */
  uint32_t start_line;	      /* line of its declaration; 0 if unknown */
  const char *declared_in;    /* path of the source file of its declaration;
				 NULL if unknown */
};

/* All zeros except SITE_NAMES is an empty store.  */
struct function_facts_store
{
  htab_t table; /* by abstract entry */
  struct constructor_names constructors;
  struct site_names site_names;
  struct function_scopes scopes;
  Dwarf_CU *producer_unit; /* the unit that COLUMNS_DIFFER is about */
  bool columns_differ;
};

/* Return what is known about the function of DIE, an entry of a function or of
   an inlined call; valid until function_facts_release.  NULL if memory is
   exhausted.  */
const struct function_facts *
function_facts_find (struct function_facts_store *store, Dwarf_Die *die);

void function_facts_release (struct function_facts_store *store);

#endif /* HEAPPROF_FUNCTION_FACTS_H */
