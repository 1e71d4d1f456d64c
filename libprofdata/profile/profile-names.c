/* Names that one family of a profile can supply to another.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcov-names.h"
#include "profile.h"
#include <stdlib.h>
#include <string.h>

/* Return true if NAME may be the name of a public function.  Names of local
   functions include the file.  */
static bool
may_be_public (const char *name)
{
  return *name != '\0' && *name != '?' && !strpbrk (name, ";:");
}

/* Append the names of COUNTERS to *NAMES.  */
static void
list_counters (const struct counter_profile *counters, const char ***names)
{
  uint32_t count = counter_profile_name_count (counters);
  for (uint32_t i = 0; i < count; i++)
    {
      const char *name = counter_profile_name (counters, i);
      if (may_be_public (name))
	*(*names)++ = name;
    }
}

/* Append the function names of HEAP to *NAMES.  */
static void
list_heap (const struct heap_profile *heap, const char ***names)
{
  uint32_t count = heap_profile_frame_count (heap);
  for (uint32_t i = 0; i < count; i++)
    {
      uint32_t string = heap_profile_frame (heap, i)->function_name;
      const char *name = heap_profile_string (heap, string);
      if (may_be_public (name))
	*(*names)++ = name;
    }
}

bool
profile_name_functions (struct profile *profile)
{
  if (!profile->gcov)
    return true;
  size_t most = 1;
  if (profile->counters)
    most += counter_profile_name_count (profile->counters);
  if (profile->heap)
    most += heap_profile_frame_count (profile->heap);
  const char **names = calloc (most, sizeof *names);
  if (!names)
    return false;
  const char **end = names;
  if (profile->counters)
    list_counters (profile->counters, &end);
  if (profile->heap)
    list_heap (profile->heap, &end);
  bool done = gcov_names_complete (profile->gcov, names, end - names);
  free (names);
  return done;
}
