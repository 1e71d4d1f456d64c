/* Finding the existing pages of a sparse range.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   There are three ways, tried in this order: PAGEMAP_SCAN, with which the
   kernel searches for pages (Linux 6.7); mincore, which gives a byte for each
   page in memory, is cheap where page tables are missing, and suffices while
   nothing is in swap; and pagemap, which gives a word for each page.  Only the
   second one works when the process may not read /proc/self/pagemap, as after a
   change of user.  */

#include "sys.h"
#include "system-call.h"
#include <elf.h>
#include <fcntl.h>
#include <sys/sysinfo.h>

/* The request PAGEMAP_SCAN and its structures, missing from headers before
   Linux 6.7.  */
struct scanned_region
{
  uint64_t start, end, categories;
};

/* Regions of one request.  */
#define REGIONS_AT_ONCE 32u

struct scan
{
  uint64_t bytes; /* of this structure */
  uint64_t flags;
  uint64_t start, end;
  uint64_t walk_end;
  uint64_t regions, region_count;
  uint64_t max_pages;
  uint64_t inverted, mask, any_of, wanted;
};

#define SCAN_REQUEST 0xc0606610ul
#define SCAN_PRESENT (1u << 3)
#define SCAN_SWAPPED (1u << 4)

/* The upper bits of pagemap's words: in memory, in swap.  */
#define WORD_EXISTS_SHIFT 62

#define PAGES_AT_ONCE 512u

#if MACHINE_LEAST_PAGE_BYTES != MACHINE_MOST_PAGE_BYTES

size_t
sys_page_bytes (void)
{
  static size_t bytes;
  if (__atomic_load_n (&bytes, __ATOMIC_RELAXED) == 0)
    {
      const size_t found = sys_auxiliary (AT_PAGESZ);
      __atomic_store_n (&bytes, found != 0 ? found : SYS_PAGE_BYTES,
			__ATOMIC_RELAXED);
    }
  return __atomic_load_n (&bytes, __ATOMIC_RELAXED);
}

#endif

int
sys_open_page_table (void)
{
  return sys_open ("/proc/self/pagemap", O_RDONLY, 0);
}

/* Store at most N regions of existing pages in REGIONS; return how many, or a
   negative errno.  */

static long
scan_for_regions (int fd, const struct sys_run *run,
		  struct scanned_region *regions, unsigned n)
{
  struct scan scan = { .bytes = sizeof scan,
		       .start = run->start,
		       .end = run->end,
		       .regions = (uint64_t) (uintptr_t) regions,
		       .region_count = n,
		       .any_of = SCAN_PRESENT | SCAN_SWAPPED,
		       .wanted = SCAN_PRESENT | SCAN_SWAPPED };
  return system_call_4 (SYS_ioctl, fd, (long) SCAN_REQUEST, (long) &scan, 0);
}

/* Each function below sets *RUN to the first existing pages in *RUN, possibly
   not all contiguous ones, or makes it empty if there are none.  Return false
   on failure.  */

static bool
scan_for_pages (int fd, struct sys_run *run)
{
  struct scanned_region region;
  const long found = scan_for_regions (fd, run, &region, 1);
  if (found < 0)
    return false;
  if (found == 0)
    run->start = run->end;
  else
    *run = (struct sys_run){ region.start, region.end };
  return true;
}

/* Set *RUN to the first of the PAGES pages from AT whose EXISTS is nonzero;
   return false if there is none.  */

static bool
find_run (const unsigned char *exists, size_t pages, uintptr_t at,
	  struct sys_run *run)
{
  size_t first = 0;
  while (first < pages && exists[first] == 0)
    first++;
  size_t last = first;
  while (last < pages && exists[last] != 0)
    last++;
  if (first == pages)
    return false;
  *run = (struct sys_run){ at + first * sys_page_bytes (),
			   at + last * sys_page_bytes () };
  return true;
}

static bool
swap_is_in_use (void)
{
  struct sysinfo info;
  return system_call_4 (SYS_sysinfo, (long) &info, 0, 0, 0) != 0
	 || info.freeswap != info.totalswap;
}

/* Fill in EXISTS for the PAGES pages from AT.  */

static bool
ask_for_residents (uintptr_t at, size_t pages, unsigned char *exists)
{
  if (system_call_4 (SYS_mincore, (long) at, (long) (pages * sys_page_bytes ()),
		     (long) exists, 0)
      != 0)
    return false;
  for (size_t i = 0; i < pages; i++)
    exists[i] &= 1;
  return true;
}

bool
sys_find_resident (const void *address, size_t pages, unsigned char *exists)
{
  return !swap_is_in_use ()
	 && ask_for_residents ((uintptr_t) address, pages, exists);
}

static bool
read_page_table (int fd, uintptr_t at, size_t pages, unsigned char *exists)
{
  uint64_t words[PAGES_AT_ONCE];
  const long bytes = (long) (pages * sizeof words[0]);
  if (system_call_4 (SYS_pread64, fd, (long) words, bytes,
		     (long) (at / sys_page_bytes () * sizeof words[0]))
      != bytes)
    return false;
  for (size_t i = 0; i < pages; i++)
    exists[i] = (unsigned char) (words[i] >> WORD_EXISTS_SHIFT);
  return true;
}

static bool
look_for_pages (int fd, struct sys_run *run, bool bytes)
{
  /* Matches the kernel's internal step for mincore.  */
  unsigned char exists[8 * PAGES_AT_ONCE];
  uintptr_t at = run->start;
  while (at < run->end)
    {
      const size_t most = bytes ? sizeof exists : PAGES_AT_ONCE;
      size_t pages = (run->end - at) / sys_page_bytes ();
      if (pages > most)
	pages = most;
      if (bytes ? !ask_for_residents (at, pages, exists)
		: !read_page_table (fd, at, pages, exists))
	return false;
      if (find_run (exists, pages, at, run))
	return true;
      at += pages * sys_page_bytes ();
    }
  run->start = run->end;
  return true;
}

struct sys_run
sys_find_pages (int fd, uintptr_t start, uintptr_t end)
{
  const struct sys_run all = { start, end };
  struct sys_run run = all;
  if (fd >= 0 && scan_for_pages (fd, &run))
    return run;
  run = all;
  return look_for_pages (fd, &run, !swap_is_in_use ()) ? run : all;
}

unsigned
sys_find_runs (int fd, uintptr_t start, uintptr_t end, struct sys_run *runs,
	       unsigned n)
{
  const struct sys_run all = { start, end };
  struct scanned_region regions[REGIONS_AT_ONCE];
  const unsigned most = n < REGIONS_AT_ONCE ? n : REGIONS_AT_ONCE;
  const long found = fd < 0 ? -1 : scan_for_regions (fd, &all, regions, most);
  for (long i = 0; i < found; i++)
    runs[i] = (struct sys_run){ regions[i].start, regions[i].end };
  if (found >= 0)
    return (unsigned) found;
  unsigned count = 0;
  while (count < n && start < end)
    {
      struct sys_run run = { start, end };
      if (fd >= 0)
	run = sys_find_pages (fd, start, end);
      else if (!look_for_pages (fd, &run, true))
	run = (struct sys_run){ start, end };
      start = run.end;
      if (run.start < run.end)
	runs[count++] = run;
    }
  return count;
}
