/* Machine-readable remarks: one JSON object per line (doc/remarks-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later

   Remarks are buffered until the compilation ends, then written to the file
   that the user named.  */

#ifndef HEAPPROF_REMARK_LINES_H
#define HEAPPROF_REMARK_LINES_H

struct remark_lines
{
  const char *path;	/* not owned */
  const char *kind;	/* subject of the remarks; not owned */
  FILE *out;		/* NULL if no remarks are wanted */
  unsigned token_calls; /* calls of the unit that set context tokens */
  char *text;
  size_t bytes;
};

/* The place of a call in the source, and the function that contains it.  */
struct remark_place
{
  const char *function;
  const char *file;
  int line;
  int column;
};

/* Start collecting LINES of KIND for the file PATH; collect nothing if PATH is
   NULL.  */
void remark_lines_open (remark_lines *lines, const char *path,
			const char *kind);

/* Write LINES to their file, unless there were errors, and release them.  */
void remark_lines_close (remark_lines *lines);

/* Begin the object for the call at PLACE of this unit.  The caller ends it.  */
void remark_begin (FILE *out, const remark_place &place);

/* Add ,"KEY":"TEXT".  */
void remark_field (FILE *out, const char *key, const char *text);

/* Begin the list KEY of names, or add a name to it; and end it, unless it is
   empty.  */
void remark_name (FILE *out, const char *key, bool is_first, const char *name);
void remark_end_names (FILE *out, bool is_empty);

/* Return the linkage names of all FUNCTIONS except the first, separated by
   blanks, malloced.  */
char *remark_outer_names (const vec<tree> &functions);

/* Add the list KEY of NAMES, which are separated by blanks, if there are
   any.  */
void remark_split_names (FILE *out, const char *key, const char *names);

/* Add the list KEY of all FUNCTIONS except the first, if there are any.  */
void remark_outer_functions (FILE *out, const char *key,
			     const vec<tree> &functions);

#endif /* HEAPPROF_REMARK_LINES_H */
