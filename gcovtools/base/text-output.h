/* Output of text from profiles and command lines, escaped as in plain-text.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TEXT_OUTPUT_H
#define HEAPPROF_TEXT_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

/* Write TEXT to OUT.  */
void write_text (const char *text, FILE *out);

/* Write the N bytes at TEXT, also escaping the ASCII characters in MARKS, which
   have a meaning in the output format.  */
void write_text_bytes (const char *text, size_t n, const char *marks,
		       FILE *out);

/* Write the N bytes at TEXT, a line of source: keep tabs, drop a final carriage
   return.  */
void write_source_line (const char *text, size_t n, FILE *out);

/* Write TEXT to standard output.  */
void print_text (const char *text);

#endif /* HEAPPROF_TEXT_OUTPUT_H */
