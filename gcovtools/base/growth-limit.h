/* Limits on how much a quantity may grow, as `--fail-if' has them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_GROWTH_LIMIT_H
#define HEAPPROF_GROWTH_LIMIT_H

#include <stdbool.h>

#define GROWTH_LIMIT_KEY_BYTES 32

/* KEY+NUMBER, KEY+NUMBER%, or with a minus sign.  */
struct growth_limit
{
  char key[GROWTH_LIMIT_KEY_BYTES];
  long double growth; /* negative after a minus sign, even if 0 */
  bool is_percent;
  const char *text; /* as given by the user */
};

/* Parse TEXT into *LIMIT.  Return false if it is invalid.  */
bool growth_limit_parse (const char *text, struct growth_limit *limit);

#endif /* HEAPPROF_GROWTH_LIMIT_H */
