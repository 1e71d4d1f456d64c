/* A preloaded library that reports on standard error if a program allocates.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stddef.h>
#include <unistd.h>

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t count, size_t size);
extern void *__libc_realloc (void *block, size_t size);

static void
tell (void)
{
  static const char text[] = "allocates\n";

  (void) !write (2, text, sizeof text - 1);
}

void *
malloc (size_t size)
{
  tell ();
  return __libc_malloc (size);
}

void *
calloc (size_t count, size_t size)
{
  tell ();
  return __libc_calloc (count, size);
}

void *
realloc (void *block, size_t size)
{
  tell ();
  return __libc_realloc (block, size);
}
