/* Checks of a function of a machine-level profile that was read.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-function.h"

/* Is RULE in the COUNT words at WORDS, and does it name blocks below BLOCKS?  */
static bool
is_rule (const uint32_t *words, size_t count, uint32_t rule, uint32_t blocks)
{
  if (rule >= count || words[rule] > count - rule - 1)
    return false;
  for (uint32_t i = 1; i <= words[rule]; i++)
    if (words[rule + i] >= blocks)
      return false;
  return true;
}

uint32_t
mip_function_wrong_block (const struct mip_profile *profile,
			  const struct mip_function *function, uint64_t *length)
{
  for (uint32_t i = 0; i < function->block_count; i++)
    {
      uint32_t rule = profile->blocks[function->first_block + i].rule;
      if (rule == UINT32_MAX)
	continue;
      if (rule < profile->rule_count)
	*length += profile->rules[rule] + (uint64_t) 1;
      if (*length > profile->rule_count
	  || !is_rule (profile->rules, profile->rule_count, rule,
		       function->block_count))
	return i;
    }
  return UINT32_MAX;
}
