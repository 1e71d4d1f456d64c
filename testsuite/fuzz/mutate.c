/* Replay damaged files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mutate.h"
#include "count-memory.h"
#include "profile-text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Variants.  */

static uint64_t state;
static unsigned int total_variants;

static size_t
below (size_t n)
{
  return n == 0 ? 0 : next_random (&state) % n;
}

/* Return an offset in the SIZE bytes of DATA, preferring the header at the
   start of the file, and nonzero bytes to padding.  */
static size_t
place (const unsigned char *data, size_t size)
{
  if (below (3) == 0)
    size = size < 768 ? size : 768;
  size_t offset = below (size);
  for (int tries = 0; tries < 6 && data[offset] == 0; tries++)
    offset = below (size);
  size_t near = offset + below (8);
  return near < size ? near : offset;
}

/* Return a number that readers often mishandle, for a file of SIZE bytes, to
   replace CURRENT.  */
static uint64_t
interesting (size_t size, uint64_t current)
{
  const uint64_t values[] = { 0,
			      1,
			      2,
			      0x7f,
			      0x80,
			      0xff,
			      0x7fff,
			      0x8000,
			      0xffff,
			      0x7fffffff,
			      0x80000000,
			      0xfffffffe,
			      0xffffffff,
			      UINT64_C (0x100000000),
			      INT64_MAX,
			      UINT64_C (1) << 63,
			      UINT64_MAX - 4095,
			      UINT64_MAX - 1,
			      UINT64_MAX,
			      size,
			      size - 1,
			      size + 1,
			      size / 2,
			      size & ~(uint64_t) 4095,
			      current + 1,
			      current - 1,
			      current * 2,
			      current ^ 0x80,
			      below (size),
			      below (300) };
  return values[below (sizeof values / sizeof values[0])];
}

static void
overwrite_number (unsigned char *data, size_t size)
{
  static const size_t widths[] = { 1, 2, 4, 4, 8, 8 };
  size_t width = widths[below (sizeof widths / sizeof widths[0])];
  if (size < width)
    return;
  size_t offset = place (data, size - width + 1);
  if (below (2) == 0)
    offset -= offset % width;
  uint64_t current = 0;
  memcpy (&current, data + offset, width);
  bool is_swapped = below (4) == 0;
  uint64_t value = interesting (size, current);
  for (size_t i = 0; i < width; i++)
    data[offset + (is_swapped ? width - 1 - i : i)] = value >> 8 * i;
}

static void
flip (unsigned char *data, size_t size)
{
  for (size_t n = 1 + below (3); n > 0; n--)
    data[place (data, size)] ^= 1 << below (8);
}

static void
copy_within (unsigned char *data, size_t size)
{
  size_t n = 1 + below (size < 64 ? size : 64);
  memmove (data + below (size - n + 1), data + place (data, size - n + 1), n);
}

static void
fill (unsigned char *data, size_t size)
{
  size_t n = 1 + below (size < 32 ? size : 32);
  memset (data + place (data, size - n + 1), below (2) ? 0 : 0xff, n);
}

/* Change *DATA, of *SIZE bytes with room for as many more: remove or insert a
   run of bytes.  */
static void
shift (unsigned char *data, size_t *size)
{
  size_t n = 1 + below (16);
  size_t at = place (data, *size);
  if (below (2) == 0 && *size > at + n)
    {
      memmove (data + at, data + at + n, *size - at - n);
      *size -= n;
      return;
    }
  memmove (data + at + n, data + at, *size - at);
  *size += n;
}

static void
damage (unsigned char *data, size_t *size)
{
  size_t kind = below (16);
  if (kind < 6)
    flip (data, *size);
  else if (kind < 13)
    for (size_t n = 1 + below (2); n > 0; n--)
      overwrite_number (data, *size);
  else if (kind == 13)
    copy_within (data, *size);
  else if (kind == 14)
    fill (data, *size);
  else
    shift (data, size);
}

/* ---- Replaying.  */

/* Read variant number VARIANT of the SIZE bytes at DATA.  */
static bool
replay_variant (const struct mutate_target *target, const unsigned char *data,
		size_t size, unsigned int variant, unsigned int variants)
{
  unsigned char *copy = calloc (2, size + 64);
  size_t copy_size = size;
  if (!copy)
    abort ();
  memcpy (copy, data, size);
  /* The first third are truncations, all possible ones if there are few
     enough.  */
  bool is_cut = variant < variants / 3 && variant < size;
  if (is_cut)
    copy_size = size <= variants / 3 ? variant : below (size);
  else
    damage (copy, &copy_size);
  unsigned char *exact = NULL;
  if (target->is_repaired && !is_cut && variant % 2 == 0)
    exact = target->reader->repair (copy, copy_size, &copy_size);
  bool is_repaired = exact != NULL;
  if (!exact)
    exact = reader_copy (copy, copy_size);
  bool is_same = copy_size == size && memcmp (exact, data, size) == 0;
  free (copy);
  char label[100];
  snprintf (label, sizeof label, "%s: variant %u", target->name, variant);
  reader_begin (label, true, exact, copy_size);
  bool done = reader_check (target->reader, &target->bounds);
  if (done && !is_same && !is_repaired && target->may_pass
      && !target->may_pass (exact, copy_size))
    reader_fail ("damage was not detected");
  free (exact);
  return done;
}

/* Make the first, the second ...  allocation fail, until none does.  */
static size_t
fail_allocations (const struct mutate_target *target, const unsigned char *data,
		  size_t size)
{
  for (size_t n = 0;; n++)
    {
      struct profile_error err = { 0 };
      size_t before = count_memory_live ();
      count_memory_fail (n);
      bool done = target->reader->read (data, size, &err);
      bool is_over = count_memory_allocations () <= n;
      count_memory_fail (SIZE_MAX);
      if (count_memory_live () != before)
	reader_fail ("memory leak after a failed allocation");
      if (is_over)
	return n;
      if (done || strcmp (err.cause, "out of memory") != 0)
	reader_fail (done ? "a failed allocation was not noticed" : err.cause);
    }
}

void
mutate_replay (const struct mutate_target *target, const unsigned char *data,
	       size_t size, unsigned int variants)
{
  unsigned int read = 0;
  state = size;
  reader_begin (target->name, true, data, size);
  if (!reader_check (target->reader, &target->bounds))
    reader_fail ("the undamaged file is rejected");
  for (unsigned int variant = 0; variant < variants; variant++)
    read += replay_variant (target, data, size, variant, variants);
  reader_begin (target->name, true, data, size);
  size_t failures = fail_allocations (target, data, size);
  printf ("%s: %u variants of %zu bytes, %u of them read; %zu allocations "
	  "failed\n",
	  target->name, variants, size, read, failures);
  total_variants += variants;
}

void
mutate_summary (void)
{
  printf ("%u variants\n", total_variants);
}
