/* Limits on how much a quantity may grow, as `--fail-if' has them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "growth-limit.h"
#include <stdlib.h>
#include <string.h>

/* Parse NUMBER or NUMBER% into LIMIT.  */
static bool
take_growth (const char *text, struct growth_limit *limit)
{
  char *end;
  if (*text < '0' || *text > '9')
    return false;
  limit->growth = strtold (text, &end);
  limit->is_percent = *end == '%';
  return end[limit->is_percent ? 1 : 0] == '\0';
}

bool
growth_limit_parse (const char *text, struct growth_limit *limit)
{
  size_t bytes = strcspn (text, "+-");
  if (text[bytes] == '\0' || bytes >= sizeof limit->key)
    return false;
  memcpy (limit->key, text, bytes);
  limit->key[bytes] = '\0';
  limit->text = text;
  if (!take_growth (text + bytes + 1, limit))
    return false;
  if (text[bytes] == '-')
    limit->growth = -limit->growth;
  return true;
}
