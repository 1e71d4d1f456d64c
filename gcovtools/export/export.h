/* The formats in which `export' writes a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_EXPORT_H
#define HEAPPROF_EXPORT_H

#include "context-match.h"
#include "frame-names.h"
#include "heap-report.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct export_input
{
  const struct heap_report *report; /* flat */
  const struct frame_names *names;
  const char *title;	      /* what it was made from */
  uint32_t module;	      /* string id of the program, 0: not known */
  const char *program;	      /* its name, or TITLE if that is not known */
  enum context_measure value; /* for formats with one number */
};

/* Write INPUT to OUT, where errors need no care.  False if memory is
   exhausted.  */
bool export_folded (const struct export_input *input, FILE *out);
bool export_pprof (const struct export_input *input, FILE *out);
bool export_speedscope (const struct export_input *input, FILE *out);
bool export_dhat (const struct export_input *input, FILE *out);
bool export_callgrind (const struct export_input *input, FILE *out);
bool export_csv (const struct export_input *input, FILE *out);
bool export_json (const struct export_input *input, FILE *out);

/* The frames of CONTEXT, outermost first, malloced, and how many they are. NULL
   if memory is exhausted.  */
uint32_t *export_frames (const struct heap_profile *profile, uint32_t context,
			 size_t *count);

#endif /* HEAPPROF_EXPORT_H */
