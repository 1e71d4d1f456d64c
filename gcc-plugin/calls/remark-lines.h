/* Remarks for programs: an object of JSON a line (doc/remarks-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later

   They are kept until the compiler is done, and go to the file that the user
   named.  */

#ifndef HEAPPROF_REMARK_LINES_H
#define HEAPPROF_REMARK_LINES_H

struct remark_lines
{
  const char *path; /* not owned */
  const char *kind; /* likewise: what they are about */
  FILE *out;	    /* NULL if none are wanted */
  char *text;
  size_t bytes;
};

/* The place of a call: the function that has it in the source, and where.  */
struct remark_place
{
  const char *function;
  const char *file;
  int line;
  int column;
};

/* Collect LINES of KIND for the file PATH; or none, if that is NULL.  */
void remark_lines_open (remark_lines *lines, const char *path,
			const char *kind);

/* Write them to the file, unless there were errors, and release LINES.  */
void remark_lines_close (remark_lines *lines);

/* Begin the object of the call at PLACE of this unit; its end is the
   caller's.  */
void remark_begin (FILE *out, const remark_place &place);

/* Add ,"KEY":"TEXT".  */
void remark_field (FILE *out, const char *key, const char *text);

/* The beginning of the list KEY of names, or its next one; and its end, if it
   is not empty.  */
void remark_name (FILE *out, const char *key, bool is_first, const char *name);
void remark_end_names (FILE *out, bool is_empty);

/* Add the list KEY of FUNCTIONS but for the first, if there are more.  */
void remark_outer_functions (FILE *out, const char *key,
			     const vec<tree> &functions);

#endif /* HEAPPROF_REMARK_LINES_H */
