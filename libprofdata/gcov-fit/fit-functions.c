/* Which functions of a newer version of a program are which of the older one.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function of the same unit and name is the same.  Of those that are left,
   one of that name in another unit is, if it is the only one; then those that
   are similar.  */

#include "fit-functions.h"
#include "fit-keys.h"
#include "fit-similar.h"
#include <stdlib.h>

static void
take_same_names (struct fit_functions *functions, struct fit_keys *keys,
		 const struct gcov_fit_after *units)
{
  if (!fit_keys_list (keys, functions, false))
    return;
  for (size_t i = 0; i < functions->after_count; i++)
    {
      struct fit_after *after = &functions->after[i];
      struct fit_key key
	= { after->notes->name, 0, units[after->unit].before, 0 };
      if (key.unit == GCOV_FIT_NEW)
	continue;
      for (size_t k = fit_keys_find (keys, &key);
	   k < keys->count && fit_keys_compare_names (&keys->keys[k], &key) == 0
	   && keys->keys[k].unit == key.unit;
	   k++)
	if (!fit_lists_is_taken (functions, keys->keys[k].function))
	  {
	    fit_lists_take (functions, after, keys->keys[k].function);
	    break;
	  }
    }
}

/* Functions that moved to another unit.  */
static void
take_moved (struct fit_functions *functions, struct fit_keys *keys)
{
  if (!fit_keys_list (keys, functions, false))
    return;
  for (size_t i = 0; i < functions->after_count; i++)
    {
      struct fit_after *after = &functions->after[i];
      struct fit_key key = { after->notes->name, 0, 0, 0 };
      if (after->before != FIT_NO_FUNCTION)
	continue;
      size_t found = FIT_NO_FUNCTION;
      size_t left = 0;
      for (size_t k = fit_keys_find (keys, &key);
	   k < keys->count
	   && fit_keys_compare_names (&keys->keys[k], &key) == 0;
	   k++)
	if (!fit_lists_is_taken (functions, keys->keys[k].function))
	  {
	    found = keys->keys[k].function;
	    left++;
	  }
      if (left == 1)
	fit_lists_take (functions, after, found);
    }
}

bool
fit_functions_find (struct fit_functions *functions,
		    const struct gcov_fit_before *before, size_t n,
		    const struct gcov_fit_after *after, size_t m)
{
  struct fit_keys keys = { 0 };
  if (!fit_lists_make (functions, before, n, after, m))
    return false;
  keys.keys = calloc (functions->before_count + 1, sizeof *keys.keys);
  bool is_done = keys.keys != NULL;
  if (is_done)
    {
      take_same_names (functions, &keys, after);
      take_moved (functions, &keys);
      is_done = fit_similar_take (functions, &keys, after);
    }
  free (keys.keys);
  return is_done;
}
