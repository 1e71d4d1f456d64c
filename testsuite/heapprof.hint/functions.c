/* Every function of libheaphint behaves like the corresponding C function.
   SPDX-License-Identifier: GPL-3.0-or-later

   With another allocator's malloc (a second argument), errno for sizes that are
   too large, and the alignment of blocks, depend on that allocator.  */

#include "hint.h"
#include <malloc.h>
#include <stdbool.h>

/* Below, at and above each border, and invalid hints.  */
static const int hints[]
  = { 0, 1, 127, 128, 222, 223, 254, 255, -1, 256, 1000 };
#define HINTS (sizeof hints / sizeof hints[0])

static const size_t sizes[] = { 0, 1, 15, 16, 17, 24, 100, 255, 256, 257, 1000,
				4095, 4096, 4097, 8192, 8193, 10000, 65535,
				65536, 65537, 200000, 1000000 };
#define SIZES (sizeof sizes / sizeof sizes[0])

/* The compiler must not know this value.  */
static volatile size_t most = SIZE_MAX;

static bool has_other_malloc;

static bool
is_no_memory (void)
{
  return errno == ENOMEM || has_other_malloc;
}

static void
check_malloc (int hint)
{
  void *blocks[SIZES];
  for (unsigned i = 0; i < SIZES; i++)
    {
      errno = 77;
      blocks[i] = heapprof_malloc_hinted (sizes[i], hint);
      CHECK (blocks[i] != NULL && errno == 77);
      CHECK ((uintptr_t) blocks[i] % 16 == 0 || sizes[i] < 16);
      CHECK (malloc_usable_size (blocks[i]) >= sizes[i]);
      hint_fill (blocks[i], malloc_usable_size (blocks[i]), i);
    }
  for (unsigned i = 0; i < SIZES; i++)
    {
      CHECK (hint_is_filled (blocks[i], malloc_usable_size (blocks[i]), i));
      errno = 77;
      free (blocks[i]);
      CHECK (errno == 77);
    }
  errno = 0;
  CHECK (heapprof_malloc_hinted (most, hint) == NULL && is_no_memory ());
  errno = 0;
  CHECK (heapprof_malloc_hinted (most / 2 + 1, hint) == NULL
	 && is_no_memory ());
}

static void
check_calloc (int hint)
{
  for (unsigned round = 0; round < 20; round++)
    for (unsigned i = 0; i < SIZES - 1; i++)
      {
	char *const data = heapprof_calloc_hinted (sizes[i], 1, hint);
	CHECK (data != NULL);
	CHECK (sizes[i] == 0 || (data[0] == 0
				 && memcmp (data, data + 1, sizes[i] - 1) == 0));
	memset (data, 0xff, sizes[i]);
	free (data);
      }
  errno = 0;
  CHECK (heapprof_calloc_hinted (most / 2, 3, hint) == NULL
	 && is_no_memory ());
  errno = 0;
  CHECK (heapprof_calloc_hinted (most / 2 + 1, 2, hint) == NULL
	 && is_no_memory ());
}

static void
check_alignment (int hint)
{
  const size_t largest = (size_t) 1 << (has_other_malloc ? 6 : 22);
  for (size_t alignment = 8; alignment <= largest; alignment *= 2)
    for (unsigned i = 0; i < SIZES; i += alignment > 65536 ? 5 : 1)
      {
	void *const one
	  = heapprof_aligned_alloc_hinted (alignment, sizes[i], hint);
	void *two = NULL;
	CHECK (heapprof_posix_memalign_hinted (&two, alignment, sizes[i], hint)
	       == 0);
	CHECK (one != NULL && (uintptr_t) one % alignment == 0);
	CHECK (two != NULL && (uintptr_t) two % alignment == 0);
	const size_t filled = sizes[i] < 5000 ? sizes[i] : 5000;
	hint_fill (one, filled, 1);
	hint_fill (two, filled, 2);
	CHECK (hint_is_filled (one, filled, 1));
	free (one);
	CHECK (hint_is_filled (two, filled, 2));
	free (two);
      }
  void *stays = &stays;
  CHECK (heapprof_posix_memalign_hinted (&stays, 24, 10, hint) == EINVAL);
  CHECK (heapprof_posix_memalign_hinted (&stays, 4, 10, hint) == EINVAL);
  CHECK (heapprof_posix_memalign_hinted (&stays, 0, 10, hint) == EINVAL);
  CHECK (heapprof_posix_memalign_hinted (&stays, 64, most - 10, hint)
	 == ENOMEM);
  CHECK (stays == &stays);
  errno = 0;
  CHECK (heapprof_aligned_alloc_hinted (64, most - 10, hint) == NULL
	 && is_no_memory ());
}

