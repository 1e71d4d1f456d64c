/* Recording which blocks ran in a file of several runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Most blocks without a byte of their own ran if any of certain other blocks
   did, so the number of their runs does not follow from the numbers of runs per
   byte.  Hence the bytes of each run are kept, one bit each; runs that marked
   the same bytes share a row.  This is linked only if a program has block
   probes.  */

#include "mip-runtime.h"
#include "mip-system.h"

/* Pack the coverage bytes from SLOT to END, at most 64, into one bit each.  */

static uint64_t
pack (const char *slot, const char *end)
{
  uint64_t word = 0;
  for (int bit = 0; bit < 64 && slot != end; bit++, slot++)
    word |= (uint64_t) mip_is_marked (*slot) << bit;
  return word;
}

/* Write the row of SECTION to FILE, with zeros in place of its head, and set
   *CHECK to the check value of its words.  Return 0, or a negated error
   number.  */

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
	= mip_system_call_3 (SYS_write, file, (long) words, (long) n);
      if (written != (long) n)
	return written < 0 ? (int) written : -ENOSPC;
      n = 0;
    }
  while (slot < section->end);
  return 0;
}

/* FILE is mapped at TO and has rows of BYTES bytes from BEGIN; the row at END
   has the check value CHECK.  If no earlier row is the same, complete this one
   and return true.  Otherwise count one more run for that row, after doing so
   in the header, so that no row ever has more runs than the header.  */

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
  /* In the first run the file is still empty.  */
  const long size = mip_system_call_3 (SYS_lseek, file, 0, SEEK_END);
  if (chunk->stored % bytes != 0 || (size > 0 && end > (size_t) size))
    return 1;
  mip_system_call_3 (SYS_lseek, file, (long) end, SEEK_SET);
  long result = write_row (file, &section, &check);
  if (result == 0)
    result = mip_map (0, end + bytes, MAP_SHARED, file);
  bool is_new = false;
  if (!mip_is_error (result))
    {
      is_new
	= is_new_row ((char *) result, fixed, end, bytes, (uint32_t) check);
      mip_system_call_3 (SYS_munmap, result, (long) (end + bytes), 0);
      result = 0;
    }
  if (is_new)
    chunk->stored += bytes;
  else
    mip_system_call_3 (SYS_ftruncate, file, size > 0 ? (long) end : 0, 0);
  header->bytes = fixed + chunk->stored;
  return (int) result;
}

int (*mip_blocks_function) (int file, char *to, size_t fixed)
  = __heapprof_mip_blocks;
