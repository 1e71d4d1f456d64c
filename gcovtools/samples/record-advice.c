/* Advice on recording for profgen on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later

   The kernel's files tell what the processor can record.  */

#include "record-advice.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEVICES "/sys/bus/event_source/devices/"

/* Return the number of branches that the processor records; 0 if none.  */
static int
branch_depth (void)
{
  int depth = 0;
  FILE *file = fopen (DEVICES "cpu/caps/branches", "r");
  if (file == NULL)
    return 0;
  if (fscanf (file, "%d", &depth) != 1)
    depth = 0;
  fclose (file);
  return depth;
}

/* Return true if the processor's vendor ID is VENDOR.  */
static bool
is_made_by (const char *vendor)
{
  char line[256];
  bool is_found = false;
  FILE *file = fopen ("/proc/cpuinfo", "r");
  if (file == NULL)
    return false;
  while (!is_found && fgets (line, sizeof line, file) != NULL)
    is_found
      = strncmp (line, "vendor_id", 9) == 0 && strstr (line, vendor) != NULL;
  fclose (file);
  return is_found;
}

static bool
has_device (const char *path)
{
  return access (path, R_OK) == 0;
}

static void
print_branches (bool is_amd)
{
  int depth = branch_depth ();
  if (depth > 0)
    printf ("  perf record -e %s:u -c 100003 -b -o branches.data -- PROGRAM\n"
	    "    (this processor records %d branches)\n",
	    is_amd ? "ex_ret_brn_tkn" : "br_inst_retired.near_taken", depth);
  else
    printf ("  perf record -e cpu-clock:u -F 997 -o samples.data -- PROGRAM\n"
	    "    (no branch records on this machine: only time samples)\n");
}

static void
print_loads (bool is_amd)
{
  if (is_amd && has_device (DEVICES "ibs_op"))
    printf (
      "  perf record -e ibs_op/cnt_ctl=1/ -c 100003 -d -R -o loads.data -- "
      "PROGRAM\n");
  else if (!is_amd && has_device (DEVICES "cpu/events/mem-loads"))
    printf ("  perf record -e mem_inst_retired.all_loads:uppp -c 100003 -d "
	    "-o loads.data -- PROGRAM\n");
  else
    printf (
      "  perf mem record -t load -o loads.data -- PROGRAM\n"
      "    (if the machine supports it, which could not be determined)\n");
}

void
record_advice_print (void)
{
  bool is_amd = is_made_by ("AuthenticAMD");
  printf ("\n"
	  "To record code, and virtual tables of C++ programs, on this "
	  "machine:\n");
  print_branches (is_amd);
  print_loads (is_amd);
}
