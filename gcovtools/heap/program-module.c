/* Find the program among the modules of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "program-module.h"
#include "function-id.h"
#include <stdlib.h>
#include <string.h>

/* Evidence that a module is the program, strongest first.  */
struct evidence
{
  uint64_t with_main; /* tree nodes whose function is main */
  uint64_t outermost; /* outermost frames */
  uint64_t nodes;
};

/* Return true if NAME is a shared library, the dynamic linker, or mapped by the
   kernel.  */
static bool
is_library (const char *name)
{
  const char *suffix = strstr (name, ".so");
  return *name == '['
	 || (suffix != NULL && (suffix[3] == '\0' || suffix[3] == '.'));
}

static void
collect (const struct heap_profile *profile, struct evidence *modules)
{
  const uint64_t main_guid = function_guid ("main", strlen ("main"));
  const struct context_node *nodes = heap_profile_nodes (profile);
  uint32_t count = heap_profile_context_count (profile);
  for (uint32_t i = 1; i < count; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile, nodes[i].frame);
      struct evidence *module = &modules[frame->module];
      module->nodes++;
      module->with_main += frame->function_guid == main_guid;
      module->outermost += heap_profile_context_caller (profile, i) == 0;
    }
}

/* Return true if the evidence for A is stronger than for B.  */
static bool
is_better (const struct evidence *a, const struct evidence *b)
{
  if (a->with_main != b->with_main)
    return a->with_main > b->with_main;
  if (a->outermost != b->outermost)
    return a->outermost > b->outermost;
  return a->nodes > b->nodes;
}

uint32_t
program_module_find (const struct heap_profile *profile)
{
  uint32_t count = heap_profile_string_count (profile);
  struct evidence *modules = calloc ((size_t) count + 1, sizeof *modules);
  uint32_t best = 0;
  if (modules == NULL)
    return UINT32_MAX;
  collect (profile, modules);
  for (uint32_t i = 1; i < count; i++)
    {
      /* The program's file name may look like a library's.  */
      bool may_be = modules[i].nodes > 0
		    && (modules[i].with_main > 0
			|| !is_library (heap_profile_string (profile, i)));
      if (may_be && (best == 0 || is_better (&modules[i], &modules[best])))
	best = i;
    }
  free (modules);
  return best;
}
