/* Debug information and binaries from debuginfod servers.
   SPDX-License-Identifier: GPL-3.0-or-later

   The environment variable DEBUGINFOD_URLS has the servers; without it nothing
   is requested and nothing loaded. elfutils' client does the transfers: it is
   loaded when it is needed, stores files in its cache, and obeys its own
   variables. libdw would load it wherever debug information is missing, which
   costs 20 ms, and could not report progress.  */

#ifndef HEAPPROF_DEBUG_SERVER_H
#define HEAPPROF_DEBUG_SERVER_H

#include <stddef.h>
#include <stdint.h>

enum debug_server_part
{
  DEBUG_SERVER_INFO,
  DEBUG_SERVER_EXECUTABLE /* or library */
};

/* Fetch the PART of the binary with the build ID of SIZE bytes at BUILD_ID.
   Return a descriptor, and set *PATH, malloced, to the path of the file; return
   -1 if no server is set, has it, or responds.  */
int debug_server_fetch (enum debug_server_part part, const uint8_t *build_id,
			size_t size, char **path);

/* Return why servers are not used, as text for the user; NULL if they are.  */
const char *debug_server_problem (void);

/* Call PROGRESS while a file is fetched: DONE of TOTAL bytes have arrived,
   TOTAL being 0 if it is unknown.  Any thread may call it, but only one at a
   time.  */
typedef void debug_server_progress (size_t done, size_t total);
void debug_server_set_progress (debug_server_progress *progress);

#endif /* HEAPPROF_DEBUG_SERVER_H */