static void
check_strings (int hint)
{
  char text[300];
  for (size_t length = 0; length < sizeof text; length += 13)
    {
      memset (text, 'x', length);
      text[length] = '\0';
      char *const all = heapprof_strdup_hinted (text, hint);
      char *const part = heapprof_strndup_hinted (text, 100, hint);
      CHECK (strcmp (all, text) == 0);
      CHECK (strlen (part) == (length < 100 ? length : 100)
	     && strncmp (part, text, 100) == 0);
      free (all);
      free (part);
    }
  /* No byte beyond the given length is read.  */
  const char open[3] = { 'a', 'b', 'c' };
  char *const three = heapprof_strndup_hinted (open, 3, hint);
  CHECK (strcmp (three, "abc") == 0);
  free (three);
}

/* Reallocate from each kind and size to each other, then without a hint.  */

static void
check_realloc (int hint)
{
  for (unsigned from = 0; from < HINTS; from += 3)
    for (unsigned i = 0; i < SIZES - 1; i++)
      for (unsigned j = 1; j < SIZES - 1; j++)
	{
	  const size_t kept = sizes[i] < sizes[j] ? sizes[i] : sizes[j];
	  void *data = heapprof_malloc_hinted (sizes[i], hints[from]);
	  hint_fill (data, sizes[i], i);
	  data = heapprof_realloc_hinted (data, sizes[j], hint);
	  CHECK (data != NULL && hint_is_filled (data, kept, i));
	  CHECK (malloc_usable_size (data) >= sizes[j]);
	  hint_fill (data, sizes[j], j);
	  data = realloc (data, sizes[i] + 1);
	  CHECK (data != NULL && hint_is_filled (data, kept, j));
	  free (data);
	}
  void *data = heapprof_realloc_hinted (NULL, 100, hint);
  hint_fill (data, 100, 5);
  errno = 0;
  void *volatile same = data;
  CHECK (heapprof_realloc_hinted (same, most, hint) == NULL
	 && is_no_memory ());
  errno = 0;
  CHECK (realloc (same, most / 2) == NULL && is_no_memory ());
  errno = 0;
  CHECK (reallocarray (same, most / 2, 4) == NULL && is_no_memory ());
  CHECK (hint_is_filled (data, 100, 5));
  data = reallocarray (data, 50, 40);
  CHECK (data != NULL && hint_is_filled (data, 100, 5));
  CHECK (malloc_usable_size (data) >= 2000);
  free (data);
}

/* The C library itself resizes and releases blocks with hints.  */

static void
check_library (int hint)
{
  char text[5000];
  memset (text, 'y', sizeof text - 1);
  text[sizeof text - 1] = '\n';
  FILE *const file = fmemopen (text, sizeof text, "r");
  size_t room = 10;
  char *line = heapprof_malloc_hinted (room, hint);
  CHECK (getline (&line, &room, file) == (ssize_t) sizeof text);
  CHECK (memcmp (line, text, sizeof text) == 0);
  fclose (file);
  free (line);
  free (realloc (NULL, 10));
  free (NULL);
  CHECK (malloc_usable_size (NULL) == 0);
}

int
main (int argc, char **argv)
{
  hint_expect_backend (argc, argv);
  has_other_malloc = argc > 2;
  for (unsigned i = 0; i < HINTS; i++)
    {
      check_malloc (hints[i]);
      check_calloc (hints[i]);
      check_alignment (hints[i]);
      check_strings (hints[i]);
      check_library (hints[i]);
    }
  check_realloc (1);
  check_realloc (128);
  check_realloc (254);
  return hint_finish ();
}
