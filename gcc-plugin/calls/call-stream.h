/* Data of calls in objects for LTO.
   SPDX-License-Identifier: GPL-3.0-or-later

   The data of a unit are in a section of the object that is named like that of
   a function, because the kinds of sections are fixed in GCC.  All numbers are
   unsigned LEB128; texts are their length and bytes.  Functions are numbers in
   the object's symbol table, calls are positions in their function: direct
   calls first, then indirect ones, in the order of the call graph, which LTO
   preserves.  */

#ifndef HEAPPROF_CALL_STREAM_H
#define HEAPPROF_CALL_STREAM_H

void call_stream_write_number (lto_output_stream *stream, uint64_t number);
void call_stream_write_text (lto_output_stream *stream, const char *text);

/* Write all functions of the unit that have calls for which WANTED is true,
   with the data that WRITE writes for each of these calls.  */
void call_stream_write_functions (lto_output_stream *stream,
				  bool (*wanted) (cgraph_edge *call),
				  void (*write) (lto_output_stream *stream,
						 cgraph_edge *call));

/* Make the contents of STREAM the section NAME.  */
void call_stream_write_section (const char *name, lto_output_stream *stream);

uint64_t call_stream_read_number (lto_input_block *input);

/* Read a number of items, each of which takes at least one byte.  */
unsigned call_stream_read_count (lto_input_block *input);

/* Read the number VERSION of the data's format.  Report an error and return
   false if it is another one.  */
bool call_stream_read_version (lto_input_block *input, lto_file_decl_data *file,
			       unsigned version);

/* Read a text and return its *LENGTH bytes, without a NUL.  */
const char *call_stream_read_text (lto_input_block *input, unsigned *length);

/* Read what call_stream_write_functions wrote to FILE.  READ is called with
   NULL for a call that no longer exists.  */
void call_stream_read_functions (lto_input_block *input,
				 lto_file_decl_data *file,
				 void (*read) (lto_input_block *input,
					       cgraph_edge *call));

/* Call READ for each object of the link that has the section NAME, until it
   returns false.  */
void call_stream_read_sections (const char *name,
				bool (*read) (lto_input_block *input,
					      lto_file_decl_data *file));

#endif /* HEAPPROF_CALL_STREAM_H */
