/* Replacing the running file by a packed profile.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The running file stays unchanged until the packed one is complete and takes
   its name: if the process is killed meanwhile, or the disk is full, nothing is
   lost.  */

#include "raw-replace.h"
#include "affinity.h"
#include "bytes.h"
#include "histogram.h"
#include "leaks.h"
#include "format.h"
#include "mib-table.h"
#include "raw-file.h"
#include "raw-pack.h"
#include "resident.h"
#include "sys.h"
#include "timeline.h"
#include <errno.h>
#include <fcntl.h>

/* What packing takes for a MIB and its contexts, or a context alone.  */
#define MIB_NS 65u
#define CONTEXT_NS 33u

/* The program's exit may be delayed by a tenth of the time that it ran, but at
   least by the first and at most by the second of these.  To create a context
   and its MIB takes ten times as long as to pack them, so a profile that is not
   packed is one of a program with more than 30 million contexts, or one that
   created 1.5 million and more in less than a second.  */
#define DELAY_NS_LEAST UINT64_C (100000000)
#define DELAY_NS_MOST UINT64_C (2000000000)

/* The balances not used yet.  */
struct walk
{
  const struct heapprof_raw_live *next;
  const struct heapprof_raw_live *end;
};

static bool
get_mib (void *data, uint32_t place, struct rt_pack_mib *mib)
{
  struct walk *const walk = data;
  const uint32_t index = rt_mib_at_place_now (place);
  if (!rt_mib_copy (index, &mib->record, &mib->wide, &mib->moment))
    return false;
  while (walk->next < walk->end && walk->next->mib < index)
    walk->next++;
  if (walk->next < walk->end && walk->next->mib == index)
    {
      mib->live_count = walk->next->count;
      mib->live_bytes = walk->next->bytes;
    }
  return true;
}

static void
put_histograms (void *data, uint32_t context_count)
{
  (void) data;
  rt_histogram_pack (context_count);
}

struct ended
{
  uint64_t end_ns;
  const struct rt_balances *balances;
};

static int
write_packed (int fd, void *data)
{
  static struct heapprof_raw_header header;
  const struct ended *const ended = data;
  const struct rt_balances *const balances = ended->balances;
  struct walk walk
    = { .next = balances->records, .end = balances->records + balances->count };
  const struct rt_pack_source source
    = { .header = &header,
	.context_count = rt_record_count (RT_CONTEXTS),
	.segment_count = rt_record_count (RT_SEGMENTS),
	.mib_count = rt_mib_places_now (),
	.data = &walk,
	.leave_context = rt_resident_leave_behind,
	.get_mib = get_mib,
	.put_histograms = rt_histogram_is_on () ? put_histograms : NULL,
	.put_affinities = rt_affinity_is_recorded () ? rt_affinity_pack : NULL,
	.timeline = rt_timeline (),
	.mark_count = rt_record_count (RT_MARKS),
	.thread_count = rt_record_count (RT_THREADS),
	.has_leaks = rt_leaks_are_known () };
  own_memcpy (&header, rt_raw_header, sizeof header);
  header.state = HEAPPROF_RAW_COMPLETE;
  header.end_time_ns = ended->end_ns;
  return rt_pack (&source, fd);
}

/* Give TEMPORARY the running file's name, if that name still refers to the
   running file.  */

static int
take_place (const char *temporary)
{
  const int running = rt_raw_open_again ();
  if (running < 0)
    return running;
  sys_close (running);
  return sys_rename (temporary, rt_raw_path ());
}

int
rt_raw_replace_by (int (*write) (int fd, void *data), void *data, int running)
{
  static char temporary[RT_PATH_BYTES + 8];
  rt_format (temporary, sizeof temporary, "%s.tmp", rt_raw_path ());
  bool has_name;
  const int fd = rt_raw_open_beside (temporary, &has_name);
  if (fd < 0)
    return fd;
  int error = sys_copy_access (running, fd);
  if (error == 0)
    error = write (fd, data);
  if (error == 0 && !has_name)
    {
      sys_remove_file (temporary);
      error = sys_give_name (fd, temporary);
      has_name = error == 0;
    }
  sys_close (fd);
  if (error == 0)
    error = take_place (temporary);
  if (error != 0 && has_name)
    sys_remove_file (temporary);
  return error;
}

/* True if packing CONTEXTS and MIBS would delay the exit of a program that ran
   for RUN_NS too much.  */

static bool
takes_too_long (uint32_t contexts, uint32_t mibs, uint64_t run_ns)
{
  const uint64_t of_contexts = (uint64_t) contexts * CONTEXT_NS;
  const uint64_t of_mibs = (uint64_t) mibs * MIB_NS;
  uint64_t limit = run_ns / 10;
  if (limit < DELAY_NS_LEAST)
    limit = DELAY_NS_LEAST;
  if (limit > DELAY_NS_MOST)
    limit = DELAY_NS_MOST;
  return of_contexts > limit || of_mibs > limit;
}

int
rt_raw_replace (int running, uint64_t end_ns,
		const struct rt_balances *balances)
{
  struct ended ended = { .end_ns = end_ns, .balances = balances };
  if (takes_too_long (rt_record_count (RT_CONTEXTS), rt_mib_places_now (),
		      end_ns))
    return -EFBIG;
  return rt_raw_replace_by (write_packed, &ended, running);
}
