/* Printing of samples by `show'.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SHOW_SAMPLES_H
#define HEAPPROF_SHOW_SAMPLES_H

#include "pattern-list.h"
#include "sample-profile.h"
#include <stdbool.h>

/* Print the functions of SAMPLES whose name matches FUNCTION (NULL: all) as
   LLVM's text; a name known only as GUID is printed as GUID.  Return false if
   memory is exhausted.  */
bool show_samples_text (const struct sample_profile *samples,
			const struct pattern_list *function);

#endif /* HEAPPROF_SHOW_SAMPLES_H */
