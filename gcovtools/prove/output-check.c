/* The standard output of runs, compared with that of the first run.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "output-check.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES 65536

static bool
open_file (FILE **file, bool is_kept, struct profile_error *err)
{
  *file = is_kept ? tmpfile () : fopen ("/dev/null", "we");
  if (*file == NULL)
    return profile_error_set_errno (err, NULL, "cannot make a temporary file",
				    errno);
  fcntl (fileno (*file), F_SETFD, FD_CLOEXEC);
  return true;
}

bool
output_check_start (struct output_check *check, bool is_compared, bool is_read,
		    struct profile_error *err)
{
  return open_file (&check->current, is_compared || is_read, err)
	 && (!is_compared || open_file (&check->first, true, err));
}

static bool
is_comparing (const struct output_check *check)
{
  return check->first != NULL && !check->has_varied;
}

int
output_check_file (const struct output_check *check)
{
  return fileno (is_comparing (check) && !check->has_first ? check->first
							   : check->current);
}

static uint64_t
file_bytes (FILE *file)
{
  struct stat status;
  return fstat (fileno (file), &status) == 0 ? (uint64_t) status.st_size : 0;
}

/* Return how many bytes at the start of A and B are equal.  */
static uint64_t
count_equal (FILE *a, FILE *b)
{
  char pieces[2][PIECE_BYTES];
  for (uint64_t at = 0;; at += PIECE_BYTES)
    {
      ssize_t in_a = pread (fileno (a), pieces[0], PIECE_BYTES, (off_t) at);
      ssize_t in_b = pread (fileno (b), pieces[1], PIECE_BYTES, (off_t) at);
      ssize_t both = in_a < in_b ? in_a : in_b;
      ssize_t i = 0;
      if (both < PIECE_BYTES || memcmp (pieces[0], pieces[1], PIECE_BYTES) != 0)
	{
	  while (i < both && pieces[0][i] == pieces[1][i])
	    i++;
	  return at + (uint64_t) i;
	}
    }
}

bool
output_check_compare (struct output_check *check, const char *name,
		      const char *first_name, struct profile_error *err)
{
  if (!is_comparing (check))
    return true;
  if (!check->has_first)
    {
      check->has_first = true;
      return true;
    }
  uint64_t bytes = file_bytes (check->current);
  uint64_t first_bytes = file_bytes (check->first);
  uint64_t equal = count_equal (check->current, check->first);
  if (equal == bytes && equal == first_bytes)
    return true;
  return profile_error_set (err, name, PROFILE_ERROR_NO_OFFSET,
			    "standard output (%" PRIu64
			    " bytes) differs from that of %s (%" PRIu64
			    " bytes) after %" PRIu64 " bytes",
			    bytes, first_name, first_bytes, equal);
}

void
output_check_stop (struct output_check *check)
{
  check->has_varied = true;
}

void
output_check_end (struct output_check *check, struct prove *prove)
{
  if (check->has_varied)
    prove->output = PROVE_OUTPUT_VARIES;
  else if (check->first != NULL)
    prove->output_bytes = file_bytes (check->first);
  if (check->first != NULL)
    fclose (check->first);
  if (check->current != NULL)
    fclose (check->current);
}
