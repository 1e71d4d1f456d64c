/* Access counters where address space is limited: mapped piece by piece.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The kernel refused 16 TiB: a limit is set (ulimit -v), or it counts every
   mapping as used (vm.overcommit_memory=2).  Instrumented code must still work.
   So counters get addresses that nothing else uses, and the first access to
   each piece of 1 MiB, the counters of 8 MiB of program memory, raises SIGSEGV;
   the handler maps the piece and the access is repeated.

   If no more pieces can be mapped, the oldest piece is unmapped.  Its counts
   are lost, which is reported once.

   valgrind refuses 16 TiB, too, and does not repeat an access correctly.  But
   its programs have addresses below 2^37, so their counters need only 16 GiB.
   If the stack's address shows that, these are mapped at the start, and no
   access raises SIGSEGV.  */

#include "shadow-pieces.h"
#include "bytes.h"
#include "lock.h"
#include "log.h"
#include "options.h"
#include "own-maps.h"
#include "shadow-fault.h"
#include "shadow.h"
#include "sys.h"
#include <fcntl.h>
#include <stddef.h>

#define PIECE_SHIFT 20
#define PIECE_BYTES ((size_t) 1 << PIECE_SHIFT)
#define PIECES (RT_SHADOW_BYTES >> PIECE_SHIFT)
#define MAX_MAPPED 16384u

/* Counters of addresses below 2^40; Linux itself places the stack far
   above.  */
#define LOW_BYTES ((uint64_t) 1 << (40 - 3))

uint8_t *rt_shadow_pieces;

static char *base;
static bool is_reserved; /* the addresses are reserved, but not the memory */
static struct rt_lock lock;

/* Ring of the numbers of the mapped pieces, oldest first.  */
static uint32_t mapped[MAX_MAPPED];
static uint32_t oldest, mapped_count;

static bool
piece_exists (uint32_t piece)
{
  return (__atomic_load_n (&rt_shadow_pieces[piece / 8], __ATOMIC_ACQUIRE)
	    >> piece % 8
	  & 1)
	 != 0;
}

static bool
map_piece (uint32_t piece)
{
  char *const start = base + ((size_t) piece << PIECE_SHIFT);
  if (mapped_count == MAX_MAPPED)
    return false;
  if (is_reserved ? !sys_map_over (start, PIECE_BYTES)
		  : sys_map_at (start, PIECE_BYTES) == NULL)
    return false;
  mapped[(oldest + mapped_count++) % MAX_MAPPED] = piece;
  __atomic_fetch_or (&rt_shadow_pieces[piece / 8], (uint8_t) (1u << piece % 8),
		     __ATOMIC_RELEASE);
  return true;
}

/* Unmap the oldest piece.  */

static void
unmap_oldest (void)
{
  static bool said;
  const uint32_t piece = mapped[oldest];
  char *const start = base + ((size_t) piece << PIECE_SHIFT);
  rt_log_once (&said, "memory limit too low for access counters:"
		      " some counts are lost");
  __atomic_fetch_and (&rt_shadow_pieces[piece / 8],
		      (uint8_t) ~(1u << piece % 8), __ATOMIC_RELEASE);
  if (is_reserved)
    sys_reserve_over (start, PIECE_BYTES);
  else
    sys_unmap (start, PIECE_BYTES);
  oldest = (oldest + 1) % MAX_MAPPED;
  mapped_count--;
}

/* Map all pieces for addresses up to the stack's, if there are few; these are
   never unmapped.  */

static bool
map_low_pieces (void)
{
  const uintptr_t stack = (uintptr_t) __builtin_frame_address (0);
  const unsigned bits = 64 - (unsigned) __builtin_clzl (stack);
  const uint64_t bytes
    = ((uint64_t) 1 << bits) / HEAPPROF_GRANULE_BYTES * HEAPPROF_COUNTER_BYTES;
  if (bytes > LOW_BYTES || bytes < 8 * PIECE_BYTES
      || (is_reserved ? !sys_map_over (base, bytes)
		      : sys_map_at (base, bytes) == NULL))
    return false;
  sys_mark_sparse (base, bytes);
  own_memset (rt_shadow_pieces, 0xff, (bytes >> PIECE_SHIFT) / 8);
  return true;
}

/* Map the piece at OFFSET if it is missing; return false if that fails.  */

static bool
provide (uintptr_t offset)
{
  const uint32_t piece = (uint32_t) (offset >> PIECE_SHIFT);
  bool provided;
  rt_lock (&lock);
  while (!(provided = piece_exists (piece) || map_piece (piece))
	 && mapped_count > 0)
    unmap_oldest ();
  rt_unlock (&lock);
  return provided;
}

/* True if a mapping of the process overlaps [START, END).  TEXT is the start of
   /proc/self/maps, terminated.  */

static bool
range_is_used (const char *text, uintptr_t start, uintptr_t end)
{
  uintptr_t bounds[2] = { 0, 0 };
  unsigned which = 0;
  for (; *text != '\0'; text++)
    {
      const char c = *text;
      const int digit = c >= '0' && c <= '9'   ? c - '0'
			: c >= 'a' && c <= 'f' ? c - 'a' + 10
					       : -1;
      if (which < 2 && digit >= 0)
	bounds[which] = bounds[which] * 16 + (unsigned) digit;
      else if (which < 2 && (c == '-' || c == ' '))
	which++;
      if (c != '\n')
	continue;
      if (bounds[0] < end && bounds[1] > start)
	return true;
      bounds[0] = bounds[1] = which = 0;
    }
  return false;
}

/* Return 16 TiB of unused addresses that the kernel will not use on its own: it
   works downwards from the stack and upwards from the program, both in the
   upper third of the address space.  */

static char *
unused_range (void)
{
  static char maps[65536];
  size_t got = 0;
  const int fd = sys_open ("/proc/self/maps", O_RDONLY, 0);
  if (fd >= 0)
    {
      sys_read_all (fd, maps, sizeof maps - 1, &got);
      sys_close (fd);
    }
  maps[got] = '\0';
  for (uintptr_t at = RT_SHADOW_BYTES; at < 5 * RT_SHADOW_BYTES;
       at += RT_SHADOW_BYTES)
    if (!range_is_used (maps, at, at + RT_SHADOW_BYTES))
      return (char *) at;
  return (char *) RT_SHADOW_BYTES;
}

void *
rt_shadow_pieces_start (void)
{
  base = sys_reserve (RT_SHADOW_BYTES);
  is_reserved = base != NULL;
  if (!is_reserved)
    base = unused_range ();
  own_map_add (base, RT_SHADOW_BYTES);
  rt_shadow_pieces = sys_map (PIECES / 8);
  /* Map one piece now, to be replaced by the first one that does not fit: that
     of the lowest addresses, which nothing uses.  */
  if (rt_shadow_pieces == NULL || !(map_low_pieces () || map_piece (0)))
    {
      rt_log ("out of memory for access counters: cannot run under this"
	      " memory limit");
      sys_exit (127);
    }
  rt_shadow_fault_start (base, provide);
  if (rt_options.verbose > 0)
    rt_log ("memory is limited: access counters are mapped as needed");
  return base;
}

const uint64_t *
rt_shadow_piece_end_slowly (const uint64_t *first, const uint64_t *end,
			    bool *exists)
{
  const size_t offset = (size_t) ((const char *) first - base);
  const uint32_t piece = (uint32_t) (offset >> PIECE_SHIFT);
  const uint64_t *const next
    = (const uint64_t *) (base + ((size_t) (piece + 1) << PIECE_SHIFT));
  *exists = piece_exists (piece);
  return next < end ? next : end;
}
