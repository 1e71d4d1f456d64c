/* Merging machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-profile.h"
#include "mip-array.h"
#include "mip-check.h"
#include "mip-flows.h"
#include "mip-profile-edges.h"
#include "mip-trace.h"
#include "profile-check.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

/* Copy the string at OFFSET of FROM into PROFILE.  Return its offset there.  */
static uint32_t
copy_string (struct mip_profile *profile, const struct mip_profile *from,
	     uint32_t offset)
{
  const char *text = mip_profile_string (from, offset);
  return mip_profile_add_string (profile, text, strlen (text));
}

/* Append the blocks of FUNCTION, of FROM, and their rules.  */
static bool
append_blocks (struct mip_profile *profile, const struct mip_profile *from,
	       struct mip_function *function)
{
  const struct mip_block *blocks = from->blocks + function->first_block;
  if (!growing_array_reserve (&profile->blocks, profile->block_count,
			      &profile->block_capacity, function->block_count,
			      sizeof *profile->blocks))
    return false;
  function->first_block = (uint32_t) profile->block_count;
  for (uint32_t i = 0; i < function->block_count; i++)
    {
      struct mip_block *block = &profile->blocks[profile->block_count++];
      *block = blocks[i];
      if (!mip_rule_copy (profile, from, &block->rule))
	return false;
    }
  return true;
}

/* Append the copies in FUNCTION, of FROM, with their rules and strings.  */
static bool
append_copies (struct mip_profile *profile, const struct mip_profile *from,
	       struct mip_function *function)
{
  const struct mip_copy *copies = from->copies + function->first_copy;
  if (!growing_array_reserve (&profile->copies, profile->copy_count,
			      &profile->copy_capacity, function->copy_count,
			      sizeof *profile->copies))
    return false;
  function->first_copy = (uint32_t) profile->copy_count;
  for (uint32_t i = 0; i < function->copy_count; i++)
    {
      struct mip_copy *copy = &profile->copies[profile->copy_count++];
      *copy = copies[i];
      copy->name = copy_string (profile, from, copy->name);
      copy->file = copy_string (profile, from, copy->file);
      if (!mip_rule_copy (profile, from, &copy->rule))
	return false;
    }
  return true;
}

/* Append module NUMBER of FROM with its functions.  */
static bool
append_module (struct mip_profile *profile, const struct mip_profile *from,
	       size_t number)
{
  struct mip_module module = from->modules[number];
  const struct mip_function *functions
    = from->functions + module.first_function;
  if (!growing_array_reserve (&profile->modules, profile->module_count,
			      &profile->module_capacity, 1,
			      sizeof *profile->modules)
      || !growing_array_reserve (&profile->functions, profile->function_count,
				 &profile->function_capacity,
				 module.function_count,
				 sizeof *profile->functions))
    return false;
  module.path = copy_string (profile, from, module.path);
  module.first_function = (uint32_t) profile->function_count;
  for (uint32_t i = 0; i < module.function_count; i++)
    {
      struct mip_function function = functions[i];
      bool is_clone = function.origin != function.name;
      function.module = (uint32_t) profile->module_count;
      function.name = copy_string (profile, from, function.name);
      function.origin = is_clone ? copy_string (profile, from, function.origin)
				 : function.name;
      function.file = copy_string (profile, from, function.file);
      if (!append_blocks (profile, from, &function)
	  || !append_copies (profile, from, &function))
	return false;
      profile->functions[profile->function_count++] = function;
    }
  profile->modules[profile->module_count++] = module;
  return true;
}

static void
add_function (struct mip_profile *profile, struct mip_function *to,
	      const struct mip_profile *from,
	      const struct mip_function *function)
{
  to->runs = saturating_add (to->runs, function->runs);
  to->calls = saturating_add (to->calls, function->calls);
  to->order_sum = saturating_add (to->order_sum, function->order_sum);
  if (to->order_least == 0
      || (function->order_least != 0
	  && function->order_least < to->order_least))
    to->order_least = function->order_least;
  for (uint32_t i = 0; i < to->block_count; i++)
    {
      struct mip_block *block = &profile->blocks[to->first_block + i];
      block->runs
	= saturating_add (block->runs,
			  from->blocks[function->first_block + i].runs);
    }
  for (uint32_t i = 0; i < to->copy_count; i++)
    {
      struct mip_copy *copy = &profile->copies[to->first_copy + i];
      copy->runs = saturating_add (copy->runs,
				   from->copies[function->first_copy + i].runs);
    }
}

/* Add module NUMBER of FROM to module PLACE.  Return false if their functions
   differ.  */
static bool
add_module (struct mip_profile *profile, size_t place,
	    const struct mip_profile *from, size_t number)
{
  struct mip_module *to = &profile->modules[place];
  const struct mip_module *module = &from->modules[number];
  if (to->function_count != module->function_count)
    return false;
  for (uint32_t i = 0; i < to->function_count; i++)
    {
      struct mip_function *function
	= &profile->functions[to->first_function + i];
      const struct mip_function *other
	= &from->functions[module->first_function + i];
      if (function->slot != other->slot || function->kind != other->kind
	  || function->block_count != other->block_count
	  || function->copy_count != other->copy_count)
	return false;
      add_function (profile, function, from, other);
    }
  to->images = saturating_add (to->images, module->images);
  return true;
}

/* Append the traces of FROM, whose module I is module PLACES[I] here.  */
static bool
add_traces (struct mip_profile *profile, const struct mip_profile *from,
	    const size_t *places)
{
  for (size_t i = 0; i < from->trace_count; i++)
    {
      const struct mip_trace *trace = &from->traces[i];
      struct mip_trace_maker maker = { 0 };
      bool is_done = true;
      for (uint32_t j = 0; j < trace->count && is_done; j++)
	{
	  uint32_t here
	    = mip_function_here (profile, from, places,
				 from->trace_data[trace->first + j]);
	  is_done = mip_trace_maker_add (&maker, j + 1, here);
	}
      is_done = is_done
		&& mip_trace_maker_finish (&maker, profile, from->traces_seen,
					   trace->weight);
      mip_trace_maker_release (&maker);
      if (!is_done)
	return false;
    }
  profile->traces_seen += from->traces_seen - from->trace_count;
  return true;
}

bool
mip_profile_merge (struct mip_profile *profile, const struct mip_profile *from,
		   const char *path, struct profile_error *err)
{
  size_t *places = calloc (from->module_count + 1, sizeof *places);
  bool is_done = places != NULL, is_alike = true;
  for (size_t i = 0; i < from->module_count && is_done && is_alike; i++)
    {
      const struct mip_module *module = &from->modules[i];
      places[i]
	= mip_profile_find_module (profile, module->build_id,
				   module->build_id_bytes, module->link_unit);
      if (places[i] != SIZE_MAX)
	is_alike = add_module (profile, places[i], from, i);
      else
	{
	  places[i] = profile->module_count;
	  is_done = append_module (profile, from, i);
	}
    }
  if (is_done && is_alike)
    {
      is_done = add_traces (profile, from, places)
		&& mip_edges_merge (profile, from, places)
		&& mip_flows_merge (profile, from, places)
		&& !profile->strings.failed;
      profile->images = saturating_add (profile->images, from->images);
    }
  free (places);
  if (!is_done)
    return profile_error_set_memory (err, path);
  if (!is_alike)
    return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			      "program with the same build ID has different "
			      "functions");
  struct byte_reader reader;
  byte_reader_init (&reader, path, NULL, 0, err);
  if (!mip_flows_check (profile, &reader))
    return false;
  PROFILE_CHECK (mip_profile_is_valid (profile));
  return true;
}
