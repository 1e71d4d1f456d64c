/* Cold, not cold or hot: what the blocks of a calling context are.
   SPDX-License-Identifier: GPL-3.0-or-later

   The formulae and values are LLVM's.  All is computed in single precision, as
   there, so that what is at a threshold falls to the same side.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "memory-info.h"
#include "use-class.h"

/* LLVM's: 200 seconds.  */
static double default_cold_lifetime_ms = 200000;

void
use_set_cold_lifetime (double milliseconds)
{
  default_cold_lifetime_ms = milliseconds;
}

hint_class
use_classify (tree fields)
{
  const heap_use_arguments &use = arguments.use;
  float count = use_mib_field (fields, MEMORY_INFO_ALLOC_COUNT);
  float lifetime_ms = use_mib_field (fields, MEMORY_INFO_TOTAL_LIFETIME);
  float density
    = use_mib_field (fields, MEMORY_INFO_TOTAL_LIFETIME_ACCESS_DENSITY);
  float cold_lifetime_ms = (use.cold_lifetime_ms < 0
			    ? default_cold_lifetime_ms
			    : use.cold_lifetime_ms);

  if (count == 0)
    return HINT_NOT_COLD;
  density = density / count / 100;
  if (density < (float) use.cold_density
      && lifetime_ms / count >= cold_lifetime_ms)
    return HINT_COLD;
  return density > (float) use.hot_density ? HINT_HOT : HINT_NOT_COLD;
}

int
use_hint_value (hint_class hint)
{
  static const int values[] = { 0, 1, 128, 254 };

  return values[hint];
}

const char *
use_hint_name (hint_class hint)
{
  static const char *const names[] = { "none", "cold", "notcold", "hot" };

  return names[hint];
}
