/* Runs of commands under valgrind's cachegrind.
   SPDX-License-Identifier: GPL-3.0-or-later

   cachegrind writes a file for each process.  Its line `events:' names the
   columns of the line `summary:', which has the sums.  */

#include "cache-simulation.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPTION_BYTES 100

/* The events that are counted, and what they are added to.  */
enum
{
  COUNT_INSTRUCTIONS = 1,
  COUNT_D1 = 2,
  COUNT_LL = 4
};

static const struct
{
  const char *event;
  unsigned counts;
} events[] = { { "Ir", COUNT_INSTRUCTIONS }, { "D1mr", COUNT_D1 },
	       { "D1mw", COUNT_D1 },	     { "ILmr", COUNT_LL },
	       { "DLmr", COUNT_LL },	     { "DLmw", COUNT_LL } };

static void
add_event (struct cache_counts *counts, const char *event, double number)
{
  for (size_t i = 0; i < sizeof events / sizeof *events; i++)
    {
      if (strcmp (events[i].event, event) != 0)
	continue;
      counts->instructions
	+= events[i].counts & COUNT_INSTRUCTIONS ? number : 0;
      counts->d1_misses += events[i].counts & COUNT_D1 ? number : 0;
      counts->ll_misses += events[i].counts & COUNT_LL ? number : 0;
    }
}

/* Add the sums NUMBERS of the events NAMES, both separated by blanks.  */
static void
add_summary (struct cache_counts *counts, char *names, char *numbers)
{
  char *rest = NULL;
  for (char *name = strtok_r (names, " \n", &rest); name != NULL;
       name = strtok_r (NULL, " \n", &rest))
    {
      char *end;
      double number = strtod (numbers, &end);
      if (end == numbers)
	return;
      add_event (counts, name, number);
      numbers = end;
    }
}

/* Add what the file PATH of a process has.  Return false if it is not
   complete.  */
static bool
add_file (struct cache_counts *counts, const char *path)
{
  static const char names_start[] = "events:";
  static const char sums_start[] = "summary:";
  FILE *file = fopen (path, "re");
  if (file == NULL)
    return false;
  char *line = NULL;
  char *names = NULL;
  size_t capacity = 0;
  bool is_done = false;
  while (!is_done && getline (&line, &capacity, file) > 0)
    if (names == NULL && strncmp (line, names_start, strlen (names_start)) == 0)
      names = strdup (line + strlen (names_start));
    else if (names != NULL
	     && strncmp (line, sums_start, strlen (sums_start)) == 0)
      {
	add_summary (counts, names, line + strlen (sums_start));
	is_done = true;
      }
  free (names);
  free (line);
  fclose (file);
  return is_done;
}

/* Add up the files in FOLDER and remove all of it.  Return the number of
   files, 0 if one of them is not complete.  */
static size_t
add_folder (struct cache_counts *counts, const char *folder)
{
  DIR *stream = opendir (folder);
  size_t count = 0;
  bool is_complete = stream != NULL;
  const struct dirent *entry;
  while (stream != NULL && (entry = readdir (stream)) != NULL)
    {
      char path[PATH_MAX + 256];
      if (entry->d_name[0] == '.')
	continue;
      snprintf (path, sizeof path, "%s/%s", folder, entry->d_name);
      count++;
      is_complete = add_file (counts, path) && is_complete;
      unlink (path);
    }
  if (stream != NULL)
    closedir (stream);
  rmdir (folder);
  return is_complete ? count : 0;
}

/* Make a folder in the one for temporary files.  Its name must not have
   characters that have a meaning in valgrind's option.  */
static bool
make_folder (char folder[PATH_MAX], struct profile_error *err)
{
  const char *parent = getenv ("TMPDIR");
  if (parent == NULL || *parent != '/' || strchr (parent, '%') != NULL
      || strlen (parent) > PATH_MAX - 100)
    parent = "/tmp";
  snprintf (folder, PATH_MAX, "%s/heapprof-prove-XXXXXX", parent);
  return mkdtemp (folder) != NULL
	 || profile_error_set_errno (err, parent, "cannot make a folder",
				     errno);
}

/* Run COMMAND under cachegrind, whose files are in FOLDER.  */
static bool
run_in (const struct process_command *command, const struct cache_sizes *sizes,
	const char *folder, int *interruption, struct profile_error *err)
{
  char d1[OPTION_BYTES];
  char ll[OPTION_BYTES];
  char out[PATH_MAX + 50];
  snprintf (d1, sizeof d1, "--D1=%s", sizes->d1);
  snprintf (ll, sizeof ll, "--LL=%s", sizes->ll);
  snprintf (out, sizeof out, "--cachegrind-out-file=%s/%%p", folder);
  const char *before[] = { "valgrind",
			   "-q",
			   "--tool=cachegrind",
			   "--cache-sim=yes",
			   "--trace-children=yes",
			   "--vgdb=no",
			   d1,
			   ll,
			   out,
			   NULL };
  struct process_command simulated = *command;
  struct process_usage usage;
  simulated.before = before;
  simulated.setting = "HEAPHINT=force";
  simulated.timeout_s = 0;
  simulated.watch_ns = 0;
  return process_run (&simulated, &usage, interruption, err);
}

bool
cache_simulation_run (const struct process_command *command,
		      const struct cache_sizes *sizes,
		      struct cache_counts *counts, int *interruption,
		      struct profile_error *err)
{
  char folder[PATH_MAX];
  *counts = (struct cache_counts){ 0 };
  *interruption = 0;
  if (!make_folder (folder, err))
    return false;
  bool is_done = run_in (command, sizes, folder, interruption, err);
  size_t files = add_folder (counts, folder);
  if (is_done && files == 0)
    return profile_error_set (err, command->name, PROFILE_ERROR_NO_OFFSET,
			      "cachegrind has not counted anything");
  return is_done;
}

bool
cache_simulation_check (const struct cache_sizes *sizes, int *interruption,
			struct profile_error *err)
{
  char *settings[] = { NULL };
  char program[] = "true";
  char *words[] = { program, NULL };
  struct cache_counts counts;
  const struct process_command command
    = { .name = "valgrind --tool=cachegrind",
	.settings = settings,
	.words = words,
	.input = "/dev/null",
	.output = open ("/dev/null", O_WRONLY | O_CLOEXEC) };
  bool is_done
    = cache_simulation_run (&command, sizes, &counts, interruption, err);
  close (command.output);
  return is_done;
}
