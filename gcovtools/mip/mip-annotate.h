/* Source text annotated with what ran.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_ANNOTATE_H
#define HEAPPROF_MIP_ANNOTATE_H

#include "mip-lines.h"
#include <stdbool.h>

struct mip_annotation
{
  const char
    *source; /* only this file, which may be the end of a path; NULL: all */
  bool has_blocks; /* print the blocks that start on each line */
};

/* Print the files of LINES as text or JSON.  The JSON function returns false if
   memory is exhausted.  */
void mip_annotate_text (const struct mip_profile *profile,
			const struct mip_lines *lines,
			const struct mip_annotation *annotation);
bool mip_annotate_json (const struct mip_profile *profile,
			const struct mip_lines *lines,
			const struct mip_annotation *annotation);

#endif /* HEAPPROF_MIP_ANNOTATE_H */
