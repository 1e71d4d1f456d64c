/* Construction of a sample profile from sampled code.
   SPDX-License-Identifier: GPL-3.0-or-later

   The rules are those of llvm-profgen: an instruction gets the sum of the
   counts of its ranges; a location gets the largest count of its instructions,
   since code may be duplicated; the total of a function is the number of
   executed bytes of code.  */

#ifndef HEAPPROF_SAMPLE_BUILDER_H
#define HEAPPROF_SAMPLE_BUILDER_H

#include "image-list.h"
#include "joined-names.h"
#include "sample-profile.h"
#include "sampled-code.h"
#include "stale-heap.h"
#include <stdbool.h>

/* Where the functions of a shape are defined.  All zeros is empty.  */
struct function_sources
{
  struct stale_source *sources; /* by name number; their paths are malloced */
  uint32_t count;
};

void function_sources_release (struct function_sources *sources);

/* How a location's count is computed from its instructions.  */
enum sample_rule
{
  SAMPLE_RULE_FITTING, /* MAX with branches, else SUM */
  SAMPLE_RULE_MAX,
  SAMPLE_RULE_SUM
};

struct sample_builder_options
{
  enum sample_rule rule;
  bool totals_are_counts; /* totals are sums of counts, not bytes */
  bool slots_are_targets; /* virtual calls get targets from the slots that were
			     loaded */
  bool has_files;	  /* names have the source files of their functions */
  bool counts_are_exact;  /* a location whose code was counted keeps its count,
			     even if it has more calls */
  bool has_symbol_names;  /* use names from the symbol table, not from debug
			     information */
  bool drops_local_marks; /* names are those of heap profiles, without marks of
			     local functions */
  bool has_columns;	  /* locations have columns in place of
			     discriminators */
  struct function_sources *sources; /* of shapes: filled; NULL: not wanted */
  struct joined_names *joined;	    /* filled; NULL: not wanted */
};

/* Add the samples in CODE of IMAGES to PROFILE.  CODE's pairs become lists.
   Return false if memory is exhausted.  */
bool sample_builder_add (struct sample_profile *profile,
			 struct image_list *images, struct sampled_code *code,
			 const struct sample_builder_options *options);

/* Raise body counts of PROFILE's functions, not of inlined ones, to the sum of
   their call targets.  A branch is counted at its source, but the code before
   it only between two branches, and a stack of branches has one range less than
   branches.  With IS_EXACT, raise only counts of 0.  */
void sample_builder_raise_bodies (struct sample_profile *profile,
				  bool is_exact);

/* Add to PROFILE every location of IMAGES that has code, with count 0, and
   every call of a known function, with count 1.  Return false if memory is
   exhausted.  */
bool sample_builder_add_shape (struct sample_profile *profile,
			       struct image_list *images,
			       const struct sample_builder_options *options);

#endif /* HEAPPROF_SAMPLE_BUILDER_H */
