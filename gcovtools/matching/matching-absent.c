/* Use of a heap profile by the compiler: allocations without remarks.
   SPDX-License-Identifier: GPL-3.0-or-later

   Remarks are about the functions of units that were compiled with the profile.
   The profile also has allocations in other code: in libraries, and in units
   that were compiled without it.  Functions are compared by GUID, since
   profiles that only LLVM's tools wrote have no names.

   The blocks of libraries are placed nevertheless if the token of a call in the
   program decides about them.  The file has tokens and the stacks that they
   decide in LLVM's part only.  */

#include "matching-absent.h"
#include "function-id.h"
#include "heap-lookup.h"
#include "program-module.h"
#include "saturating.h"
#include <stdlib.h>
#include <string.h>

static void
add_context (struct matching_sum *sum, const struct memory_info *info)
{
  sum->contexts++;
  sum->allocations = saturating_add (sum->allocations, info->alloc_count);
  sum->bytes = saturating_add (sum->bytes, info->size_bytes.total);
}

static int
compare_guids (const void *element1, const void *element2)
{
  const uint64_t guid1 = *(const uint64_t *) element1;
  const uint64_t guid2 = *(const uint64_t *) element2;
  return (guid1 > guid2) - (guid1 < guid2);
}

/* Return the GUIDs of the functions in REMARKS, sorted; NULL if memory is
   exhausted.  */
static uint64_t *
remarked_functions (const struct remarks *remarks)
{
  uint64_t *guids = calloc (remarks->count + 1, sizeof *guids);
  for (size_t i = 0; guids != NULL && i < remarks->count; i++)
    guids[i] = function_canonical_guid (json_string_value (
      json_object_get (remarks->list[i].object, "function")));
  if (guids != NULL && remarks->count > 1)
    qsort (guids, remarks->count, sizeof *guids, compare_guids);
  return guids;
}

/* Return the GUID of the function of FRAME, as remarks have it: that of the
   base variant for a constructor.  */
static uint64_t
guid_of (const struct heap_profile *profile, const struct heap_frame *frame)
{
  const char *name = heap_profile_string (profile, frame->function_name);
  char *copy = name[0] == '_' ? strdup (name) : NULL;
  const uint64_t guid = copy != NULL && function_base_variant (copy)
			  ? function_canonical_guid (copy)
			  : frame->function_guid;
  free (copy);
  return guid;
}

/* Return the frame of the allocation of the context ID that the compiler can
   know: the innermost one with a name, as functions of libraries that have none
   are missing in LLVM's part.  */
static const struct heap_frame *
innermost_named (const struct heap_profile *profile, uint32_t id)
{
  const struct heap_frame *frame;
  do
    {
      frame = heap_profile_frame (profile,
				  heap_profile_context_frame (profile, id));
      id = heap_profile_context_caller (profile, id);
    }
  while (frame->function_guid == 0 && id != 0);
  return frame;
}

bool
matching_add_absent (struct matching *matching,
		     const struct heap_profile *profile,
		     const struct remarks *remarks)
{
  const uint32_t program = program_module_find (profile);
  uint64_t *guids = remarked_functions (remarks);
  uint64_t most[MATCHING_ABSENTS] = { 0 };
  if (program == UINT32_MAX || guids == NULL)
    {
      free (guids);
      return false;
    }
  for (uint32_t id = 0; id < heap_profile_context_count (profile); id++)
    {
      const struct memory_info *info = heap_profile_info (profile, id);
      if (info == NULL)
	continue;
      const struct heap_frame *frame
	= heap_profile_frame (profile,
			      heap_profile_context_frame (profile, id));
      const uint64_t guid = guid_of (profile, innermost_named (profile, id));
      if (bsearch (&guid, guids, remarks->count, sizeof guid, compare_guids)
	  != NULL)
	continue;
      const bool is_library
	= program != 0 && frame->module != 0 && frame->module != program;
      const enum matching_absent absent
	= is_library ? MATCHING_ABSENT_LIBRARY : MATCHING_ABSENT_UNIT;
      add_context (&matching->absent[absent], info);
      if (info->size_bytes.total <= most[absent])
	continue;
      most[absent] = info->size_bytes.total;
      matching->absent_context[absent] = id;
    }
  free (guids);
  return true;
}

/* Return the functions of PROFILE that allocate at an unknown place, sorted,
   and their number in *COUNT.  The caller frees the list; NULL if memory is
   exhausted.  */
static uint64_t *
hidden_functions (const struct heap_profile *profile, size_t *count)
{
  const uint32_t contexts = heap_profile_context_count (profile);
  uint64_t *guids = calloc ((size_t) contexts + 1, sizeof *guids);
  size_t n = 0;
  for (uint32_t i = 1; guids != NULL && i < contexts; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile, heap_profile_context_frame (profile, i));
      if (heap_profile_info (profile, i) != NULL && frame->line == 0
	  && frame->function_guid != 0)
	guids[n++] = frame->function_guid;
    }
  if (n > 1)
    qsort (guids, n, sizeof *guids, compare_guids);
  *count = n;
  return guids;
}

/* Add to *SUM what the function GUID allocates at an unknown place.  */
static void
add_function (struct matching_sum *sum, struct heap_lookup *lookup,
	      uint64_t guid)
{
  struct heap_lookup_record record;
  struct profile_error ignored;
  if (heap_lookup_find (lookup, guid, &record, &ignored) != INDEXED_FOUND)
    return;
  for (size_t i = 0; i < record.allocation_count; i++)
    {
      const struct heap_lookup_allocation *one = &record.allocations[i];
      const struct heap_lookup_frame *frame = &one->stack.frames[0];
      bool by_token;
      heap_lookup_class (lookup, &one->stack, &by_token);
      if (frame->function != guid || frame->line_offset != 0
	  || frame->column != 0 || !by_token)
	continue;
      add_context (sum, &one->info);
    }
}

bool
matching_add_libraries (struct matching_sum *sum, const char *path,
			const struct heap_profile *profile)
{
  struct profile_error ignored;
  size_t count;
  struct heap_lookup *lookup = heap_lookup_open (path, &ignored);
  if (lookup == NULL)
    return true;
  uint64_t *guids = hidden_functions (profile, &count);
  for (size_t i = 0; guids != NULL && i < count; i++)
    if (i == 0 || guids[i] != guids[i - 1])
      add_function (sum, lookup, guids[i]);
  heap_lookup_close (lookup);
  free (guids);
  return guids != NULL;
}
