/* Write the raw file: one open and one write.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "mip-runtime.h"
#include "heapprof/mip.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Dumps of this process so far.  */
static unsigned dumps;

/* A name in the making.  */
struct text
{
  char *end;			/* of what is there */
  char *limit;			/* where the terminator must be at the latest */
};

static void
add (struct text *text, const char *bytes, size_t n)
{
  if (n > (size_t) (text->limit - text->end))
    n = (size_t) (text->limit - text->end);
  memcpy (text->end, bytes, n);
  text->end += n;
}

static void
add_number (struct text *text, uint64_t number)
{
  char digits[20];
  size_t n = sizeof digits;
  do
    digits[--n] = (char) ('0' + number % 10);
  while ((number /= 10) > 0);
  add (text, digits + n, sizeof digits - n);
}

/* The first 4 bytes of the build ID, in hexadecimal.  */

static void
add_build_id (struct text *text, const struct heapprof_mip_image *header)
{
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < 4; i++)
    {
      add (text, &digits[header->build_id[i] >> 4], 1);
      add (text, &digits[header->build_id[i] & 15], 1);
    }
}

static void
add_host (struct text *text)
{
  char host[65] = "localhost";
  gethostname (host, sizeof host - 1);
  add (text, host, strlen (host));
}

/* What LETTER after a percent sign stands for.  */

static void
add_directive (struct text *text, char letter,
	       const struct heapprof_mip_image *header)
{
  if (letter == 'p')
    add_number (text, header->process);
  else if (letter == 'm')
    add_build_id (text, header);
  else if (letter == 'h')
    add_host (text);
  else if (letter == 't')
    add_number (text, header->start_ns / 1000000000u);
  else if (letter == 'n')
    add_number (text, dumps);
  else
    add (text, &letter, 1);
}

void
mip_path_make (char path[MIP_PATH_BYTES],
	       const struct heapprof_mip_image *header)
{
  struct text text = { path, path + MIP_PATH_BYTES - 1 };
  const char *p = mip_options.file;
  if (p == NULL)
    p = mip_options.merge ? "hp-%m.mipraw" : "hp-%m-%p.mipraw";
  for (; *p != '\0' && *p != ':'; p++)
    if (*p == '%' && p[1] != '\0' && p[1] != ':')
      add_directive (&text, *++p, header);
    else
      add (&text, p, 1);
  *text.end = '\0';
}

/* Does the pattern tell link units apart, so that each has a file?  Images of
   several are put behind one another.  */

static bool
has_own_file (void)
{
  const char *p = mip_options.file;
  if (p == NULL)
    return true;
  for (; *p != '\0' && *p != ':'; p++)
    if (*p == '%' && p[1] != '\0' && *++p == 'm')
      return true;
  return false;
}

static int
write_image (const struct mip_image *image, const char *path, int mode)
{
  const int file = open (path, O_WRONLY | O_CREAT | O_CLOEXEC | mode,
			 MIP_FILE_MODE);
  if (file < 0)
    return -1;
  const ssize_t written = writev (file, image->pieces, image->piece_count);
  const bool is_whole = written == (ssize_t) image->header.bytes;
  if (!is_whole && written >= 0)
    errno = ENOSPC;
  const int error = errno;
  if (close (file) == 0 && is_whole)
    return 0;
  if (!is_whole)
    errno = error;
  return -1;
}

int
mip_dump (uint32_t flags)
{
  struct mip_image image;
  char path[MIP_PATH_BYTES];
  mip_image_make (&image, flags);
  mip_path_make (path, &image.header);
  dumps++;
  /* A link that stands where the default name would is somebody else's.  */
  const int links = mip_options.file == NULL ? O_NOFOLLOW : 0;
  if (!mip_options.merge)
    return write_image (&image, path,
			links | (has_own_file () ? O_TRUNC : O_APPEND));
  const int result = mip_merge (&image, path);
  /* What was added must not be added again.  */
  if (result == 0)
    heapprof_mip_reset ();
  if (result <= 0)
    return result;
  /* The file is of another program: one beside it.  */
  struct text text = { path + strlen (path), path + MIP_PATH_BYTES - 1 };
  add (&text, ".", 1);
  add_number (&text, image.header.process);
  *text.end = '\0';
  return write_image (&image, path, links | O_TRUNC);
}

int
heapprof_mip_dump (void)
{
  return mip_dump (HEAPPROF_MIP_ON_REQUEST);
}

int
heapprof_mip_dump_to (const char *path)
{
  struct mip_image image;
  mip_image_make (&image, HEAPPROF_MIP_ON_REQUEST);
  return write_image (&image, path, O_TRUNC);
}
