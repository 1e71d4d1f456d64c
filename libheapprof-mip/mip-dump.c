/* Naming and writing the raw file: one open and one write.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "mip-runtime.h"
#include "mip-system.h"
#include "heapprof/mip.h"
#include <sys/utsname.h>

/* Number of dumps by this process so far.  */
static unsigned dumps;

/* A name under construction.  */
struct text
{
  char *end;   /* of the text so far */
  char *limit; /* last position for the terminator */
};

static void
add (struct text *text, char c)
{
  if (text->end < text->limit)
    *text->end++ = c;
}

static void
add_number (struct text *text, uint64_t number)
{
  char digits[20];
  size_t n = 0;
  do
    digits[n++] = (char) ('0' + number % 10);
  while ((number /= 10) > 0);
  while (n > 0)
    add (text, digits[--n]);
}

/* Add the first 4 bytes of the build ID, in hexadecimal.  */

static void
add_build_id (struct text *text, const struct heapprof_mip_image *header)
{
  for (unsigned i = 0; i < 8; i++)
    {
      const unsigned digit = header->build_id[i / 2] >> (~i & 1) * 4 & 15;
      add (text, (char) (digit + (digit < 10 ? '0' : 'a' - 10)));
    }
}

static void
add_host (struct text *text)
{
  struct utsname system;
  if (mip_system_call_3 (SYS_uname, (long) &system, 0, 0) == 0)
    for (const char *c = system.nodename; *c != '\0'; c++)
      add (text, *c);
}

/* Add the expansion of a percent sign followed by LETTER.  */

static void
add_directive (struct text *text, char letter,
	       const struct heapprof_mip_image *header)
{
  uint64_t number;
  switch (letter)
    {
    case 'm':
      add_build_id (text, header);
      return;
    case 'h':
      add_host (text);
      return;
    case 'p':
      number = header->process;
      break;
    case 't':
      number = header->start_ns / 1000000000u;
      break;
    case 'n':
      number = dumps;
      break;
    default:
      add (text, letter);
      return;
    }
  add_number (text, number);
}

bool
mip_name (char *path, const struct heapprof_mip_image *header,
	  bool with_process)
{
  struct text whole = { path, path + MIP_PATH_BYTES - 1 };
  struct text *const text = &whole;
  const char *p = mip_options.file;
  bool has_build_id = false;
  if (p == NULL)
    p = mip_options.is_on[MIP_MERGE] ? "hp-%m.mipraw" : "hp-%m-%p.mipraw";
  for (;; p = ".%p", with_process = false)
    {
      for (; *p != '\0' && *p != ':'; p++)
	if (*p == '%' && p[1] != '\0' && p[1] != ':')
	  {
	    has_build_id |= *++p == 'm';
	    add_directive (text, *p, header);
	  }
	else
	  add (text, *p);
      if (!with_process)
	break;
    }
  *text->end = '\0';
  return has_build_id;
}

int
mip_image_write (const struct mip_image *image, const char *path, int mode)
{
  const int file = mip_open (path, O_WRONLY | mode, image->header.bytes);
  if (file < 0)
    return file;
  const long written
    = mip_system_call_3 (SYS_writev, file, (long) image->pieces,
			 image->piece_count);
  const int result = mip_close (file);
  if (written == (long) image->header.bytes)
    return result;
  return written < 0 ? (int) written : -ENOSPC;
}

/* Write IMAGE as the options say.  Return as mip_dump does.  */

static int
write_as_told (struct mip_image *image)
{
  char path[MIP_PATH_BYTES];
  /* Do not follow a link someone placed at the default name.  */
  const int links = mip_options.file == NULL ? O_NOFOLLOW : 0;
  /* Without a build ID in the name, several link units share the file.  */
  int mode
    = links | (mip_name (path, &image->header, false) ? O_TRUNC : O_APPEND);
  dumps++;
  if (mip_options.is_on[MIP_MERGE])
    {
      const int result = mip_merge (image, path, links);
      if (result <= 0)
	return result;
      /* The file belongs to another program, or there are edges: write a
	 separate file.  */
      mip_name (path, &image->header, true);
      mode = links | O_TRUNC;
    }
  return mip_image_write (image, path, mode);
}

int
mip_dump (uint32_t flags)
{
  struct mip_image image;
  /* The file is up to date.  */
  if (mip_is_mapped)
    return 0;
  mip_image_make (&image, flags);
  const int result = write_as_told (&image);
  mip_image_release (&image);
  return result;
}
