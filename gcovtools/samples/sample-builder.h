/* A sample profile made of what samples say of code.
   SPDX-License-Identifier: GPL-3.0-or-later

   The rules are those of llvm-profgen: an instruction has the sum of the counts
   of the ranges with it; a location has the greatest count of its instructions,
   since code is moved and copied, but nothing runs more often for it; a
   function has, as its total, the bytes of code that ran.  */

#ifndef HEAPPROF_SAMPLE_BUILDER_H
#define HEAPPROF_SAMPLE_BUILDER_H

#include "image-list.h"
#include "sample-profile.h"
#include "sampled-code.h"
#include <stdbool.h>

/* What a location gets of its instructions.  */
enum sample_rule
{
  SAMPLE_RULE_FITTING, /* MAX with branches, else SUM */
  SAMPLE_RULE_MAX,
  SAMPLE_RULE_SUM
};

struct sample_builder_options
{
  enum sample_rule rule;
  bool totals_are_counts; /* totals are sums of counts, not of bytes */
  bool slots_are_targets; /* calls through virtual tables get targets by
			     the slots that were loaded */
  bool has_symbol_names;  /* functions have the names that the linker
			     knows, not those of the debug information */
};

/* Add what CODE says of IMAGES to PROFILE.  CODE's pairs become lists.  False
   if memory is exhausted.  */
bool sample_builder_add (struct sample_profile *profile,
			 struct image_list *images, struct sampled_code *code,
			 const struct sample_builder_options *options);

#endif /* HEAPPROF_SAMPLE_BUILDER_H */
