/* Every C function that allocates, early, in threads and after a fork; and which
   allocator has the blocks, by its own statistics.
   SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#define COUNT 1000
#define BYTES 1001

#pragma weak mallctl
#pragma weak mi_is_in_heap_region
#pragma weak MallocExtension_GetNumericProperty
#pragma weak free_sized
#pragma weak free_aligned_sized

extern int mallctl (const char *, void *, size_t *, void *, size_t);
extern _Bool mi_is_in_heap_region (const void *);
extern int MallocExtension_GetNumericProperty (const char *, size_t *);
extern void free_sized (void *, size_t);
extern void free_aligned_sized (void *, size_t, size_t);

static void *early[3];
static void *blocks[COUNT];

#define CHECK(condition)                                                       \
  do                                                                           \
    if (!(condition))                                                          \
      {                                                                        \
	fprintf (stderr, "line %d: %s\n", __LINE__, #condition);               \
	exit (1);                                                              \
      }                                                                        \
  while (0)

static void __attribute__ ((constructor)) begin (void)
{
  early[0] = malloc (100);
  early[1] = calloc (10, 10);
  early[2] = realloc (NULL, 100);
}

static int
is_static (void)
{
  return getauxval (AT_BASE) == 0;
}

static int
aligned (const void *block, uintptr_t alignment)
{
  return block != NULL && (uintptr_t) block % alignment == 0;
}

static void
use (void *block, size_t size)
{
  CHECK (block != NULL);
  CHECK (malloc_usable_size (block) >= size);
  memset (block, 0x5a, size);
}

static void
use_all (void)
{
  void *block = malloc (10);
  use (block, 10);
  block = realloc (block, 100000);
  CHECK (((char *) block)[9] == 0x5a);
  use (block, 100000);
  block = realloc (block, 5);
  CHECK (((char *) block)[4] == 0x5a);
  free (block);
  block = calloc (7, 9);
  for (int i = 0; i < 63; i++)
    CHECK (((char *) block)[i] == 0);
  use (block, 63);
  free (block);
  block = reallocarray (NULL, 3, 5);
  use (block, 15);
  block = reallocarray (block, 30, 50);
  CHECK (((char *) block)[14] == 0x5a);
  use (block, 1500);
  free (block);
  CHECK (reallocarray (NULL, SIZE_MAX / 2, 3) == NULL);
  CHECK (calloc (SIZE_MAX / 2, 3) == NULL);
  errno = 0;
  void *(*volatile get) (size_t) = malloc;
  CHECK (get (SIZE_MAX / 2) == NULL && errno == ENOMEM);
  for (size_t alignment = 16; alignment <= 4096; alignment *= 2)
    {
      block = memalign (alignment, 33);
      CHECK (aligned (block, alignment));
      use (block, 33);
      free (block);
      block = aligned_alloc (alignment, 3 * alignment);
      CHECK (aligned (block, alignment));
      use (block, 3 * alignment);
      block = realloc (block, 5 * alignment);
      CHECK (((char *) block)[3 * alignment - 1] == 0x5a);
      free (block);
      CHECK (posix_memalign (&block, alignment, 77) == 0);
      CHECK (aligned (block, alignment));
      use (block, 77);
      free (block);
    }
  CHECK (posix_memalign (&block, 3, 10) == EINVAL);
  block = valloc (5);
  CHECK (aligned (block, 4096));
  free (block);
  if (mallctl == NULL)
    {
      /* jemalloc has none: the C library's has other blocks.  */
      block = pvalloc (5);
      CHECK (aligned (block, 4096) && malloc_usable_size (block) >= 4096);
      free (block);
    }
  block = strdup ("text");
  CHECK (strcmp (block, "text") == 0);
  free (block);
  block = strndup ("text", 2);
  CHECK (strcmp (block, "te") == 0);
  free (block);
  block = wcsdup (L"text");
  CHECK (wcscmp (block, L"text") == 0);
  free (block);
  if (free_sized != NULL)
    {
      block = malloc (20);
      free_sized (block, 20);
      block = aligned_alloc (64, 64);
      free_aligned_sized (block, 64, 64);
    }
  free (NULL);
  malloc_trim (0);
}

static void *
run (void *data)
{
  for (int i = 0; i < 50; i++)
    use_all ();
  free (data);
  return strdup ("from a thread");
}

static size_t
used_by_libc (void)
{
#if __GLIBC_PREREQ(2, 33)
  return mallinfo2 ().uordblks;
#else
  return (size_t) mallinfo ().uordblks;
#endif
}

static int
grows (size_t before, size_t after)
{
  return after - before >= COUNT * BYTES && after - before < 2 * COUNT * BYTES;
}

/* Allocate, and print who has the memory according to its own statistics.  */

static void
ask (void)
{
  const char *whose = "none";
  uint64_t *allocated = NULL;
  size_t length = sizeof allocated, before = 0, after = 0;
  if (mallctl != NULL)
    mallctl ("thread.allocatedp", &allocated, &length, NULL, 0);
  const uint64_t allocated_before = allocated != NULL ? *allocated : 0;
  if (MallocExtension_GetNumericProperty != NULL)
    MallocExtension_GetNumericProperty ("generic.current_allocated_bytes",
					&before);
  const size_t used = used_by_libc ();
  for (int i = 0; i < COUNT; i++)
    {
      blocks[i] = malloc (BYTES);
      use (blocks[i], BYTES);
    }
  if (MallocExtension_GetNumericProperty != NULL)
    MallocExtension_GetNumericProperty ("generic.current_allocated_bytes",
					&after);
  if (allocated != NULL)
    whose = grows (allocated_before, *allocated) ? "jemalloc" : "not jemalloc";
  else if (MallocExtension_GetNumericProperty != NULL)
    whose = grows (before, after) ? "tcmalloc" : "not tcmalloc";
  else if (mi_is_in_heap_region != NULL)
    whose = mi_is_in_heap_region (blocks[0])
		&& mi_is_in_heap_region (blocks[COUNT - 1])
	      ? "mimalloc"
	      : "not mimalloc";
  else if (malloc_usable_size (blocks[0]) > BYTES
	   && grows (used, used_by_libc ()))
    whose = "libc";
  for (int i = 0; i < COUNT; i++)
    free (blocks[i]);
  puts (whose);
}

int
main (void)
{
  CHECK (is_static () || dlerror () == NULL);
  use_all ();
  for (int i = 0; i < 3; i++)
    free (early[i]);
  ask ();
  pthread_t thread;
  void *text;
  CHECK (pthread_create (&thread, NULL, run, malloc (3)) == 0);
  run (NULL);
  CHECK (pthread_join (thread, &text) == 0);
  CHECK (strcmp (text, "from a thread") == 0);
  fflush (stdout);
  const pid_t child = fork ();
  if (child == 0)
    {
      free (text);
      use_all ();
      _exit (42);
    }
  int status;
  CHECK (waitpid (child, &status, 0) == child);
  CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 42);
  free (text);
  return 0;
}
