/* Remark files, which the units of a program share.
   SPDX-License-Identifier: GPL-3.0-or-later

   A section is appended with one write.  To drop an older section of the same
   unit, or what a killed compiler left, the file is rewritten and renamed into
   place.  So by the time a lock is granted, the locked file may no longer be
   the one that its name refers to.  */

#include "gcc-compat.h"
#include "atomic-file.h"
#include "file-content.h"
#include "remark-file.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char header_start[] = "{\"remarks\":";

/* True if PATH still names the file that FD has open.  */
static bool
named_p (int fd, const char *path)
{
  struct stat own;
  struct stat named;

  return (fstat (fd, &own) == 0 && stat (path, &named) == 0
	  && own.st_dev == named.st_dev && own.st_ino == named.st_ino);
}

/* Open the regular file PATH, creating it if necessary, and lock it; other
   processes wait.  Where files cannot be locked, continue without a lock.
   Return -1 on failure.  */
static int
open_locked (const char *path)
{
  for (;;)
    {
      int fd = open (path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
      if (fd < 0)
	return -1;
      while (flock (fd, LOCK_EX) != 0 && errno == EINTR)
	;
      if (named_p (fd, path))
	return fd;
      close (fd);
    }
}

/* Return the end of the line at TEXT, after its newline; NULL if there is no
   newline before END.  */
static const char *
line_end (const char *text, const char *end)
{
  const void *newline = memchr (text, '\n', end - text);

  return newline ? (const char *) newline + 1 : NULL;
}

static bool
header_p (const char *text, const char *end)
{
  const size_t n = sizeof header_start - 1;

  return (size_t) (end - text) >= n && !memcmp (text, header_start, n);
}

/* Return the end of the section at TEXT; NULL if it is incomplete.  */
static const char *
section_end (const char *text, const char *end)
{
  unsigned long lines = strtoul (text + sizeof header_start - 1, NULL, 10) + 1;

  for (; lines > 0 && text; lines--)
    if (text == end || !(text = line_end (text, end)))
      return NULL;
    else if (lines > 1 && header_p (text, end))
      return NULL;
  return text;
}

/* True if the section from TEXT to END belongs to the unit IDENTITY.  */
static bool
section_of_p (const char *text, const char *end, const char *identity)
{
  const char *rest = (const char *) memchr (text, ',', end - text);
  const size_t n = strlen (identity);

  return (rest && (size_t) (end - rest) > n && !memcmp (rest, identity, n)
	  && (rest[n] == ',' || rest[n] == '}'));
}

/* Append to KEPT the complete sections between TEXT and END that do not belong
   to the unit IDENTITY.  */
static void
keep_others (FILE *kept, const char *text, const char *end,
	     const char *identity)
{
  while (text && text < end)
    {
      const char *next
	= (header_p (text, end) ? section_end (text, end) : NULL);
      if (next && !section_of_p (text, next, identity))
	fwrite (text, 1, next - text, kept);
      text = next ? next : line_end (text, end);
    }
}

/* Append the BYTES at TEXT to FD, the file PATH.  */
static bool
append (int fd, const char *path, const char *text, size_t bytes,
	profile_error *err)
{
  while (bytes > 0)
    {
      ssize_t n = write (fd, text, bytes);
      if (n < 0 && errno != EINTR)
	return profile_error_set_errno (err, path, "cannot write", errno);
      text += MAX (n, 0);
      bytes -= MAX (n, 0);
    }
  return true;
}

/* Write OWN, the section of the unit IDENTITY, of BYTES, to FD, the file PATH
   whose contents are the SIZE bytes at OLD.  A file without sections is
   replaced if it holds remarks of older versions.  */
static bool
write_section (int fd, const char *path, const char *identity, const char *own,
	       size_t bytes, const char *old, size_t size, profile_error *err)
{
  char *kept = NULL;
  size_t kept_bytes = 0;

  if (size > 0 && old[0] != '{' && old[0] != '\n')
    return profile_error_set (err, path, 0, "existing file has no remarks");
  FILE *out = open_memstream (&kept, &kept_bytes);
  keep_others (out, old, old + size, identity);
  fflush (out);
  bool is_longer = kept_bytes == size;
  fwrite (own, 1, bytes, out);
  fclose (out);
  bool done = (is_longer ? append (fd, path, own, bytes, err)
			 : atomic_file_write (path, kept, kept_bytes, err));
  free (kept);
  return done;
}

/* Write OWN, the section of the unit IDENTITY, of BYTES, to PATH, a regular
   file or a new one.  */
static bool
update (const char *path, const char *identity, const char *own, size_t bytes,
	profile_error *err)
{
  void *old = NULL;
  size_t size = 0;

  int fd = open_locked (path);
  if (fd < 0)
    return profile_error_set_errno (err, path, "cannot open", errno);
  bool done = (file_content_read (path, &old, &size, err)
	       && write_section (fd, path, identity, own, bytes,
				 (const char *) old, size, err));
  free (old);
  close (fd);
  return done;
}

bool
remark_file_write (const char *path, const char *identity, const char *sums,
		   unsigned count, const char *text, size_t bytes,
		   profile_error *err)
{
  struct stat found;
  char *own = xasprintf ("%s%u%s%s\n", header_start, count, identity, sums);
  size_t header_bytes = strlen (own);

  own = XRESIZEVEC (char, own, header_bytes + bytes);
  memcpy (own + header_bytes, text, bytes);
  bytes += header_bytes;
  /* Pipes, devices and the like have no sections to keep.  */
  bool done = (stat (path, &found) == 0 && !S_ISREG (found.st_mode)
		 ? atomic_file_write (path, own, bytes, err)
		 : update (path, identity, own, bytes, err));
  free (own);
  return done;
}
