/* Output files that appear complete or not at all.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "atomic-file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The disk starts writing one piece while the next is handed over.  */
#define PIECE_BYTES (2u << 20)

static bool
write_all (int fd, const char *path, const void *data, size_t size,
	   struct profile_error *err)
{
  const char *bytes = data;
  for (size_t done = 0; done < size;)
    {
      size_t left = size - done;
      ssize_t n
	= write (fd, bytes + done, left < PIECE_BYTES ? left : PIECE_BYTES);
      if (n >= 0)
	{
	  /* Fails for anything that is not a file on a disk, which is
	     harmless.  */
	  (void) sync_file_range (fd, done, n, SYNC_FILE_RANGE_WRITE);
	  done += n;
	}
      else if (errno != EINTR)
	return profile_error_set_errno (err, path, "cannot write", errno);
    }
  return true;
}

/* Close FD.  A failure counts only if everything before succeeded.  */
static bool
close_file (int fd, const char *path, bool done, struct profile_error *err)
{
  if (close (fd) == 0 || !done)
    return done;
  return profile_error_set_errno (err, path, "cannot close", errno);
}

static bool
write_directly (const char *path, const void *data, size_t size,
		struct profile_error *err)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return profile_error_set_errno (err, path, "cannot open", errno);
  return close_file (fd, path, write_all (fd, path, data, size, err), err);
}

/* Return the number of the SIZE bytes at DATA before the zeros at their end, of
   which raw profiles may have very many; SIZE if they are few.  */
static size_t
size_without_zeros (const void *data, size_t size)
{
  const char *bytes = data;
  size_t used = size;
  while (used > 0 && bytes[used - 1] == 0)
    used--;
  return size - used < PIECE_BYTES ? size : used;
}

/* Write the SIZE bytes at DATA to FD, an empty file, without taking disk space
   for many zeros at their end.  */
static bool
write_new (int fd, const char *path, const void *data, size_t size,
	   struct profile_error *err)
{
  const size_t used = size_without_zeros (data, size);
  if (!write_all (fd, path, data, used, err))
    return false;
  if (used < size && ftruncate (fd, (off_t) size) != 0)
    return profile_error_set_errno (err, path, "cannot write", errno);
  return true;
}

/* Write TEMPORARY and rename it to TARGET.  PATH is the caller's name for the
   file, used in errors.  */
static bool
write_renamed (const char *path, const char *temporary, const char *target,
	       const void *data, size_t size, struct profile_error *err)
{
  /* A file found here can only be left from an earlier process, and a link
     planted by someone else must not be followed.  */
  unlink (temporary);
  int fd = open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return profile_error_set_errno (err, path, "cannot create", errno);
  bool done = write_new (fd, path, data, size, err);
  if (done && fsync (fd) != 0)
    done = profile_error_set_errno (err, path, "cannot write", errno);
  done = close_file (fd, path, done, err);
  if (done && rename (temporary, target) != 0)
    done = profile_error_set_errno (err, path, "cannot rename", errno);
  if (!done)
    unlink (temporary);
  return done;
}

bool
atomic_file_write (const char *path, const void *data, size_t size,
		   struct profile_error *err)
{
  struct stat status;
  bool exists = stat (path, &status) == 0;
  if (exists && S_ISDIR (status.st_mode))
    return profile_error_set_errno (err, path, "cannot write", EISDIR);
  if (exists && !S_ISREG (status.st_mode))
    return write_directly (path, data, size, err);
  char *target = exists ? realpath (path, NULL) : NULL;
  char *temporary;
  if (asprintf (&temporary, "%s.tmp.%ld", target ? target : path,
		(long) getpid ())
      < 0)
    {
      free (target);
      return profile_error_set_memory (err, path);
    }
  bool done
    = write_renamed (path, temporary, target ? target : path, data, size, err);
  free (temporary);
  free (target);
  return done;
}
