/* Functions before without a counterpart, sorted by name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fit-keys.h"
#include "plain-name.h"
#include <stdlib.h>
#include <string.h>

int
fit_keys_compare_names (const struct fit_key *a, const struct fit_key *b)
{
  if (a->name != NULL && b->name != NULL)
    return strcmp (a->name, b->name);
  return (a->hash > b->hash) - (a->hash < b->hash);
}

static int
compare_keys (const void *element1, const void *element2)
{
  const struct fit_key *a = element1;
  const struct fit_key *b = element2;
  int order = fit_keys_compare_names (a, b);
  if (order == 0)
    order = (a->unit > b->unit) - (a->unit < b->unit);
  return order != 0 ? order
		    : (a->function > b->function) - (a->function < b->function);
}

size_t
fit_keys_find (const struct fit_keys *keys, const struct fit_key *key)
{
  size_t low = 0;
  size_t high = keys->count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (compare_keys (&keys->keys[middle], key) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

bool
fit_keys_list (struct fit_keys *keys, const struct fit_functions *functions,
	       bool is_plain)
{
  keys->count = 0;
  for (size_t i = 0; i < functions->before_count; i++)
    {
      const struct fit_before *before = &functions->before[i];
      if (fit_lists_is_taken (functions, i) || before->name == NULL)
	continue;
      struct fit_key key
	= { is_plain ? NULL : before->name,
	    is_plain ? plain_name_hash (before->name) : 0, before->unit, i };
      if (!is_plain || key.hash != 0)
	keys->keys[keys->count++] = key;
    }
  qsort (keys->keys, keys->count, sizeof *keys->keys, compare_keys);
  return keys->count > 0;
}
