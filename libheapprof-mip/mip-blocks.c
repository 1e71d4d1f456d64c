/* Add which blocks ran to a file of several runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Most blocks without a byte ran if one of several that have one did: in how
   many runs, the bytes' own numbers of runs do not say.  So the bytes of each
   run are kept, a bit for each; runs that marked the same ones have one row.
   This is linked only if a program has probes of blocks.  */

#include "mip-runtime.h"
#include "mip-system.h"

/* The bits of the bytes of coverage from SLOT to END, at most 64.  */

static uint64_t
pack (const char *slot, const char *end)
{
  uint64_t word = 0;
  for (int bit = 0; bit < 64 && slot != end; bit++, slot++)
    word |= (uint64_t) mip_is_marked (*slot) << bit;
  return word;
}

/* Write the row of SECTION to FILE, with zeros where it has a head.  Set *CHECK
   to that of its words.  0, or the number of an error, negated.  */

static int
write_row (int file, const struct mip_section *section, uint64_t *check)
{
  uint64_t words[64] = { 0 };
  size_t n = sizeof (struct heapprof_mip_row) / sizeof *words;
  const char *slot = section->begin;
  do
    {
      for (; n < sizeof words / sizeof *words && slot < section->end;
	   slot += 64)
	{
	  words[n] = pack (slot, section->end);
	  *check = heapprof_mip_row_check (*check, words[n++]);
	}
      n *= sizeof *words;
      const long written
	= mip_system_call (SYS_write, file, (long) words, (long) n, 0);
      if (written != (long) n)
	return written < 0 ? (int) written : -ENOSPC;
      n = 0;
    }
  while (slot < section->end);
  return 0;
}

/* Give the row at END of FILE, which is mapped at TO, with rows of BYTES bytes
   from BEGIN, the CHECK of its words, and look for the same before it: true if
   there is none.  One that is there has one run more, which the header has
   first, so that nothing ever ran more often than there were runs.  */

static bool
is_new_row (char *to, size_t begin, size_t end, size_t bytes, uint32_t check)
{
  struct heapprof_mip_row *const row = (void *) (to + end);
  for (size_t at = begin; end - at >= bytes; at += bytes)
    {
      struct heapprof_mip_row *const other = (void *) (to + at);
      if (other->check == check
	  && mip_is_same (other + 1, row + 1, bytes - sizeof *row))
	{
	  ((struct heapprof_mip_image *) to)->images++;
	  other->runs++;
	  return false;
	}
    }
  *row = (struct heapprof_mip_row){ 1, check };
  return true;
}

int
__heapprof_mip_blocks (int file, char *to, size_t fixed)
{
  struct heapprof_mip_image *const header = (void *) to;
  struct heapprof_mip_chunk *const chunk
    = (void *) (to + fixed - sizeof *chunk);
  const size_t bytes
    = sizeof (struct heapprof_mip_row) + (chunk->bytes + 63) / 64 * 8;
  const size_t end = fixed + chunk->stored;
  struct mip_section section;
  uint64_t check = 0;
  mip_section_get (0, &section);
  if (section.begin == section.end)
    return 0;
  /* The first run has written nothing yet.  */
  const long size = mip_system_call (SYS_lseek, file, 0, SEEK_END, 0);
  if (chunk->stored % bytes != 0 || (size > 0 && end > (size_t) size))
    return 1;
  mip_system_call (SYS_lseek, file, (long) end, SEEK_SET, 0);
  long result = write_row (file, &section, &check);
  if (result == 0)
    result = mip_map (0, end + bytes, MAP_SHARED, file);
  bool is_new = false;
  if (!mip_is_error (result))
    {
      is_new
	= is_new_row ((char *) result, fixed, end, bytes, (uint32_t) check);
      mip_system_call (SYS_munmap, result, (long) (end + bytes), 0, 0);
      result = 0;
    }
  if (is_new)
    chunk->stored += bytes;
  else
    mip_system_call (SYS_ftruncate, file, size > 0 ? (long) end : 0, 0, 0);
  header->bytes = fixed + chunk->stored;
  return (int) result;
}
