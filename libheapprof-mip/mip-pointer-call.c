/* Counting calls through pointers per call site.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The probe before such a call (gcc-plugin/mip/machine-CPU.cc) compares the
   function with the one that its call site counts, and adds 1 to the site's
   calls.  If it is another function, it calls the helper below first, which
   counts the call in a table and takes back that 1 in advance.  A function that
   gets twice as many calls as the one that the site counts changes places with
   it.

   The table has a place for each pair of call site and function, which is its
   home, or another one of the block of places there.  The helper itself counts
   a pair at home; for others it calls a C function, and also from time to time,
   so that frequent pairs come home, or to their site.  If the block is full,
   the pair with the fewest calls there loses one, and so does the new pair,
   until it replaces the other.  So the most frequent pairs stay.  Lost calls
   are counted by function, so that they are not taken for calls from outside.

   Nothing is locked: threads may lose calls that they count at the same time.
   This is linked only if a program counts calls by caller.  */

#include "mip-runtime.h"
#include "mip-system.h"
#include "heapprof/mip.h"

#define PLACES 1024
/* The number of places in a block, a power of 2.  */
#define BLOCK 16
#define LOST_PLACES 256

/* How much a function is ahead when it changes places with that of its site: so
   many calls, and twice as many.  */
#define HEAD_START 8

/* Calls of a function from a site.  */
struct pair
{
  struct heapprof_mip_pointer_site *site;
  uint64_t target; /* 0: none */
  uint64_t calls;
};

struct lost
{
  uint64_t target; /* 0: none */
  uint64_t calls;
};

struct mip_pointer_table
{
  struct pair pairs[PLACES];
  struct lost lost[LOST_PLACES];
  uint64_t unknown; /* calls that have lost both site and function */
};

/* Unused pages take no memory.  */
struct mip_pointer_table mip_pointer_table __attribute__ ((used));
#define table mip_pointer_table

/* The layout of tables and sites as used by the helper.  */
_Static_assert(PLACES == 1024 && sizeof (struct pair) == 24
		 && offsetof (struct pair, target) == 8
		 && offsetof (struct pair, calls) == 16
		 && offsetof (struct heapprof_mip_pointer_site, calls) == 8,
	       "layout");

/* Note that CALLS calls of TARGET have lost their call site.  */

static void
lose (uint64_t target, uint64_t calls)
{
  const uint32_t home = (uint32_t) target / 16;
  for (uint32_t i = 0; i < LOST_PLACES; i++)
    {
      struct lost *const place = &table.lost[(home + i) % LOST_PLACES];
      if (place->target == 0)
	place->target = target;
      if (place->target == target)
	{
	  place->calls += calls;
	  return;
	}
    }
  table.unknown += calls;
}

/* Exchange PAIR with the one at HOME, if that has fewer calls.  Return where
   PAIR is then.  */

static struct pair *
come_home (struct pair *pair, struct pair *home)
{
  if (home->calls >= pair->calls)
    return pair;
  const struct pair moved = *home;
  *home = *pair;
  *pair = moved;
  return home;
}

/* Count a call of TARGET from SITE in the table.  Return its pair, or NULL if
   the call was lost.  */

static struct pair *
count (struct heapprof_mip_pointer_site *site, uint64_t target)
{
  const uint32_t home = (uint32_t) target / 16 ^ (uint32_t) (uint64_t) site / 8;
  struct pair *least = NULL;
  for (uint32_t i = 0; i < BLOCK; i++)
    {
      struct pair *const pair = &table.pairs[(home ^ i) % PLACES];
      if (pair->target == 0)
	{
	  pair->target = target;
	  pair->site = site;
	}
      if (pair->target == target && pair->site == site)
	{
	  pair->calls++;
	  return come_home (pair, &table.pairs[home % PLACES]);
	}
      if (least == NULL || pair->calls < least->calls)
	least = pair;
    }
  if (least->calls <= 1)
    {
      lose (least->target, least->calls);
      *least = (struct pair){ site, target, 1 };
      return least;
    }
  least->calls--;
  lose (least->target, 1);
  lose (target, 1);
  return NULL;
}

/* Count a call of TARGET that returns to RETURN_ADDRESS, where SITE is not for
   TARGET; the probe then adds 1 to the calls of SITE.  Called only by the
   helper, with any register in use.  */

