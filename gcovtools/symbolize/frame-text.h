/* Text forms of frames: names of functions, locations, sites.
   SPDX-License-Identifier: GPL-3.0-or-later

   All texts are malloced, and NULL if memory is exhausted.  */

#ifndef HEAPPROF_FRAME_TEXT_H
#define HEAPPROF_FRAME_TEXT_H

#include "heap-report.h"
#include "shown-frames.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Return the name of FRAME's function in the form that the options of REPORT
   select; `MODULE+0xADDRESS' if it is unknown, `??' if there is no address.  */
char *frame_name_text (const struct heap_report *report,
		       const struct heap_frame *frame, bool with_parameters);

/* Return the name STRING of a data type in REPORT's profile: shortened, unless
   its options show names in full.  */
char *type_name_text (const struct heap_report *report, uint32_t string);

/* Return the location of FRAME with its preposition: ` at FILE:LINE', ` in
   MODULE' with the address there, the build of the module, or the line offset
   in the function.  */
char *frame_place_text (const struct heap_report *report,
			const struct heap_frame *frame);

/* Return the short form of frame SITE: `FUNCTION (FILE:LINE)'.  */
char *site_text (const struct heap_report *report, uint32_t site);

/* Return which wrappers were looked through according to USES, as one line
   without its end; an empty text if none was.  */
char *looked_through_text (const struct heap_report *report,
			   const struct wrapper_uses *uses);

/* Print this line on standard output, if it is not empty.  Return false if
   memory is exhausted.  */
bool print_looked_through (const struct heap_report *report,
			   const struct wrapper_uses *uses);

/* Return the linkage name of CONTEXT's innermost function, not malloced.  */
const char *linkage_name_of (const struct heap_report *report,
			     uint32_t context);

/* Return what SHOWN stands for besides its frame, each in parentheses and after
   a blank; empty if nothing.  */
char *shown_frame_text (const struct shown_frame *shown);

/* Write the frames of CONTEXT, innermost first, as people are to see them
   (shown-frames.h), to OUT, or to standard output.  Return false if memory is
   exhausted.  */
bool write_calling_context (const struct heap_report *report, uint32_t context,
			    FILE *out);
bool print_calling_context (const struct heap_report *report, uint32_t context);

#endif /* HEAPPROF_FRAME_TEXT_H */
