/* Text forms of frames: names of functions, locations, sites.
   SPDX-License-Identifier: GPL-3.0-or-later

   All texts are malloced, and NULL if memory is exhausted.  */

#ifndef HEAPPROF_FRAME_TEXT_H
#define HEAPPROF_FRAME_TEXT_H

#include "heap-report.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Return the name of FRAME's function in the form that the options of REPORT
   select; `MODULE+0xADDRESS' if it is unknown, `??' if there is no address.  */
char *frame_name_text (const struct heap_report *report,
		       const struct heap_frame *frame, bool with_parameters);

/* Return the location of FRAME with its preposition: ` at FILE:LINE', ` in
   MODULE' with the address there, the build of the module, or the line offset
   in the function.  */
char *frame_place_text (const struct heap_report *report,
			const struct heap_frame *frame);

/* Return the short form of frame SITE: `FUNCTION (FILE:LINE)'.  */
char *site_text (const struct heap_report *report, uint32_t site);

/* Return the linkage name of CONTEXT's innermost function, not malloced.  */
const char *linkage_name_of (const struct heap_report *report,
			     uint32_t context);

/* Write the frames of CONTEXT, innermost first, up to main, with counts of
   frames that the options of REPORT hide, to OUT, or to standard output. Return
   false if memory is exhausted.  */
bool write_calling_context (const struct heap_report *report, uint32_t context,
			    FILE *out);
bool print_calling_context (const struct heap_report *report, uint32_t context);

#endif /* HEAPPROF_FRAME_TEXT_H */
