/* Print the frames of addresses in a binary; heapprof.tools/debug-files.exp
   compares them with the results of other tools.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: print-frames BINARY [DEBUG-DIRECTORIES] < ADDRESSES

   Each input line is an address in BINARY as linked, a number in C's syntax.
   Prints the address in hexadecimal, then a line for each frame, innermost
   first: function, file, line, column and discriminator, separated by tabs.  */

#include "symbolizer.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Print the directory to which FILE of FRAME is relative, followed by a slash,
   unless it is absolute.  */
static void
print_directory (const struct symbolizer_frame *frame)
{
  if (frame->directory != NULL)
    printf ("%s/", frame->directory);
}

static void
print_frame (const struct symbolizer_frame *frame)
{
  if (frame->function != NULL)
    printf ("%.*s\t", (int) frame->function_bytes, frame->function);
  else
    printf ("??\t");
  print_directory (frame);
  printf ("%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n",
	  frame->file != NULL ? frame->file : "??", frame->line, frame->column,
	  frame->discriminator);
}

static bool
print_address (struct symbolizer *symbolizer, uint64_t address)
{
  const struct symbolizer_frame *frames;
  size_t count = symbolizer_lookup (symbolizer, address, &frames);
  printf ("0x%" PRIx64 "\n", address);
  for (size_t i = 0; i < count; i++)
    print_frame (&frames[i]);
  return count > 0;
}

int
main (int argc, char **argv)
{
  struct profile_error err = { 0 };
  char line[100];
  bool is_done = true;
  if (argc != 2 && argc != 3)
    return 2;
  struct object_file *file = object_file_open (argv[1], argv[2], &err);
  if (file == NULL)
    {
      fprintf (stderr, "%s: %s\n", err.path, err.cause);
      return 1;
    }
  struct symbolizer *symbolizer = symbolizer_open (file);
  if (symbolizer == NULL)
    return 1;
  while (is_done && fgets (line, sizeof line, stdin) != NULL)
    is_done = print_address (symbolizer, strtoull (line, NULL, 0));
  const char *problem = symbolizer_problem (symbolizer, 0);
  if (problem != NULL)
    fprintf (stderr, "%s: %s\n", argv[1], problem);
  symbolizer_close (symbolizer);
  return is_done ? 0 : 1;
}
