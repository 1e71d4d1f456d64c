/* LLVM's view of a heap profile: call sites listed in the details.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-affinities.h"
#include "llvm-records-parts.h"
#include <stdlib.h>
#include <string.h>

struct llvm_given *
llvm_given_find (const struct llvm_records *records,
		 const struct heap_details *details)
{
  uint32_t count = heap_details_call_site_count (details);
  struct llvm_given *given = calloc ((size_t) count + 1, sizeof *given);
  /* Most profiles have none.  */
  if (count == 0)
    return given;
  uint32_t *stack_of = malloc (records->tree.node_count * sizeof *stack_of);
  if (given && stack_of)
    {
      memset (stack_of, 0xff, records->tree.node_count * sizeof *stack_of);
      for (uint32_t i = 0; i < records->stack_count; i++)
	stack_of[records->tree_nodes[records->stack_nodes[i]]] = i;
      for (uint32_t i = 0; i < count; i++)
	{
	  const struct heap_call_site *site
	    = heap_details_call_site_at (details, i);
	  given[i] = (struct llvm_given){
	    llvm_records_find_function (records, site->function_guid),
	    stack_of[records->tree.given[i]]
	  };
	}
    }
  else
    {
      free (given);
      given = NULL;
    }
  free (stack_of);
  return given;
}

bool
llvm_given_find_affinities (struct llvm_records *records,
			    const struct heap_details *details)
{
  const uint32_t count = heap_details_affinity_count (details);
  if (count == 0)
    return true;
  uint32_t *stack_of = malloc (records->tree.node_count * sizeof *stack_of);
  if (!stack_of)
    return false;
  memset (stack_of, 0xff, records->tree.node_count * sizeof *stack_of);
  for (uint32_t i = 0; i < records->stack_count; i++)
    stack_of[records->tree_nodes[records->stack_nodes[i]]] = i;
  for (uint32_t i = 0; i < count; i++)
    {
      struct llvm_affinity *affinity = &records->tree.affinities[i];
      affinity->first = stack_of[affinity->first];
      affinity->second = stack_of[affinity->second];
      if (affinity->first == LLVM_NO_STACK || affinity->second == LLVM_NO_STACK)
	*affinity = (struct llvm_affinity){ 0, 0, 0 };
    }
  free (stack_of);
  return true;
}

static int
compare_call_sites (const void *element1, const void *element2)
{
  const struct llvm_call_site *site1 = element1;
  const struct llvm_call_site *site2 = element2;
  return (site1->stack > site2->stack) - (site1->stack < site2->stack);
}

/* The call sites of RECORD, constant for everyone else, for modification.  */
static struct llvm_call_site *
own_call_sites (const struct llvm_record *record)
{
  return (struct llvm_call_site *) record->call_sites;
}

/* Sort the call sites of RECORD, to which given ones were appended, and remove
   duplicates.  */
static void
sort_call_sites (struct llvm_record *record)
{
  struct llvm_call_site *sites = own_call_sites (record);
  if (record->call_site_count == 0)
    return;
  qsort (sites, record->call_site_count, sizeof *sites, compare_call_sites);
  size_t kept = 1;
  for (size_t i = 1; i < record->call_site_count; i++)
    if (sites[i].stack != sites[kept - 1].stack)
      sites[kept++] = sites[i];
  record->call_site_count = kept;
}

/* Add the callees of GIVEN to those of SITE.  */
static bool
join_callees (struct llvm_records *records, struct llvm_call_site *site,
	      const struct heap_call_site *given)
{
  if (given->callee_count == 0)
    return true;
  size_t all = site->callee_count + given->callee_count;
  uint64_t *callees = objalloc_alloc (records->callees, all * sizeof *callees);
  if (!callees)
    return false;
  if (site->callee_count > 0)
    memcpy (callees, site->callees, site->callee_count * sizeof *callees);
  memcpy (callees + site->callee_count, given->callees,
	  given->callee_count * sizeof *callees);
  qsort (callees, all, sizeof *callees, llvm_records_compare_guids);
  size_t kept = 1;
  for (size_t i = 1; i < all; i++)
    if (callees[i] != callees[kept - 1])
      callees[kept++] = callees[i];
  site->callees = callees;
  site->callee_count = kept;
  return true;
}

bool
llvm_given_finish (struct llvm_records *records,
		   const struct heap_details *details,
		   const struct llvm_given *given)
{
  uint32_t count = heap_details_call_site_count (details);
  /* Sort each list only once, as one function may have most of the sites.  */
  for (size_t i = 0; count > 0 && i < records->count; i++)
    sort_call_sites (&records->records[i]);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct llvm_record *record = &records->records[given[i].function];
      const struct llvm_call_site key = { .stack = given[i].stack };
      if (given[i].stack == LLVM_NO_STACK)
	continue;
      struct llvm_call_site *site
	= bsearch (&key, own_call_sites (record), record->call_site_count,
		   sizeof key, compare_call_sites);
      if (!join_callees (records, site, heap_details_call_site_at (details, i)))
	return false;
    }
  return true;
}

bool
llvm_given_is_implied (const struct llvm_records *records,
		       const struct heap_call_site *site,
		       const struct llvm_given *given)
{
  const struct llvm_record *record = &records->records[given->function];
  const struct llvm_call_site key = { .stack = given->stack };
  if (site->callee_count > 0)
    return false;
  if (site->context == 0)
    return record->alloc_site_count > 0 || record->call_site_count > 0;
  return (record->call_site_count > 0
	  && bsearch (&key, record->call_sites, record->call_site_count,
		      sizeof key, compare_call_sites));
}
