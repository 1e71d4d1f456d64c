/* Which memory of this process can be written.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "protection.h"
#include "sys.h"
#include <fcntl.h>
#include <sys/mman.h>

/* Room for about 100,000 mappings; what is not used costs nothing.  */
#define TEXT_BYTES ((size_t) 8 << 20)

void
rt_attach_protection_read (struct rt_attach_protection *list)
{
  *list = (struct rt_attach_protection){ .text = sys_map (TEXT_BYTES) };
  const int fd = sys_open ("/proc/self/maps", O_RDONLY, 0);
  if (fd < 0 || list->text == NULL
      || sys_read_all (fd, list->text, TEXT_BYTES, &list->bytes) != 0)
    list->bytes = 0;
  if (fd >= 0)
    sys_close (fd);
}

void
rt_attach_protection_release (struct rt_attach_protection *list)
{
  if (list->text != NULL)
    sys_unmap (list->text, TEXT_BYTES);
  list->text = NULL;
}

/* Parse the hexadecimal number at *NEXT, and skip the character after it.  */

static uintptr_t
parse_number (const char **next, const char *end)
{
  uintptr_t number = 0;
  for (; *next < end; ++*next)
    {
      const char c = **next;
      if (c >= '0' && c <= '9')
	number = number * 16 + (uintptr_t) (c - '0');
      else if (c >= 'a' && c <= 'f')
	number = number * 16 + (uintptr_t) (c - 'a' + 10);
      else
	break;
    }
  if (*next < end)
    ++*next;
  return number;
}

int
rt_attach_protection_at (struct rt_attach_protection *list, uintptr_t address)
{
  if (address >= list->start && address < list->end)
    return list->access;
  const char *next = list->text;
  const char *const end = list->text + list->bytes;
  while (next < end)
    {
      list->start = parse_number (&next, end);
      list->end = parse_number (&next, end);
      if (end - next < 4)
	break;
      list->access = (next[0] == 'r' ? PROT_READ : 0)
		     | (next[1] == 'w' ? PROT_WRITE : 0)
		     | (next[2] == 'x' ? PROT_EXEC : 0);
      if (address >= list->start && address < list->end)
	return list->access;
      while (next < end && *next++ != '\n')
	continue;
    }
  list->start = list->end = 0;
  return 0;
}
