/* Advice: what a heap profile supports that a developer can change.
   SPDX-License-Identifier: GPL-3.0-or-later

   Contexts are grouped by the line of the program that they are due to
   (advice-sites.h) and by what there is to say about them (advice-make.h).

   The gain is a share of something the program has: its allocations, the bytes
   it allocates, its memory, its accesses.  It is never a time, which a profile
   cannot tell.  Advice is sorted by this share.  */

#ifndef HEAPPROF_ADVICE_H
#define HEAPPROF_ADVICE_H

#include "advice-growth.h"
#include "advice-sites.h"
#include "heap-report.h"
#include "heap-types.h"
#include "matching.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Equal gains are printed in this order.  */
enum advice_kind
{
  ADVICE_UNUSED,
  ADVICE_TEMPORARIES,
  ADVICE_RESERVE,
  ADVICE_POOL,
  ADVICE_OVERSIZED,
  ADVICE_GROUPS,
  ADVICE_LAYOUT,
  ADVICE_SPLIT,
  ADVICE_LEAK,
  ADVICE_GROWING,
  ADVICE_COLD,
  ADVICE_PLACEMENT,
  ADVICE_KINDS
};

/* Facts about a kind, for options, JSON and SARIF.  */
struct advice_kind_facts
{
  const char *name;
  const char *title;   /* of SARIF's rule: one line */
  const char *meaning; /* what the profile shows */
  const char *help;    /* what to do, in general */
  bool is_warning;     /* else a note */
};

const struct advice_kind_facts *advice_kind_facts (enum advice_kind kind);

enum advice_unit
{
  ADVICE_ALLOCATIONS,
  ADVICE_ALLOCATED_BYTES,
  ADVICE_MEMORY_BYTES, /* mean over the run */
  ADVICE_PEAK_BYTES,
  ADVICE_ACCESSES,
  ADVICE_UNITS
};

/* Return the name of UNIT for JSON; for people, after a share ("of ...").  */
const char *advice_unit_name (enum advice_unit unit);
const char *advice_unit_words (enum advice_unit unit);

/* At most this much can be gained.  */
struct advice_gain
{
  enum advice_unit unit;
  double amount;
  double share_percent; /* of what the program has */
};

struct advice
{
  enum advice_kind kind;
  struct advice_gain gain;
  /* Of the site; strings are the profile's or the remarks'.  */
  uint32_t frame;	/* ID; 0 if only the fields below are known */
  const char *function; /* linkage name; empty if unknown */
  const char *file;
  uint32_t line; /* 0: unknown */
  /* The context with the largest part, and its caller at the site; 0: none.  */
  uint32_t context;
  uint32_t site;
  struct memory_info info;	/* sum of the contexts */
  size_t contexts;		/* number of these */
  double memory_bytes;		/* mean over the run, of the contexts */
  double memory_blocks;		/* the same for blocks */
  double objects;		/* that grew, at least */
  struct growth growth;		/* of the context with the largest part */
  const struct heap_type *type; /* NULL: unknown, or several */
  char *evidence;		/* malloced: sentences with the figures */
  char *action;			/* malloced: what to do, a sentence */
};

struct advice_options
{
  double min_share_percent;
  bool kinds[ADVICE_KINDS];	 /* wanted */
  const struct remarks *remarks; /* NULL: none */
  const char *path;		 /* of the profile */
};

struct advice_sentences
{
  char **list; /* malloced, each too */
  size_t count;
};

struct advice_list
{
  const struct heap_report *report;
  struct advice_options options;
  struct advice_sites sites;
  struct advice *list; /* malloced */
  size_t count;
  size_t capacity;
  double runs;	 /* 1 if unknown */
  double run_ns; /* of all runs together */
  /* Of a single run, the times when the first block was allocated, and the last
     one allocated or released; else equal.  */
  uint64_t first_ns;
  uint64_t last_ns;
  double memory_bytes;			 /* mean over the runs */
  double class_bytes[PLACEMENT_CLASSES]; /* of these */
  double class_accesses[PLACEMENT_CLASSES];
  /* Of these, blocks that share pages with others.  */
  double small_bytes[PLACEMENT_CLASSES];
  /* Bytes of all cache lines that hot blocks may touch.  */
  double hot_line_bytes;
  struct advice_sentences limits;  /* why there is little to gain */
  struct advice_sentences missing; /* what the profile does not tell */
  struct advice_gain best_dropped; /* of what is below the limits */
};

/* Free what ITEM, or *ADVICE, owns.  */
void advice_free_item (struct advice *item);
void advice_release (struct advice_list *advice);

/* A text that is written piece by piece.  */
struct advice_text
{
  FILE *out;
  char **text; /* where the malloced result is stored */
  size_t bytes;
};

/* Start writing to TEXT->out for *RESULT; end it.  Both return false if memory
   is exhausted; *RESULT is to be freed in any case.  */
bool advice_text_start (struct advice_text *text, char **result);
bool advice_text_end (struct advice_text *text);

/* Return how many bytes glibc's malloc uses for a block of BYTES in addition to
   these.  */
uint64_t advice_block_overhead (uint64_t bytes);

/* Return new advice of KIND; NULL if memory is exhausted.  */
struct advice *advice_add (struct advice_list *advice, enum advice_kind kind);

/* Describe the line of SITE, a caller of CONTEXT or itself, in ITEM.  */
void advice_set_site (const struct advice_list *advice, struct advice *item,
		      uint32_t context, uint32_t site);

/* Return the mean number of bytes of INFO's blocks in memory over the run, or,
   if there are several, over all of them; 0 if lifetimes are unknown.  */
double advice_memory_bytes (const struct advice_list *advice,
			    const struct memory_info *info);

/* Return the mean number of blocks in the same way.  */
double advice_memory_blocks (const struct advice_list *advice,
			     const struct memory_info *info);

/* Return true if all blocks of INFO are freed in a short part of the run.  */
bool advice_are_freed_together (const struct advice_list *advice,
				const struct memory_info *info);

/* Set GAIN to AMOUNT of UNIT.  */
void advice_set_gain (const struct advice_list *advice,
		      struct advice_gain *gain, enum advice_unit unit,
		      double amount);

#endif /* HEAPPROF_ADVICE_H */
