/* The arguments of the plugin: -fplugin-arg-heapprof-NAME[=VALUE].
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ARGUMENTS_H
#define HEAPPROF_ARGUMENTS_H

#include "heapprof/mip-format.h"
#include <regex.h>

/* Ways to count several accesses with one update.  */
enum coalescing
{
  /* Accesses to one granule in a block and along paths between blocks.  */
  COALESCE_BLOCK = 1,
  /* Accesses in a loop to an address that does not change in it.  */
  COALESCE_INVARIANT = 2,
  /* Accesses in a loop to addresses that advance by the same step.  */
  COALESCE_RANGE = 4,
  COALESCE_LOOP = COALESCE_INVARIANT | COALESCE_RANGE,
  COALESCE_ALL = COALESCE_BLOCK | COALESCE_LOOP
};

/* Which allocation calls get hints from a heap profile.  */
enum hinted_calls
{
  HINT_CALLS_NONE,
  HINT_CALLS_NEW, /* operator new */
  HINT_CALLS_ALL  /* malloc and the like as well */
};

/* Which groups of hot blocks the hints of functions of C tell.  */
enum hinted_groups
{
  GROUPS_NONE,
  GROUPS_PHASES, /* blocks that live as long as a phase of the program */
  GROUPS_ALL	 /* and blocks that are used together */
};

/* How a heap profile is used.  */
struct heap_use_arguments
{
  /* The indexed profile whose calling contexts determine the hints of
     allocations, or NULL.  Lives as long as the compiler.  */
  const char *file;
  /* Classify by the limits below even if the profile has classes.  */
  bool by_limits;
  /* Cold blocks have fewer accesses per byte and second and live at least this
     long on average; hot blocks have more accesses.  A negative lifetime
     selects the default, which depends on the profile.  */
  double cold_density;
  double cold_lifetime_ms;
  double hot_density;
  /* The growth of the unit that cloning may cause, in percent of its size.  */
  unsigned max_growth_percent;
  hinted_calls hints;
  hinted_groups groups;
  /* The file that gets a record for each allocation call, or NULL.  */
  const char *remarks;
  /* Functions whose names match allocate for their callers; or NULL.  Lives as
     long as the compiler.  */
  const regex_t *wrapper;
};

/* How a sample profile is used.  */
struct sample_use_arguments
{
  /* The profile whose virtual tables show which classes virtual calls are made
     for, or NULL.  Lives as long as the compiler.  */
  const char *file;
  /* The file that gets a record for each of these tables, or NULL.  */
  const char *remarks;
};

/* How a machine-level profile is made.  */
struct mip_arguments
{
  /* What the slot of a function holds; 0 if no such profile is made.  */
  heapprof_mip_kind kind;
  /* Probe blocks too.  */
  bool blocks;
  /* Count calls by caller (call edges).  */
  bool edges;
  /* Calls from other files, too, skip what counts at entries.  */
  bool program_entries;
  /* Do not infer from a call that the code after it ran.  */
  bool strict;
  /* Skip functions with fewer instructions.  */
  unsigned min_insns;
  /* Instrument group GROUP, counted from 1, of GROUPS; 0 to instrument all.  */
  unsigned group;
  unsigned groups;
  /* Name of the program or library, or NULL.  Lives as long as the
     compiler.  */
  const char *link_unit;
};

struct heapprof_arguments
{
  /* The folder for raw profiles that is stored in the program, or NULL.  Lives
     as long as the compiler.  */
  const char *directory;
  /* Print a summary at the end of each unit.  */
  bool verbose;
  /* Write the dump files of all passes, with a line for each access if
     DUMP_DETAILS.  */
  bool dump;
  bool dump_details;
  /* The enabled kinds of coalescing, a set of enum coalescing bits.  */
  unsigned coalesce;
  /* Merge only accesses that are certain to share a granule, not those that
     share one if the pointer is the start of a block.  */
  bool exact_granules;
  /* Merge all accesses that are certain to be to the same heap block; which of
     its granules were accessed is then unknown.  */
  bool totals_only;
  /* Make a program that is profiled: requested, or nothing else was
     requested.  */
  bool generate;
  /* Do not count accesses.  */
  bool only_allocations;
  /* Also count them for each 8 bytes, without merging.  */
  bool histogram;
  /* The indexed profile whose gcc counters the unit is optimized with, or NULL.
     Lives as long as the compiler.  */
  const char *profile_use;
  heap_use_arguments use;
  sample_use_arguments sample;
  /* The machine-level profile that the unit is optimized with, or NULL.  Lives
     as long as the compiler.  */
  const char *mip_use;
  mip_arguments mip;
};

extern heapprof_arguments arguments;

/* Fill in ARGUMENTS.  Report errors as the compiler's and return false if there
   are any.  */
bool arguments_parse (const plugin_name_args *plugin);

#endif /* HEAPPROF_ARGUMENTS_H */
