/* Showing a report in the user's browser.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "report-open.h"
#include "diagnostics.h"
#include "source-path.h"
#include "text-output.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define OPENER "xdg-open"

extern char **environ;

/* Return true if there is a display for a browser.  */
static bool
has_display (void)
{
  const char *x = getenv ("DISPLAY");
  const char *wayland = getenv ("WAYLAND_DISPLAY");
  return (x != NULL && *x != '\0') || (wayland != NULL && *wayland != '\0');
}

/* Run the program that opens PATH, and wait for it: it ends when the browser
   knows.  Return true if it succeeds.  */
static bool
run_opener (char *path)
{
  char *const words[] = { (char *) OPENER, path, NULL };
  pid_t process;
  int status = 0;
  if (posix_spawnp (&process, OPENER, NULL, NULL, words, environ) != 0)
    return false;
  while (waitpid (process, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

bool
report_open (const char *output)
{
  char *path = source_path_absolute (output);
  if (path == NULL)
    {
      diagnostics_memory ();
      return false;
    }
  if (!has_display () || !run_opener (path))
    {
      print_text (path);
      putchar ('\n');
    }
  free (path);
  return true;
}
