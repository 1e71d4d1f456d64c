/* What the debug information says of functions: names, where they are declared.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function has an entry for each place that it is inlined into, and each of
   those has many addresses.  All are instances of one abstract entry; what that
   says is found out once.  */

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
  const void *entry;	      /* the abstract one: addr of its Dwarf_Die */
  const char *name;	      /* as the source has it; NULL if unknown */
  const char *linkage_name;   /* of the debug information, or that which the
				 compiler plugin left; NULL if unknown */
  const char *described_name; /* what the debug information calls it, the
				 linkage name if it has one, unchanged */
  bool is_described;	      /* LINKAGE_NAME is of the debug information */
  bool columns_differ;	      /* the compiler does not number the columns of
				 calls as clang does */
  uint32_t start_line;	      /* where it is declared; 0 if unknown */
};

/* All zero but what SITE_NAMES is filled with is an empty store.  */
struct function_facts_store
{
  htab_t table; /* by abstract entry */
  struct constructor_names constructors;
  struct site_names site_names;
  struct function_scopes scopes;
  Dwarf_CU *producer_unit; /* whose answer COLUMNS_DIFFER is */
  bool columns_differ;
};

/* What is known of the function of DIE, an entry of a function or of an inlined
   call; valid until function_facts_release.  NULL if memory is exhausted.  */
const struct function_facts *
function_facts_find (struct function_facts_store *store, Dwarf_Die *die);

void function_facts_release (struct function_facts_store *store);

#endif /* HEAPPROF_FUNCTION_FACTS_H */
