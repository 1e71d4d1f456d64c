/* Debug information and binaries that a debuginfod server has.
   SPDX-License-Identifier: GPL-3.0-or-later

   The servers are those of the environment variable DEBUGINFOD_URLS; if it is
   not set, nothing is asked and nothing loaded.  elfutils' client does the
   asking: it is loaded when it is needed, keeps what it gets in its cache, and
   obeys its own variables.  libdw would load it wherever debug information is
   missing, which costs 20 ms, and could not say how far it is.  */

#ifndef HEAPPROF_DEBUG_SERVER_H
#define HEAPPROF_DEBUG_SERVER_H

#include <stddef.h>
#include <stdint.h>

enum debug_server_part
{
  DEBUG_SERVER_INFO,
  DEBUG_SERVER_EXECUTABLE /* or library */
};

/* Ask for the PART of the binary with the build ID of SIZE bytes at BUILD_ID.
   Return a descriptor, and in *PATH, malloced, where the file is; -1 if no
   server is set or has it, or none answers.  */
int debug_server_fetch (enum debug_server_part part, const uint8_t *build_id,
			size_t size, char **path);

/* Why servers are not asked, though they should be, in words for the user; NULL
   if they are.  */
const char *debug_server_problem (void);

/* Have PROGRESS called while something is fetched: DONE of TOTAL bytes are
   there, TOTAL being 0 if it is not known.  It may be called by any thread, by
   one at a time.  */
typedef void debug_server_progress (size_t done, size_t total);
void debug_server_set_progress (debug_server_progress *progress);

#endif /* HEAPPROF_DEBUG_SERVER_H */
