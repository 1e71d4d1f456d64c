/* Fast path for table entries that recur in file after file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "counter-repeat.h"
#include "counter-tables.h"
#include <string.h>

bool
counter_repeat_learn (struct counter_profile *profile, const uint8_t *head,
		      size_t n)
{
  struct counter_name *name = profile->last_name;
  if (!name->head)
    {
      name->head = objalloc_alloc (profile->arena, n);
      name->head_bytes = n;
      name->plain = counter_profile_first_function (profile, name->number);
    }
  return name->head && memcpy (name->head, head, n);
}

size_t
counter_repeat_take (struct counter_profile *profile, const uint8_t *entry,
		     size_t left)
{
  static const uint64_t tail[] = COUNTER_REPEAT_TAIL;
  struct counter_name *name
    = profile->last_name ? profile->last_name->successor : NULL;
  if (!name || !name->head)
    return 0;
  size_t counters_bytes = name->plain->shape.counter_count * sizeof (uint64_t);
  size_t n = name->head_bytes + counters_bytes + sizeof tail;
  const uint8_t *counters = entry + name->head_bytes;
  if (left < n || memcmp (entry, name->head, name->head_bytes) != 0
      || memcmp (counters + counters_bytes, tail, sizeof tail) != 0)
    return 0;
  uint64_t first = 0;
  if (counters_bytes > 0)
    memcpy (&first, counters, sizeof first);
  if (counter_is_pseudo (first))
    return 0;
  counter_function_add_counters (name->plain, counters, 1);
  profile->last_name = name;
  return n;
}
