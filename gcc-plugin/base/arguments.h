/* The arguments of the plugin: -fplugin-arg-heapprof-NAME[=VALUE].
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ARGUMENTS_H
#define HEAPPROF_ARGUMENTS_H

#include "heapprof/mip-format.h"

/* Ways to count several accesses by one update.  */
enum coalescing
{
  /* Accesses of one granule in a block and along paths from block to
     block.  */
  COALESCE_BLOCK = 1,
  /* Accesses of a loop to an address that does not change in it.  */
  COALESCE_INVARIANT = 2,
  /* Accesses of a loop to addresses that advance by the same step.  */
  COALESCE_RANGE = 4,
  COALESCE_LOOP = COALESCE_INVARIANT | COALESCE_RANGE,
  COALESCE_ALL = COALESCE_BLOCK | COALESCE_LOOP
};

/* Which calls a heap profile gives hints to.  */
enum hinted_calls
{
  HINT_CALLS_NONE,
  HINT_CALLS_NEW, /* operators new */
  HINT_CALLS_ALL  /* malloc and the like as well */
};

/* How a heap profile is used.  */
struct heap_use_arguments
{
  /* The indexed profile whose calling contexts allocations get hints by, or
     NULL.  Lives as long as the compiler.  */
  const char *file;
  /* Cold is what has fewer accesses a byte and second, and lives at
     least so long on average; hot is what has more accesses.  A negative
     lifetime stands for the default, which depends on the profile.  */
  double cold_density;
  double cold_lifetime_ms;
  double hot_density;
  /* By how many percent of its size cloning may let the unit grow.  */
  unsigned max_growth_percent;
  hinted_calls hints;
  /* Where a record for each allocation call goes, or NULL.  */
  const char *remarks;
};

/* How a sample profile is used.  */
struct sample_use_arguments
{
  /* The profile whose virtual tables say which classes virtual calls are made
     for, or NULL.  Lives as long as the compiler.  */
  const char *file;
  /* Where a record for each of these tables goes, or NULL.  */
  const char *remarks;
};

/* How a machine-level profile is made.  */
struct mip_arguments
{
  /* What the slot of a function holds; 0 if no such profile is made.  */
  heapprof_mip_kind kind;
  /* Probe blocks, too.  */
  bool blocks;
  /* Count from where functions are called.  */
  bool edges;
  /* Infer nothing of a block from what stands before a call.  */
  bool strict;
  /* Leave functions alone that have fewer instructions.  */
  unsigned min_insns;
  /* Instrument group GROUP, from 1, of GROUPS; 0 if all.  */
  unsigned group;
  unsigned groups;
  /* Name of the program or library, or NULL.  Lives as long as the
     compiler.  */
  const char *link_unit;
};

struct heapprof_arguments
{
  /* Folder for raw profiles that goes into the program, or NULL.  Lives as
     long as the compiler.  */
  const char *directory;
  /* Say at the end of each unit what was done.  */
  bool verbose;
  /* Write the dump files of all passes; with DUMP_DETAILS, a line for each
     access.  */
  bool dump;
  bool dump_details;
  /* Which coalescing is done, a set of enum coalescing bits.  */
  unsigned coalesce;
  /* Merge only accesses that surely share a granule, rather than those that
     do if the pointer is where a block begins.  */
  bool exact_granules;
  /* Count accesses: asked for, or nothing else was.  */
  bool generate;
  /* Also count them by 8 bytes, each by itself.  */
  bool histogram;
  /* The indexed profile whose counters of gcc the unit is optimized by, or
     NULL.  Lives as long as the compiler.  */
  const char *profile_use;
  heap_use_arguments use;
  sample_use_arguments sample;
  /* The machine-level profile that the unit is optimized by, or NULL.  Lives as
     long as the compiler.  */
  const char *mip_use;
  mip_arguments mip;
};

extern heapprof_arguments arguments;

/* Fill in ARGUMENTS.  An error is reported as the compiler's and makes the
   result false.  */
bool arguments_parse (const plugin_name_args *plugin);

#endif /* HEAPPROF_ARGUMENTS_H */
