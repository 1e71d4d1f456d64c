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

/* An attribute of the program in OTLP.  */
struct export_attribute
{
  const char *key;
  const char *text; /* NULL: NUMBER is the value */
  uint64_t number;
};

struct export_input
{
  const struct heap_report *report; /* flat */
  const struct frame_names *names;
  const char *title;	      /* names the source */
  uint32_t module;	      /* string ID of the program, 0: unknown */
  const char *program;	      /* its name, or TITLE if unknown */
  enum context_measure value; /* for formats with a single number */
  uint64_t end_unix_ns;	      /* Unix time when the newest input was written */
  const struct export_attribute *attributes; /* of OTLP's resource, which also
						has the service's name */
  size_t attribute_count;
  const char *service; /* that name; NULL: the program's */
};

/* Write INPUT to OUT, whose errors the caller handles.  Return false if memory
   is exhausted.  */
bool export_folded (const struct export_input *input, FILE *out);
bool export_pprof (const struct export_input *input, FILE *out);
bool export_otlp (const struct export_input *input, FILE *out);
bool export_speedscope (const struct export_input *input, FILE *out);
bool export_dhat (const struct export_input *input, FILE *out);
bool export_callgrind (const struct export_input *input, FILE *out);
bool export_massif (const struct export_input *input, FILE *out);
bool export_trace (const struct export_input *input, FILE *out);
bool export_csv (const struct export_input *input, FILE *out);
bool export_json (const struct export_input *input, FILE *out);

typedef bool export_form (const struct export_input *input, FILE *out);

/* Write INPUT, without its names and its program, which are found, by FORM;
   names WITH_PARAMETERS or without.  Return false if memory is exhausted.  */
bool export_write (export_form *form, const struct export_input *input,
		   bool with_parameters, FILE *out);

/* If some blocks are samples, write to TEXT of EXPORT_MARGINS_BYTES by how much
   the sums may be off; otherwise return false.  */
#define EXPORT_MARGINS_BYTES 240
bool export_margins (const struct export_input *input, char *text);

/* Copy SOURCE, flattened, to *REPORT, adding up contexts that look alike in the
   formats other than JSON.  Return false if memory is exhausted; release
   *REPORT in any case.  */
bool export_contexts_make (struct heap_report *report,
			   const struct heap_report *source);
void export_contexts_release (struct heap_report *report);

/* Formats other than JSON have no frames inside a context's site, and of
   neighbouring frames of the C++ library only the outermost.  Return the caller
   of NODE that they show; 0 if there is none.  */
uint32_t export_caller (const struct export_input *input, uint32_t node);

/* Return the frames of ENTRY from its site to the outermost, malloced, and
   store their number in *COUNT.  NULL if memory is exhausted.  */
uint32_t *export_frames (const struct export_input *input,
			 const struct report_entry *entry, size_t *count);

#endif /* HEAPPROF_EXPORT_H */
