/* Dumps of the heap profile data of calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_DUMP_H
#define HEAPPROF_USE_DUMP_H

/* The nodes of a dump file, and how many of them have been written.  */
struct use_dump
{
  auto_vec<char *> nodes; /* texts, by number */
  unsigned printed;	  /* nodes that are in the file */
  bool has_schema;
};

/* Print to FILE the calls of FUN that the profile knows, and the nodes that
   have not been printed yet.  */
void use_dump_function (FILE *file, use_dump *dump, function *fun);

#endif /* HEAPPROF_USE_DUMP_H */
