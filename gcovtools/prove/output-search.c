/* Texts in the output of a command that is running.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "output-search.h"
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES 65536

bool
output_search_find (struct output_search *search, const char *text)
{
  const size_t length = strlen (text);
  char piece[PIECE_BYTES];
  ssize_t count;
  while ((count = pread (search->file, piece, sizeof piece, search->at))
	 >= (ssize_t) length)
    {
      const char *found = memmem (piece, (size_t) count, text, length);
      if (found != NULL)
	{
	  search->at += found - piece + (off_t) length;
	  return true;
	}
      /* The start of TEXT may be at the end.  */
      search->at += count - (off_t) length + 1;
    }
  return false;
}
