/* The JSON form of `show', written to a file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "export.h"
#include "show.h"

bool
export_json (const struct export_input *input, FILE *out)
{
  if (!show_heap_json (input->report, out))
    return false;
  fputs ("}\n", out);
  return true;
}
