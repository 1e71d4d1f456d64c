/* C functions that return a copy in new memory, replaced so that the context of
   the copy is their caller's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "abi-symbols.h"
#include "bytes.h"
#include "frame.h"
#include "next.h"
#include "replaced.h"
#include "route.h"
#include <errno.h>
#include <stdlib.h>
#include <wchar.h>

#define ENTRY RT_ENTRY
#define FRAME MACHINE_FRAME

/* glibc's headers may turn strdup into these.  */
ENTRY char *__strdup (const char *string);
ENTRY char *__strndup (const char *string, size_t limit);

/* Return a copy of BYTES bytes at FROM, followed by TERMINATOR zero bytes.  The
   program's own free can release it.  */

static void *
copy (const void *from, size_t bytes, size_t terminator, const void *frame)
{
  char *const to = RT_IS_REPLACED (malloc) || rt_malloc_is_foreign ()
		     ? malloc (bytes + terminator)
		     : rt_memory.allocate (bytes + terminator,
					   RT_LEAST_ALIGNMENT, false, frame);
  if (to == NULL)
    {
      errno = ENOMEM;
      return NULL;
    }
  own_memcpy (to, from, bytes);
  own_memset (to + bytes, 0, terminator);
  return to;
}

ENTRY char *
strdup (const char *string)
{
  return copy (string, own_strlen (string), 1, FRAME);
}

ENTRY char *
__strdup (const char *string)
{
  return copy (string, own_strlen (string), 1, FRAME);
}

ENTRY char *
strndup (const char *string, size_t limit)
{
  return copy (string, own_strnlen (string, limit), 1, FRAME);
}

ENTRY char *
__strndup (const char *string, size_t limit)
{
  return copy (string, own_strnlen (string, limit), 1, FRAME);
}

ENTRY wchar_t *
wcsdup (const wchar_t *string)
{
  size_t n = 0;
  while (string[n] != L'\0')
    n++;
  return copy (string, n * sizeof *string, sizeof *string, FRAME);
}
