/* Frames in words: names of functions, places, sites.
   SPDX-License-Identifier: GPL-3.0-or-later

   All texts are malloced, and NULL if memory is exhausted.  */

#ifndef HEAPPROF_FRAME_TEXT_H
#define HEAPPROF_FRAME_TEXT_H

#include "heap-report.h"
#include <stdbool.h>
#include <stdint.h>

/* The name of FRAME's function as the options of REPORT want it.  If that is
   not known, `MODULE+0xADDRESS', or `??' without an address.  */
char *frame_name_text (const struct heap_report *report,
		       const struct heap_frame *frame, bool with_parameters);

/* Where FRAME stands, with its preposition: ` at FILE:LINE', ` in MODULE' and
   its address there, the build of the MODULE, or how far into the function.  */
char *frame_place_text (const struct heap_report *report,
			const struct heap_frame *frame);

/* The frame with the id SITE in short: `FUNCTION (FILE:LINE)'.  */
char *site_text (const struct heap_report *report, uint32_t site);

/* The linkage name of the innermost function of CONTEXT, not malloced.  */
const char *linkage_name_of (const struct heap_report *report,
			     uint32_t context);

/* Print the frames of CONTEXT, innermost first, up to main; what the options of
   REPORT leave out is counted.  False if memory is exhausted.  */
bool print_calling_context (const struct heap_report *report, uint32_t context);

#endif /* HEAPPROF_FRAME_TEXT_H */
