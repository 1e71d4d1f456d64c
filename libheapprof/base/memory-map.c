/* The mappings of this process, as the kernel lists them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A line of /proc/self/maps:

     7f03c3a00000-7f03c3a28000 r--p 00000000 fd:01 1234    /lib/libc.so.6

   The numbers are hexadecimal, except the inode, which is 0 without a file.  */

#include "memory-map.h"
#include "bytes.h"
#include "sys.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

/* Long enough for the part of a line before the path.  */
#define HEAD_BYTES 128u

/* With a byte more for the end of a line.  */
static char buffer[16 * 1024 + 1];
#define BUFFER_BYTES (sizeof buffer - 1)

/* Return the hexadecimal number at *TEXT, and skip it and the character after
   it.  */

static uint64_t
take_number (const char **text)
{
  uint64_t number = 0;
  for (; **text != '\0'; ++*text)
    {
      const char c = **text;
      if (c >= '0' && c <= '9')
	number = number * 16 + (uint64_t) (c - '0');
      else if (c >= 'a' && c <= 'f')
	number = number * 16 + (uint64_t) (c - 'a' + 10);
      else
	break;
    }
  if (**text != '\0')
    ++*text;
  return number;
}

/* Read HEAD, the start of a line; return false if it is not one.  */

static bool
parse (const char *head, struct sys_mapping *mapping)
{
  mapping->start = take_number (&head);
  mapping->end = take_number (&head);
  for (unsigned i = 0; i < 4; i++)
    if (head[i] == '\0')
      return false;
  mapping->is_readable = head[0] == 'r';
  mapping->is_writable = head[1] == 'w';
  mapping->is_shared = head[3] == 's';
  head += 4;
  /* A space, the offset, and the two parts of the device.  */
  for (unsigned i = 0; i < 4; i++)
    take_number (&head);
  mapping->has_file = take_number (&head) != 0;
  mapping->path = "";
  return mapping->start < mapping->end;
}

/* Visit the mapping of the LINE of BYTES bytes, which a null byte follows.  */

static void
visit_line (const char *line, size_t bytes,
	    void (*visit) (const struct sys_mapping *mapping, void *data),
	    void *data)
{
  char head[HEAD_BYTES];
  struct sys_mapping mapping;
  const size_t n = bytes < sizeof head ? bytes : sizeof head - 1;
  own_memcpy (head, line, n);
  head[n] = '\0';
  if (!parse (head, &mapping))
    return;
  if (mapping.has_file)
    mapping.path = text_find (line, '/');
  if (mapping.path == NULL)
    mapping.path = "";
  visit (&mapping, data);
}

/* Visit the complete lines of the first FILLED bytes of the buffer, and move
   the rest to its start.  Return the number of bytes of the rest.  */

static size_t
visit_lines (size_t filled,
	     void (*visit) (const struct sys_mapping *mapping, void *data),
	     void *data)
{
  size_t start = 0;
  for (size_t at = 0; at < filled; at++)
    if (buffer[at] == '\n')
      {
	buffer[at] = '\0';
	visit_line (buffer + start, at - start, visit, data);
	start = at + 1;
      }
  own_memmove (buffer, buffer + start, filled - start);
  return filled - start;
}

int
sys_visit_mappings (void (*visit) (const struct sys_mapping *mapping,
				   void *data),
		    void *data)
{
  const int fd = sys_open ("/proc/self/maps", O_RDONLY, 0);
  if (fd < 0)
    return fd;
  size_t filled = 0, got = 0;
  int error;
  do
    {
      error = sys_read_all (fd, buffer + filled, BUFFER_BYTES - filled, &got);
      filled = visit_lines (filled + got, visit, data);
      /* A line cannot be as long as the buffer: paths have a limit.  */
      if (error == 0 && filled == BUFFER_BYTES)
	error = -EOVERFLOW;
    }
  while (error == 0 && got > 0);
  sys_close (fd);
  return error;
}
