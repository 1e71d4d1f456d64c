/* Text from profiles and command lines, written as plain-text.h says.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TEXT_OUTPUT_H
#define HEAPPROF_TEXT_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

/* Write TEXT to OUT.  */
void write_text (const char *text, FILE *out);

/* The N bytes at TEXT, of which ASCII in MARKS has a meaning in the format and
   is escaped, too.  */
void write_text_bytes (const char *text, size_t n, const char *marks,
		       FILE *out);

/* The N bytes at TEXT, a line of source: its tabs stay, and a carriage return
   that ends it is left out.  */
void write_source_line (const char *text, size_t n, FILE *out);

/* TEXT on standard output.  */
void print_text (const char *text);

#endif /* HEAPPROF_TEXT_OUTPUT_H */
