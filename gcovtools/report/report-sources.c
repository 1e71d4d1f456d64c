/* Source files for the report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "report-html.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger files are omitted.  */
#define MAX_SOURCE_BYTES (4 << 20)

/* Suffixes of source files.  */
static const char *const suffixes[]
  = { ".c",   ".cc",  ".cpp", ".cxx", ".c++", ".C",   ".h",   ".hh", ".hpp",
      ".hxx", ".H",   ".tcc", ".ipp", ".inc", ".inl", ".def", ".f",  ".F",
      ".f90", ".F90", ".f95", ".f03", ".f08", ".d",   ".go",  ".m",  ".mm",
      ".adb", ".ads", ".rs",  ".y",   ".l",   ".py" };

static bool
is_source_name (const char *path)
{
  const char *dot = strrchr (path, '.');
  for (size_t i = 0; dot != NULL && i < sizeof suffixes / sizeof *suffixes; i++)
    if (strcmp (dot, suffixes[i]) == 0)
      return true;
  return false;
}

/* Read the regular file FD; NULL on failure or if it is not text.  */
static char *
read_text (int fd)
{
  struct stat status;
  if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode)
      || status.st_size > MAX_SOURCE_BYTES)
    return NULL;
  size_t size = (size_t) status.st_size;
  char *text = malloc (size + 1);
  if (text == NULL)
    return NULL;
  size_t done = 0;
  while (done < size)
    {
      ssize_t n = read (fd, text + done, size - done);
      if (n <= 0)
	break;
      done += (size_t) n;
    }
  text[done] = '\0';
  if (done == size && memchr (text, '\0', size) == NULL)
    return text;
  free (text);
  return NULL;
}

char *
report_source_text (const char *path)
{
  if (!is_source_name (path))
    return NULL;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return NULL;
  char *text = read_text (fd);
  close (fd);
  return text;
}
