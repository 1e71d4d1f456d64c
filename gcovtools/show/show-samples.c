/* Printing of samples by `show'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show-samples.h"
#include "sample-text.h"
#include <stdio.h>
#include <stdlib.h>

static bool
matches (const struct sample_profile *samples,
	 const struct sample_function *function, void *data)
{
  const char *name = sample_profile_name (samples, function->name);
  return name != NULL && pattern_list_matches (data, name);
}

bool
show_samples_text (const struct sample_profile *samples,
		   const struct pattern_list *function)
{
  const struct sample_text_options options
    = { .for_people = true,
	.is_wanted = function != NULL ? matches : NULL,
	.data = (void *) function };
  struct profile_error ignored;
  void *text;
  size_t size;
  if (!sample_text_serialize (samples, &options, &text, &size, &ignored))
    return false;
  fwrite (text, 1, size, stdout);
  free (text);
  return true;
}
