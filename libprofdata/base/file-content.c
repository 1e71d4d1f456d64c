/* A complete file in memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "file-content.h"
#include "large-memory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Initial buffer size: the file's size plus one byte, so that end of file is
   detected without growing; some for a pipe.  */
static size_t
first_capacity (const struct stat *status)
{
  if (!S_ISREG (status->st_mode) || status->st_size < 0)
    return 65536;
  return (size_t) status->st_size + 1;
}

/* Append the content of FD to *DATA, up to its end or LIMIT bytes.  */
static bool
read_to_end (int fd, const char *path, size_t capacity, size_t limit,
	     char **data, size_t *size, struct profile_error *err)
{
  *size = 0;
  *data = malloc (capacity);
  if (!*data)
    return profile_error_set_memory (err, path);
  large_memory_advise (*data, capacity);
  while (*size < limit)
    {
      ssize_t n = read (fd, *data + *size, capacity - *size);
      if (n < 0 && errno == EINTR)
	continue;
      if (n < 0)
	return profile_error_set_errno (err, path, "cannot read", errno);
      if (n == 0)
	return true;
      *size += n;
      if (*size < capacity || *size >= limit)
	continue;
      capacity += capacity / 2 + 4096;
      char *larger = realloc (*data, capacity);
      if (!larger)
	return profile_error_set_memory (err, path);
      *data = larger;
    }
  return true;
}

/* Return false and set *ERR for a device: some never end, and none is a
   profile.  */
static bool
is_no_device (const struct stat *status, const char *path,
	      struct profile_error *err)
{
  if (!S_ISCHR (status->st_mode) && !S_ISBLK (status->st_mode))
    return true;
  return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			    "cannot read a device (expected a file)");
}

/* Read FD, named PATH in errors, up to its end or N bytes.  */
static bool
read_file (int fd, const char *path, size_t n, void **data, size_t *size,
	   struct profile_error *err)
{
  struct stat status;
  char *content = NULL;
  bool done = (fstat (fd, &status) == 0
	       || profile_error_set_errno (err, path, "cannot stat", errno));
  done = done && is_no_device (&status, path, err);
  size_t capacity = done ? first_capacity (&status) : 0;
  done = done
	 && read_to_end (fd, path, capacity < n ? capacity : n, n, &content,
			 size, err);
  if (!done)
    {
      free (content);
      return false;
    }
  *data = content;
  return true;
}

bool
file_content_read_start (const char *path, size_t n, void **data, size_t *size,
			 struct profile_error *err)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return profile_error_set_errno (err, path, "cannot open", errno);
  bool done = read_file (fd, path, n, data, size, err);
  close (fd);
  return done;
}

bool
file_content_read_stdin (const char *path, void **data, size_t *size,
			 struct profile_error *err)
{
  return read_file (STDIN_FILENO, path, SIZE_MAX, data, size, err);
}

bool
file_content_read (const char *path, void **data, size_t *size,
		   struct profile_error *err)
{
  return file_content_read_start (path, SIZE_MAX, data, size, err);
}
