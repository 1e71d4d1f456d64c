/* Validation of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-check.h"
#include "heapprof/mip-format.h"
#include "mip-flows.h"

/* Return true if RULE is inside the COUNT words at WORDS, and refers to blocks
   below BLOCKS.  */
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

bool
mip_function_copies_fit (const struct mip_profile *profile,
			 const struct mip_function *function, uint64_t *length)
{
  if (function->copy_count > profile->copy_count
      || function->first_copy > profile->copy_count - function->copy_count)
    return false;
  for (uint32_t i = 0; i < function->copy_count; i++)
    {
      const struct mip_copy *copy = &profile->copies[function->first_copy + i];
      if ((copy->parent >= i && copy->parent != UINT32_MAX)
	  || copy->name >= profile->strings.size
	  || copy->file >= profile->strings.size)
	return false;
      if (copy->rule == UINT32_MAX)
	continue;
      if (copy->rule < profile->rule_count)
	*length += profile->rules[copy->rule] + (uint64_t) 1;
      if (*length > profile->rule_count
	  || !is_rule (profile->rules, profile->rule_count, copy->rule,
		       function->block_count))
	return false;
    }
  return true;
}

/* Return what is invalid in FUNCTION; NULL if nothing is.  *RULE_LENGTH is as
   for mip_function_wrong_block.  */
static const char *
problem_of (const struct mip_profile *profile,
	    const struct mip_function *function, uint64_t *rule_length)
{
  size_t strings = profile->strings.size;
  if (function->name >= strings || function->origin >= strings
      || function->file >= strings)
    return "name";
  if (function->kind < HEAPPROF_MIP_COVERAGE
      || function->kind > HEAPPROF_MIP_CALLS)
    return "kind of slot";
  if (function->block_count > profile->block_count
      || function->first_block > profile->block_count - function->block_count
      || mip_function_wrong_block (profile, function, rule_length)
	   != UINT32_MAX)
    return "blocks";
  return mip_function_copies_fit (profile, function, rule_length) ? NULL
								  : "copies";
}

/* Check references between modules, functions and blocks.  */
static bool
check_functions (const struct mip_profile *profile, struct byte_reader *reader)
{
  uint32_t next = 0;
  uint64_t blocks = 0, copies = 0, rule_length = 0;
  for (size_t i = 0; i < profile->module_count; i++)
    {
      const struct mip_module *module = &profile->modules[i];
      if (module->first_function != next
	  || module->function_count > profile->function_count - next
	  || module->path >= profile->strings.size
	  || module->build_id_bytes > MIP_BUILD_ID_BYTES)
	return byte_reader_fail (reader, PROFILE_ERROR_NO_OFFSET,
				 "module %zu is invalid", i);
      next += module->function_count;
      for (uint32_t j = module->first_function; j < next; j++)
	{
	  const struct mip_function *function = &profile->functions[j];
	  const char *problem = problem_of (profile, function, &rule_length);
	  if (function->module != i)
	    problem = "module";
	  blocks += function->block_count;
	  copies += function->copy_count;
	  if (problem == NULL && blocks > profile->block_count)
	    problem = "blocks";
	  if (problem == NULL && copies > profile->copy_count)
	    problem = "copies";
	  if (problem != NULL)
	    return byte_reader_fail (reader, PROFILE_ERROR_NO_OFFSET,
				     "invalid %s of function %u", problem, j);
	}
    }
  return next == profile->function_count
	 || byte_reader_fail (reader, PROFILE_ERROR_NO_OFFSET,
			      "function without module");
}

static bool
check_traces (const struct mip_profile *profile, struct byte_reader *reader)
{
  /* Traces must not share functions: otherwise a small file could have any
     number of them.  */
  uint64_t left = profile->trace_data_count;
  for (size_t i = 0; i < profile->trace_count; i++)
    {
      const struct mip_trace *trace = &profile->traces[i];
      if (trace->count > left
	  || trace->first > profile->trace_data_count - trace->count)
	return byte_reader_fail (reader, PROFILE_ERROR_NO_OFFSET,
				 "invalid trace %zu", i);
      left -= trace->count;
    }
  for (size_t i = 0; i < profile->trace_data_count; i++)
    if (profile->trace_data[i] >= profile->function_count)
      return byte_reader_fail (reader, PROFILE_ERROR_NO_OFFSET,
			       "unknown function %u in a trace",
			       profile->trace_data[i]);
  return true;
}

static bool
check_edges (const struct mip_profile *profile, struct byte_reader *reader)
{
  for (size_t i = 0; i < profile->edge_count; i++)
    if (profile->edges[i].callee >= profile->function_count
	|| (profile->edges[i].caller >= profile->function_count
	    && profile->edges[i].caller != MIP_NO_FUNCTION))
      return byte_reader_fail (reader, PROFILE_ERROR_NO_OFFSET,
			       "invalid edge %zu", i);
  return true;
}

/* Check everything but flows.  This needs no memory.  */
static bool
check_references (const struct mip_profile *profile, struct byte_reader *reader)
{
  return check_functions (profile, reader) && check_traces (profile, reader)
	 && check_edges (profile, reader);
}

bool
mip_profile_check (const struct mip_profile *profile,
		   struct byte_reader *reader)
{
  return check_references (profile, reader)
	 && mip_flows_check (profile, reader);
}

bool
mip_profile_is_valid (const struct mip_profile *profile)
{
  const struct byte_writer *strings = &profile->strings;
  struct byte_reader reader;
  struct profile_error err;
  byte_reader_init (&reader, NULL, NULL, 0, &err);
  return strings->size > 0 && strings->data[strings->size - 1] == '\0'
	 && profile->module_count <= profile->module_capacity
	 && profile->function_count <= profile->function_capacity
	 && profile->block_count <= profile->block_capacity
	 && profile->copy_count <= profile->copy_capacity
	 && profile->rule_count <= profile->rule_capacity
	 && profile->trace_count <= profile->trace_capacity
	 && profile->trace_data_count <= profile->trace_data_capacity
	 && profile->edge_count <= profile->edge_capacity
	 && profile->flow_count <= profile->flow_capacity
	 && check_references (profile, &reader)
	 && mip_flows_are_sorted (profile);
}
