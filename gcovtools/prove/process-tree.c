/* All living processes that this process has started, and their children.
   SPDX-License-Identifier: GPL-3.0-or-later

   From /proc, whose files may disappear at any moment: then the process has
   ended, and is left out.  */

#include "process-tree.h"
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define NAME_BYTES 64
#define PATH_BYTES (NAME_BYTES + 64)

/* Deeper trees do not end by themselves.  */
#define MAX_DEPTH 100

/* Called for each process; returns false to stop.  */
typedef bool process_visitor (pid_t process, void *data);

static bool visit_children (pid_t parent, process_visitor *visit, void *data,
			    unsigned depth);

void
process_tree_start (void)
{
  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static FILE *
open_file (pid_t process, const char *name, const char *mode)
{
  char path[PATH_BYTES];
  snprintf (path, sizeof path, "/proc/%ld/%s", (long) process, name);
  return fopen (path, mode);
}

/* Visit the children of one thread of PARENT, and theirs.  */
static bool
visit_children_of_thread (pid_t parent, const char *thread,
			  process_visitor *visit, void *data, unsigned depth)
{
  char name[NAME_BYTES];
  int bytes = snprintf (name, sizeof name, "task/%s/children", thread);
  FILE *file
    = bytes < (int) sizeof name ? open_file (parent, name, "re") : NULL;
  if (file == NULL)
    return true;
  bool is_going = true;
  long child;
  while (is_going && fscanf (file, "%ld", &child) == 1)
    is_going = visit ((pid_t) child, data)
	       && visit_children ((pid_t) child, visit, data, depth + 1);
  fclose (file);
  return is_going;
}

static bool
visit_children (pid_t parent, process_visitor *visit, void *data,
		unsigned depth)
{
  char path[PATH_BYTES];
  snprintf (path, sizeof path, "/proc/%ld/task", (long) parent);
  DIR *folder = depth < MAX_DEPTH ? opendir (path) : NULL;
  if (folder == NULL)
    return true;
  bool is_going = true;
  const struct dirent *entry;
  while (is_going && (entry = readdir (folder)) != NULL)
    if (entry->d_name[0] != '.')
      is_going
	= visit_children_of_thread (parent, entry->d_name, visit, data, depth);
  closedir (folder);
  return is_going;
}

static bool
visit_all (process_visitor *visit, void *data)
{
  return visit_children (getpid (), visit, data, 0);
}

/* Return the CPU time of ended children that PROCESS has waited for.  */
static double
ended_children_ns (pid_t process)
{
  char line[1024];
  FILE *file = open_file (process, "stat", "re");
  if (file == NULL)
    return 0;
  const char *fields
    = fgets (line, sizeof line, file) != NULL ? strrchr (line, ')') : NULL;
  fclose (file);
  unsigned long user = 0;
  unsigned long system = 0;
  /* The state, field 3, follows the name; these are fields 16 and 17.  */
  if (fields == NULL
      || sscanf (fields + 1,
		 " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lu %lu",
		 &user, &system)
	   != 2)
    return 0;
  return (double) (user + system) * 1e9 / (double) sysconf (_SC_CLK_TCK);
}

static bool
add_cpu (pid_t process, void *data)
{
  double *ns = data;
  clockid_t clock;
  struct timespec used;
  if (clock_getcpuclockid (process, &clock) == 0
      && clock_gettime (clock, &used) == 0)
    *ns += (double) used.tv_sec * 1e9 + (double) used.tv_nsec
	   + ended_children_ns (process);
  return true;
}

double
process_tree_cpu_ns (void)
{
  double ns = 0;
  visit_all (add_cpu, &ns);
  return ns;
}

/* Write TEXT to the file NAME of PROCESS.  */
static bool
write_file (pid_t process, const char *name, const char *text)
{
  FILE *file = open_file (process, name, "we");
  if (file == NULL)
    return false;
  bool is_done = fputs (text, file) >= 0;
  return fclose (file) == 0 && is_done;
}

static bool
clear_references (pid_t process, void *data)
{
  bool *is_done = data;
  /* Clearing `4', whether a page was written to, also makes the processors
     forget addresses.  Otherwise they would not mark the pages of addresses
     that they remember.  */
  if (write_file (process, "clear_refs", "1")
      && write_file (process, "clear_refs", "4"))
    *is_done = true;
  return true;
}

bool
process_tree_clear_references (void)
{
  bool is_done = false;
  visit_all (clear_references, &is_done);
  return is_done;
}

struct referenced
{
  uint64_t bytes;
  bool is_known;
};

/* Return true if LINE starts the description of a mapping, and set *HAS_FILE.
   The kernel's own mappings count as files.  */
static bool
is_mapping (const char *line, bool *has_file)
{
  unsigned long inode;
  int end = 0;
  if (sscanf (line, "%*x-%*x %*s %*x %*x:%*x %lu %n", &inode, &end) != 1)
    return false;
  const char *name = line + end;
  *has_file = inode != 0 || strncmp (name, "[v", 2) == 0;
  return true;
}

static bool
add_referenced (pid_t process, void *data)
{
  struct referenced *referenced = data;
  FILE *file = open_file (process, "smaps", "re");
  if (file == NULL)
    return true;
  char *line = NULL;
  size_t capacity = 0;
  bool has_file = true;
  uint64_t kilobytes;
  while (getline (&line, &capacity, file) > 0)
    if (!is_mapping (line, &has_file)
	&& sscanf (line, "Referenced: %" SCNu64 " kB", &kilobytes) == 1)
      {
	referenced->bytes += has_file ? 0 : kilobytes * 1024;
	referenced->is_known = true;
      }
  free (line);
  fclose (file);
  return true;
}

bool
process_tree_referenced (uint64_t *bytes)
{
  struct referenced referenced = { 0 };
  visit_all (add_referenced, &referenced);
  *bytes = referenced.bytes;
  return referenced.is_known;
}

static bool
kill_one (pid_t process, void *data)
{
  kill (process, *(int *) data);
  return true;
}

void
process_tree_kill (int signal_number)
{
  visit_all (kill_one, &signal_number);
}

static bool
take_first (pid_t process, void *data)
{
  *(pid_t *) data = process;
  return false;
}

pid_t
process_tree_first (void)
{
  pid_t process = 0;
  visit_all (take_first, &process);
  return process;
}
