/* The guarantees of the C and POSIX standards, and of glibc, for the allocation
   functions.  Exits with 0 if all hold, otherwise prints those that do not.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int failures;

static void
expect (int condition, const char *what)
{
  if (condition)
    return;
  failures++;
  printf ("does not hold: %s\n", what);
}

/* The compiler must not know these values.  */
static volatile size_t huge = SIZE_MAX / 2;
static volatile size_t none;

static int
is_filled (const char *data, size_t size, char value)
{
  for (size_t i = 0; i < size; i++)
    if (data[i] != value)
      return 0;
  return 1;
}

static void
check_sizes (void)
{
  char *const a = malloc (none), *const b = malloc (none);
  expect (a != NULL && b != NULL && a != b, "malloc (0) gives unique pointers");
  expect (malloc_usable_size (NULL) == 0, "NULL has no usable bytes");
  free (a);
  free (b);
  for (size_t size = 1; size < 3000000; size += size / 7 + 1)
    {
      char *const data = malloc (size);
      expect ((uintptr_t) data % 16 == 0, "malloc is aligned to 16");
      expect (malloc_usable_size (data) >= size, "usable bytes");
      memset (data, 7, malloc_usable_size (data));
      free (data);
      char *const zeros = calloc (1, size);
      expect (is_filled (zeros, size, 0), "calloc gives zeros");
      free (zeros);
    }
}

static void
check_failures (void)
{
  void *data = &failures;
  errno = 0;
  expect (malloc (huge) == NULL && errno == ENOMEM, "malloc: ENOMEM");
  errno = 0;
  expect (calloc (huge, 4) == NULL && errno == ENOMEM, "calloc overflow");
  errno = 0;
  expect (reallocarray (NULL, huge, 4) == NULL && errno == ENOMEM,
	  "reallocarray overflow");
  errno = 0;
  expect (aligned_alloc (64, huge) == NULL && errno == ENOMEM,
	  "aligned_alloc: ENOMEM");
  errno = 0;
  expect (posix_memalign (&data, 24, 8) == EINVAL, "posix_memalign: EINVAL");
  expect (posix_memalign (&data, 4, 8) == EINVAL,
	  "posix_memalign: EINVAL for less than a pointer");
  expect (posix_memalign (&data, 64, huge) == ENOMEM,
	  "posix_memalign: ENOMEM");
  expect (data == &failures && errno == 0,
	  "posix_memalign leaves result and errno alone");
  char *const kept = malloc (10);
  memset (kept, 5, 10);
  expect (realloc (kept, huge) == NULL && is_filled (kept, 10, 5),
	  "a failed realloc leaves the block");
  errno = 1234;
  free (kept);
  expect (errno == 1234, "free leaves errno alone");
}

static void
check_alignment (void)
{
  for (size_t alignment = 8; alignment <= (size_t) 1 << 24; alignment *= 2)
    for (size_t size = 1; size < 600000; size = size * 9 + 1)
      {
	void *data = NULL;
	expect (posix_memalign (&data, alignment, size) == 0
		&& (uintptr_t) data % alignment == 0,
		"posix_memalign is aligned");
	memset (data, 3, size);
	data = realloc (data, size + 1000);
	expect (is_filled (data, size, 3), "realloc of an aligned block");
	free (data);
      }
}

static void
check_realloc (void)
{
  size_t size = 1;
  char *data = realloc (NULL, size);
  *data = 9;
  for (int i = 0; i < 40; i++)
    {
      const size_t next = size < 4000000 ? size * 2 + 1 : size / 3;
      data = realloc (data, next);
      expect (is_filled (data, size < next ? size : next, 9),
	      "realloc keeps the content");
      memset (data, 9, next);
      size = next;
    }
  expect (realloc (data, 0) == NULL, "realloc to 0 releases");
}

/* Errors of the program that must not end it.  */

static void
check_mistakes (void)
{
  static char local[64] __attribute__ ((aligned (32)));
  char *const page = mmap (NULL, 4096, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *const data = malloc (50);
  /* GCC would warn of direct calls.  */
  void (*volatile release) (void *) = free;
  void *(*volatile resize) (void *, size_t) = realloc;
  release (local);
  release (page);
  release (data + 8);
  release ((void *) (uintptr_t) 0xdeadbeef0);
  local[0] = 4;
  char *const copy = resize (local, 100);
  expect (copy != NULL && copy != local && *copy == 4,
	  "realloc of a foreign pointer copies what is there");
  release (copy);
  release (data);
  release (data);
  char *const other = malloc (50);
  release (data);
  release (other);
}

int
main (void)
{
  check_sizes ();
  check_failures ();
  check_alignment ();
  check_realloc ();
  check_mistakes ();
  expect (mallopt (M_ARENA_MAX, 1) == 1 && malloc_trim (0) >= 0
	  && mallinfo2 ().arena > 0, "mallopt, malloc_trim, mallinfo2");
  return failures == 0 ? 0 : 1;
}
