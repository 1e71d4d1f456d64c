/* Debug information and binaries from debuginfod servers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "debug-server.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#define CLIENT_LIBRARY "libdebuginfod.so.1"

/* Servers that send nothing for this many seconds are not used again, unless
   DEBUGINFOD_TIMEOUT, which the client obeys, too, sets another limit.  */
#define LONGEST_SILENCE_S 30

/* From elfutils' <debuginfod.h>, which is in a separate package.  */
typedef struct debuginfod_client debuginfod_client;
typedef debuginfod_client *begin_function (void);
typedef void end_function (debuginfod_client *client);
typedef int find_function (debuginfod_client *client,
			   const unsigned char *build_id, int size,
			   char **path);
typedef int progress_function (debuginfod_client *client, long done,
			       long total);
typedef void set_progress_function (debuginfod_client *client,
				    progress_function *progress);

static struct
{
  pthread_mutex_t lock; /* guards all members */
  bool has_looked;
  begin_function *begin; /* NULL: there is no client */
  end_function *end;
  find_function *find_debug_info;
  find_function *find_executable;
  set_progress_function *set_progress;
  const char *problem;
  debug_server_progress *progress;
  /* State of the file being fetched.  */
  long done;
  time_t last_change;
  long longest_silence_s;
} server = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const char no_answer[] = "the servers in DEBUGINFOD_URLS do not respond";

static bool
is_set (void)
{
  const char *urls = getenv ("DEBUGINFOD_URLS");
  return urls != NULL && urls[0] != '\0';
}

static time_t
now_s (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

static void
load_client (void)
{
  server.has_looked = true;
  void *library = dlopen (CLIENT_LIBRARY, RTLD_LAZY);
  if (library != NULL)
    {
      server.end = (end_function *) dlsym (library, "debuginfod_end");
      server.find_debug_info
	= (find_function *) dlsym (library, "debuginfod_find_debuginfo");
      server.find_executable
	= (find_function *) dlsym (library, "debuginfod_find_executable");
      server.set_progress
	= (set_progress_function *) dlsym (library,
					   "debuginfod_set_progressfn");
      if (server.end != NULL && server.find_debug_info != NULL
	  && server.find_executable != NULL && server.set_progress != NULL)
	server.begin = (begin_function *) dlsym (library, "debuginfod_begin");
    }
  if (server.begin == NULL)
    server.problem
      = "DEBUGINFOD_URLS is set, but the client library " CLIENT_LIBRARY
	" is not installed";
}

static long
longest_silence_s (void)
{
  const char *text = getenv ("DEBUGINFOD_TIMEOUT");
  long seconds = text != NULL ? strtol (text, NULL, 10) : 0;
  return seconds > 0 ? seconds : LONGEST_SILENCE_S;
}

/* Called by the client periodically; a nonzero result aborts the transfer.
   DONE is not a number of bytes as long as the size is unknown.  */
static int
watch (debuginfod_client *client, long done, long total)
{
  (void) client;
  if (total > 0 && done != server.done)
    {
      server.done = done;
      server.last_change = now_s ();
    }
  if (server.progress != NULL)
    server.progress (total > 0 ? (size_t) done : 0,
		     total > 0 ? (size_t) total : 0);
  if (now_s () - server.last_change < server.longest_silence_s)
    return 0;
  server.problem = no_answer;
  return 1;
}

/* debug_server_fetch with the lock held.  */
static int
fetch (enum debug_server_part part, const uint8_t *build_id, size_t size,
       char **path)
{
  if (!server.has_looked)
    load_client ();
  if (server.begin == NULL || server.problem != NULL)
    return -1;
  debuginfod_client *client = server.begin ();
  if (client == NULL)
    return -1;
  server.done = 0;
  server.last_change = now_s ();
  server.longest_silence_s = longest_silence_s ();
  server.set_progress (client, watch);
  find_function *find = part == DEBUG_SERVER_INFO ? server.find_debug_info
						  : server.find_executable;
  int descriptor = find (client, build_id, (int) size, path);
  server.end (client);
  /* The client has a limit of its own.  */
  if (descriptor == -ETIME || descriptor == -ETIMEDOUT)
    server.problem = no_answer;
  return descriptor < 0 ? -1 : descriptor;
}

int
debug_server_fetch (enum debug_server_part part, const uint8_t *build_id,
		    size_t size, char **path)
{
  *path = NULL;
  if (size == 0 || !is_set ())
    return -1;
  pthread_mutex_lock (&server.lock);
  int descriptor = fetch (part, build_id, size, path);
  pthread_mutex_unlock (&server.lock);
  return descriptor;
}

const char *
debug_server_problem (void)
{
  pthread_mutex_lock (&server.lock);
  const char *problem = server.problem;
  pthread_mutex_unlock (&server.lock);
  return problem;
}

void
debug_server_set_progress (debug_server_progress *progress)
{
  pthread_mutex_lock (&server.lock);
  server.progress = progress;
  pthread_mutex_unlock (&server.lock);
}
