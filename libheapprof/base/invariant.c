/* Run-time checks of invariants.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "invariant.h"
#include "log.h"
#include "sys.h"
#include "text.h"

static void (*end_of_profile) (void);

void
rt_check_start (void (*end_profile) (void))
{
  end_of_profile = end_profile;
}

void
rt_check_failed (const char *file, unsigned line, const char *what)
{
  static bool said;
  const char *const slash = text_find_last (file, '/');
  rt_log_once (&said,
	       "internal data corrupted, perhaps by the program (%s:%u: %s);"
	       " profiling stopped",
	       slash != NULL ? slash + 1 : file, (uint64_t) line, what);
  if (HEAPPROF_CHECKING > 0)
    sys_abort ();
  if (end_of_profile != NULL)
    end_of_profile ();
}
