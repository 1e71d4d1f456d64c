/* C functions that return a copy in new memory, replaced so that the context of
   the copy is their caller's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "abi-symbols.h"
#include "bytes.h"
#include "frame.h"
#include "next.h"
#include "replaced.h"
#include "route.h"
#include "sample.h"
#include "sampling.h"
#include <errno.h>
#include <stdlib.h>
#include <wchar.h>

#define ENTRY RT_ENTRY
#define FRAME MACHINE_FRAME

/* glibc's headers may turn strdup into these.  */
ENTRY char *__strdup (const char *string);
ENTRY char *__strndup (const char *string, size_t limit);

/* Return memory of BYTES bytes that the program's own free can release.  */

static inline void *
memory_of (size_t bytes, const void *frame)
{
  if (RT_IS_REPLACED (malloc) || rt_malloc_is_foreign ())
    return malloc (bytes);
  return rt_memory.allocate (bytes, RT_LEAST_ALIGNMENT, false, frame);
}

/* Return a copy of BYTES bytes at FROM, followed by a zero byte.  */

static inline char *
copy (const char *from, size_t bytes, const void *frame)
{
  char *const to = memory_of (bytes + 1, frame);
  if (to == NULL)
    {
      errno = ENOMEM;
      return NULL;
    }
  own_memcpy (to, from, bytes);
  to[bytes] = '\0';
  return to;
}

/* Return memory of BYTES bytes with samples, most of which it is not.  The
   copies are then made by the C library's functions, which are the fastest for
   the processor.  */

static inline __attribute__ ((always_inline)) void *
sampled_memory_of (size_t bytes, const void *frame)
{
  return __builtin_expect (rt_sample_is_before (bytes), 1)
	   ? rt_next_malloc (bytes)
	   : rt_sample_counted (bytes, frame);
}

RT_FOLLOWING (char *, strdup, (const char *string), strdup, rt_sample_strdup)
RT_FOLLOWING (char *, __strdup, (const char *string), strdup, rt_sample_strdup)

char *
rt_exact_strdup (const char *string)
{
  return copy (string, own_strlen (string), FRAME);
}

char *
rt_exact___strdup (const char *string)
{
  return copy (string, own_strlen (string), FRAME);
}

char *
rt_sample_strdup (const char *string)
{
  const size_t bytes = rt_next_strlen (string) + 1;
  char *const to = sampled_memory_of (bytes, FRAME);
  return to == NULL ? NULL : rt_next_memcpy (to, string, bytes);
}

RT_FOLLOWING (char *, strndup, (const char *string, size_t limit), strndup,
	      rt_sample_strndup)
RT_FOLLOWING (char *, __strndup, (const char *string, size_t limit), strndup,
	      rt_sample_strndup)

char *
rt_exact_strndup (const char *string, size_t limit)
{
  return copy (string, own_strnlen (string, limit), FRAME);
}

char *
rt_exact___strndup (const char *string, size_t limit)
{
  return copy (string, own_strnlen (string, limit), FRAME);
}

char *
rt_sample_strndup (const char *string, size_t limit)
{
  const size_t bytes = rt_next_strnlen (string, limit);
  char *const to = sampled_memory_of (bytes + 1, FRAME);
  if (to == NULL)
    return NULL;
  to[bytes] = '\0';
  return rt_next_memcpy (to, string, bytes);
}

ENTRY wchar_t *
wcsdup (const wchar_t *string)
{
  size_t n = 0;
  while (string[n] != L'\0')
    n++;
  const size_t bytes = (n + 1) * sizeof *string;
  wchar_t *const to = memory_of (bytes, FRAME);
  if (to == NULL)
    errno = ENOMEM;
  else
    own_memcpy (to, string, bytes);
  return to;
}