MIP_CALLED_BY_HELPER
void
mip_pointer_call (uint64_t target, struct heapprof_mip_pointer_site *site,
		  uint64_t return_address)
{
  uint64_t none = 0;
  site->return_address = return_address;
  if (__atomic_compare_exchange_n (&site->target, &none, target, false,
				   __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return;
  struct pair *const pair = count (site, target);
  if (pair != NULL && pair->calls / 2 > site->calls + HEAD_START)
    {
      const uint64_t calls = pair->calls;
      pair->target = site->target;
      pair->calls = site->calls;
      site->target = target;
      site->calls = calls;
    }
  site->calls--;
}

extern struct heapprof_mip_pointer_site __start___hpm_ptr[]
  __attribute__ ((weak, visibility ("hidden")));
extern struct heapprof_mip_pointer_site __stop___hpm_ptr[]
  __attribute__ ((weak, visibility ("hidden")));

/* Append a record to TO if it has calls; return the end.  */

static struct heapprof_mip_pointer_calls *
put (struct heapprof_mip_pointer_calls *to, uint64_t return_address,
     uint64_t target, uint64_t calls)
{
  /* Minus 1: the helper has not returned yet.  */
  if ((int64_t) calls > 0)
    *to++
      = (struct heapprof_mip_pointer_calls){ return_address, target, calls };
  return to;
}

/* Copy all records with calls to TO, which has room for them.  Return the end
   of the copy.  */

static struct heapprof_mip_pointer_calls *
copy_all (struct heapprof_mip_pointer_calls *to)
{
  for (const struct heapprof_mip_pointer_site *site = __start___hpm_ptr;
       site != __stop___hpm_ptr; site++)
    to = put (to, site->return_address, site->target, site->calls);
  for (const struct pair *pair = table.pairs; pair != table.pairs + PLACES;
       pair++)
    if (pair->site != NULL)
      to = put (to, pair->site->return_address, pair->target, pair->calls);
  for (const struct lost *lost = table.lost; lost != table.lost + LOST_PLACES;
       lost++)
    to = put (to, 0, lost->target, lost->calls);
  return to;
}

/* Return the number of calls in all records that copy_all copies.  */

static uint64_t
all_calls (void)
{
  uint64_t calls = 0;
  for (const struct heapprof_mip_pointer_site *site = __start___hpm_ptr;
       site != __stop___hpm_ptr; site++)
    calls += site->calls;
  for (uint32_t i = 0; i < PLACES; i++)
    calls += table.pairs[i].calls;
  for (uint32_t i = 0; i < LOST_PLACES; i++)
    calls += table.lost[i].calls;
  return calls;
}

static void
copy_table (struct mip_image *image, struct heapprof_mip_chunk *chunk)
{
  const size_t sites = (size_t) (__stop___hpm_ptr - __start___hpm_ptr);
  const size_t room = (sites + PLACES + LOST_PLACES)
		      * sizeof (struct heapprof_mip_pointer_calls);
  const long address = mip_map (0, room, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  image->edge_total.calls = table.unknown;
  *chunk = mip_edge_chunk (HEAPPROF_MIP_POINTER_CALLS, 0, 0);
  if (mip_is_error (address))
    {
      image->edge_total.calls += all_calls ();
      return;
    }
  image->edges = (void *) address;
  image->edge_room = room;
  const struct heapprof_mip_pointer_calls *const end = copy_all (image->edges);
  *chunk
    = mip_edge_chunk (HEAPPROF_MIP_POINTER_CALLS, 0,
		      (size_t) ((const char *) end - (char *) image->edges));
}

static void
forget (void)
{
  for (struct heapprof_mip_pointer_site *site = __start___hpm_ptr;
       site != __stop___hpm_ptr; site++)
    site->calls = 0;
  own_memset (&table, 0, sizeof table);
}

/* Also named for objects to refer to.  */
const struct mip_edge_functions mip_edges __asm__(HEAPPROF_MIP_SYMBOL_EDGES)
  = { copy_table, forget };
const struct mip_edge_functions *mip_edge_functions = &mip_edges;

MIP_POINTER_HELPER (HEAPPROF_MIP_SYMBOL_POINTER_CALL, "mip_pointer_call");
