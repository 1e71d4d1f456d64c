/* Texts in the output of a command that is running.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_OUTPUT_SEARCH_H
#define HEAPPROF_OUTPUT_SEARCH_H

#include <stdbool.h>
#include <sys/types.h>

/* A file that a command writes, and the part that has been searched.  */
struct output_search
{
  int file;
  off_t at; /* where the rest starts */
};

/* Search for TEXT, which is not empty, in what SEARCH's file has by now.  If it
   is there, the rest starts after it.  */
bool output_search_find (struct output_search *search, const char *text);

#endif /* HEAPPROF_OUTPUT_SEARCH_H */
