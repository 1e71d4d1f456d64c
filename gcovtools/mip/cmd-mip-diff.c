/* heapprof-gcov mip diff: what ran in one profile but not in another.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-commands.h"
#include "pager.h"
#include "text-output.h"
#include <stdlib.h>
#include <string.h>

static const struct command_option diff_options[] = { { 0 } };

/* A function of a profile, identified by what stays the same between
   builds.  */
struct known
{
  const char *name;
  const char *file; /* of a local function, else empty */
  uint64_t source_hash;
  bool ran;
};

struct known_list
{
  struct known *entries; /* malloced */
  size_t count;
};

static int
compare_known (const void *a, const void *b)
{
  const struct known *k = a, *l = b;
  int result = strcmp (k->name, l->name);
  return result != 0 ? result : strcmp (k->file, l->file);
}

/* List the functions of PROFILE.  Functions with the same name become one.  */
static bool
make_list (const struct mip_profile *profile, struct known_list *list)
{
  list->entries = calloc (profile->function_count + 1, sizeof *list->entries);
  if (list->entries == NULL)
    return false;
  for (size_t i = 0; i < profile->function_count; i++)
    {
      const struct mip_function *function = &profile->functions[i];
      uint32_t file = (function->flags & 1) != 0 ? function->file : 0;
      list->entries[i]
	= (struct known){ mip_function_name (profile, function),
			  mip_profile_string (profile, file),
			  function->source_hash, function->runs > 0 };
    }
  qsort (list->entries, profile->function_count, sizeof *list->entries,
	 compare_known);
  for (size_t i = 0; i < profile->function_count; i++)
    if (list->count > 0
	&& compare_known (&list->entries[list->count - 1], &list->entries[i])
	     == 0)
      list->entries[list->count - 1].ran |= list->entries[i].ran;
    else
      list->entries[list->count++] = list->entries[i];
  return true;
}

static void
print_line (const char *what, const struct known *known)
{
  printf ("%s ", what);
  print_text (known->name);
  putchar ('\n');
}

/* Print how A and B, entries of the same function, differ.  */
static void
print_change (const struct known *a, const struct known *b)
{
  bool is_changed = a->source_hash != 0 && b->source_hash != 0
		    && a->source_hash != b->source_hash;
  if (!a->ran && b->ran)
    print_line (is_changed ? "+ ran, changed:" : "+ ran:", b);
  else if (a->ran && !b->ran)
    print_line (is_changed ? "- did not run, changed:" : "- did not run:", b);
  else if (is_changed)
    print_line ("  changed:", b);
}

static void
print_diff (const struct known_list *a, const struct known_list *b)
{
  size_t i = 0, j = 0;
  while (i < a->count || j < b->count)
    {
      int order = i == a->count ? 1
		  : j == b->count
		    ? -1
		    : compare_known (&a->entries[i], &b->entries[j]);
      if (order == 0)
	print_change (&a->entries[i++], &b->entries[j++]);
      else if (order < 0)
	print_line ("- gone:", &a->entries[i++]);
      else
	{
	  print_line (b->entries[j].ran ? "+ new, ran:" : "+ new:",
		      &b->entries[j]);
	  j++;
	}
    }
}

static bool
take_option (void *data, int id, const char *value)
{
  (void) data;
  (void) id;
  (void) value;
  return false;
}

static enum exit_status
run_diff (int argc, char **argv)
{
  enum exit_status status;
  int operands;
  if (!command_options_take (&command_mip_diff, argc, argv, take_option, NULL,
			     &operands, &status))
    return status;
  if (argc - operands != 2)
    return diagnostics_usage ("mip diff", "expected two profiles");
  struct mip_profile *a = mip_input_read (argv[operands]);
  struct mip_profile *b
    = a != NULL ? mip_input_read (argv[operands + 1]) : NULL;
  struct known_list lists[2] = { 0 };
  status = STATUS_FAILED;
  if (b != NULL)
    {
      bool is_done = make_list (a, &lists[0]) && make_list (b, &lists[1]);
      if (is_done)
	{
	  pager_start ();
	  print_diff (&lists[0], &lists[1]);
	}
      status = !is_done			     ? diagnostics_memory ()
	       : diagnostics_close_stdout () ? STATUS_DONE
					     : STATUS_FAILED;
    }
  free (lists[0].entries);
  free (lists[1].entries);
  mip_profile_free (a);
  mip_profile_free (b);
  return status;
}

const struct command command_mip_diff = {
  .name = "mip diff",
  .operands = "A B",
  .summary = "print what differs between two profiles",
  .description
  = "Print which functions ran in B but not in A, or in A but not in B, and\n"
    "which are new, gone, or have different source code.",
  .options = diff_options,
  .run = run_diff
};
