/* Programs and libraries that were not completely symbolized, and why.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "show-modules.h"
#include "heap-json.h"
#include "heap-modules.h"
#include "terminal.h"
#include "text-output.h"
#include <stdlib.h>
#include <string.h>

/* Name of each problem in JSON, its meaning with consequences, and its
   remedy.  */
static const struct
{
  const char *name;
  const char *meaning;
  const char *remedy;
} problems[HEAP_MODULE_PROBLEMS] = {
  [HEAP_MODULE_NOT_FOUND]
  = { "not_found", "file not found: functions have no names",
      "merge again and pass the file with -b" },
  [HEAP_MODULE_OTHER_BUILD]
  = { "other_build", "functions have no names",
      "merge again and pass the file that ran with -b" },
  [HEAP_MODULE_UNREADABLE]
  = { "unreadable", "its file cannot be read, functions have no names",
      "merge again and pass a copy with -b" },
  [HEAP_MODULE_NO_DEBUG_INFO]
  = { "no_debug_info",
      "no debug information: lines and inlined functions are unknown",
      "compile it with -g" },
  [HEAP_MODULE_STRIPPED]
  = { "stripped", "stripped: lines and unexported functions are unknown",
      "install its debug information, or merge again and pass the unstripped "
      "file with -b" },
  [HEAP_MODULE_DEBUG_INFO_LACKS]
  = { "debug_info_lacks", "part of its debug information was not read",
      "merge again where it can be found" }
};

/* Modules sorted for printing.  */
struct module_list
{
  const struct heap_module **modules; /* malloced */
  size_t count;
};

static int
compare_modules (const void *element1, const void *element2, void *data)
{
  const struct heap_profile *profile = data;
  const struct heap_module *a = *(const struct heap_module *const *) element1;
  const struct heap_module *b = *(const struct heap_module *const *) element2;
  const uint32_t strings[][2] = { { a->name, b->name },
				  { a->build_id, b->build_id },
				  { a->cause, b->cause } };
  for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
    {
      int order = strcmp (heap_profile_string (profile, strings[i][0]),
			  heap_profile_string (profile, strings[i][1]));
      if (order != 0)
	return order;
    }
  return (a->problem > b->problem) - (a->problem < b->problem);
}

/* Fill LIST with the modules of PROFILE, sorted.  Return false if memory is
   exhausted.  */
static bool
make_list (struct module_list *list, struct heap_profile *profile)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  list->count = heap_details_module_count (details);
  list->modules = calloc (list->count + 1, sizeof *list->modules);
  if (list->modules == NULL)
    return false;
  for (size_t i = 0; i < list->count; i++)
    list->modules[i] = heap_details_module_at (details, (uint32_t) i);
  qsort_r (list->modules, list->count, sizeof *list->modules, compare_modules,
	   profile);
  return true;
}

/* ---- Text.  */

static bool
is_main (const struct heap_profile *profile, uint32_t frame)
{
  uint32_t name = heap_profile_frame (profile, frame)->function_name;
  return strcmp (heap_profile_string (profile, name), "main") == 0;
}

/* Set IS_CALLER for all direct and indirect callers of main in PROFILE.  A
   node's number is greater than its caller's.  */
static void
find_callers_of_main (const struct heap_profile *profile, bool *is_caller)
{
  const struct context_node *nodes = heap_profile_nodes (profile);
  for (uint32_t i = heap_profile_context_count (profile); i-- > 1;)
    is_caller[heap_profile_context_caller (profile, i)]
      |= is_caller[i] || is_main (profile, nodes[i].frame);
}

/* True if FRAME of PROFILE is in the dynamic linker.  */
static bool
is_in_loader (const struct heap_profile *profile,
	      const struct heap_frame *frame)
{
  const char *name = heap_profile_string (profile, frame->module);
  return strncmp (name, "ld-", 3) == 0 || strncmp (name, "ld.so", 5) == 0;
}

/* True if FRAME of PROFILE is in a shared library.  */
static bool
is_in_library (const struct heap_profile *profile,
	       const struct heap_frame *frame)
{
  return strstr (heap_profile_string (profile, frame->module), ".so") != NULL;
}

/* Set IS_MISSED, by string, for the names of modules of PROFILE that deserve a
   note: the program, and modules with unnamed functions.  Outermost frames,
   through which the C library calls main or a thread's function, do not count,
   nor what a library allocates when it is loaded.
   Return false if memory is exhausted.  */
static bool
find_missed (const struct heap_profile *profile, bool *is_missed)
{
  uint32_t count = heap_profile_context_count (profile);
  const struct context_node *nodes = heap_profile_nodes (profile);
  bool *is_caller = calloc (count, sizeof *is_caller);
  bool *is_known
    = calloc (count, sizeof *is_known); /* the node or a caller has a name,
					   other than one in the loader */
  bool is_done = is_caller != NULL && is_known != NULL;
  if (is_done)
    find_callers_of_main (profile, is_caller);
  for (uint32_t i = 1; i < count && is_done; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile, nodes[i].frame);
      bool has_name = frame->function_guid != 0;
      uint32_t caller = heap_profile_context_caller (profile, i);
      is_known[i]
	= is_known[caller] || (has_name && !is_in_loader (profile, frame));
      bool is_inside = is_known[caller]
		       || (heap_profile_info (profile, i)
			   && !is_in_library (profile, frame));
      if (is_main (profile, nodes[i].frame)
	  || (!has_name && is_inside && !is_caller[i]))
	is_missed[frame->module] = true;
    }
  free (is_caller);
  free (is_known);
  return is_done;
}

/* Names in one note; more are counted.  */
#define NAMES_MAX 8

/* Return true if A and B of PROFILE have the same problem, with one cause.  */
static bool
is_alike (const struct heap_profile *profile, const struct heap_module *a,
	  const struct heap_module *b)
{
  return a->problem == b->problem
	 && strcmp (heap_profile_string (profile, a->cause),
		    heap_profile_string (profile, b->cause))
	      == 0;
}

static void
print_name (const struct heap_profile *profile,
	    const struct heap_module *module)
{
  const char *name = heap_profile_string (profile, module->name);
  const char *id = heap_profile_string (profile, module->build_id);
  print_text (*name != '\0' ? name : "a module");
  if (*name == '\0' && *id != '\0')
    {
      fputs (" with build ID ", stdout);
      print_text (id);
    }
}

/* Print a note on the COUNT modules at MODULES, of PROFILE, which are alike. */
static void
print_note (const struct heap_profile *profile,
	    const struct heap_module *const *modules, size_t count)
{
  const char *cause = heap_profile_string (profile, modules[0]->cause);
  const size_t shown = count > NAMES_MAX + 1 ? NAMES_MAX : count;
  printf ("  %snote%s         ", terminal_colour (TERMINAL_YELLOW),
	  terminal_colour (TERMINAL_PLAIN));
  for (size_t i = 0; i < shown; i++)
    {
      fputs (i == 0 ? "" : ", ", stdout);
      print_name (profile, modules[i]);
    }
  if (shown < count)
    printf (" and %zu others", count - shown);
  printf (": %s", problems[modules[0]->problem].meaning);
  if (*cause != '\0')
    {
      fputs (" (", stdout);
      print_text (cause);
      putchar (')');
    }
  printf ("; %s\n", problems[modules[0]->problem].remedy);
}

/* Print one note for all that are like the first of the COUNT modules at
   MODULES, of PROFILE, and set these to NULL.  ALIKE has room for COUNT.  */
static void
print_alike (const struct heap_profile *profile,
	     const struct heap_module **modules, size_t count,
	     const struct heap_module **alike)
{
  const struct heap_module *first = modules[0];
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    if (modules[i] != NULL && is_alike (profile, first, modules[i]))
      {
	alike[found++] = modules[i];
	modules[i] = NULL;
      }
  print_note (profile, alike, found);
}

/* Print the notes of LIST, whose modules become NULL.  Return false if memory
   is exhausted.  */
static bool
print_notes (const struct module_list *list, const struct heap_profile *profile)
{
  bool *is_missed
    = calloc (heap_profile_string_count (profile), sizeof *is_missed);
  const struct heap_module **alike = calloc (list->count, sizeof *alike);
  bool is_done
    = is_missed != NULL && alike != NULL && find_missed (profile, is_missed);
  for (size_t i = 0; i < list->count && is_done; i++)
    {
      const struct heap_module *module = list->modules[i];
      bool has_names = module->problem == HEAP_MODULE_NO_DEBUG_INFO
		       || module->problem == HEAP_MODULE_STRIPPED;
      if (has_names && !is_missed[module->name])
	list->modules[i] = NULL;
    }
  for (size_t i = 0; i < list->count && is_done; i++)
    if (list->modules[i] != NULL)
      print_alike (profile, list->modules + i, list->count - i, alike);
  free (alike);
  free (is_missed);
  return is_done;
}

bool
show_modules_text (const struct heap_report *report)
{
  struct module_list list;
  bool is_done = make_list (&list, report->profile)
		 && (list.count == 0 || print_notes (&list, report->profile));
  free (list.modules);
  return is_done;
}

/* ---- JSON.  */

static json_t *
module_json (const struct heap_profile *profile,
	     const struct heap_module *module)
{
  json_t *object = json_object ();
  if (object != NULL
      && json_set_text (object, "module",
			heap_profile_string (profile, module->name))
      && json_set_text (object, "build_id",
			heap_profile_string (profile, module->build_id))
      && json_set_text (object, "problem", problems[module->problem].name)
      && json_set_text (object, "meaning", problems[module->problem].meaning)
      && json_set_text (object, "cause",
			heap_profile_string (profile, module->cause))
      && json_set_text (object, "remedy", problems[module->problem].remedy))
    return object;
  json_decref (object);
  return NULL;
}

bool
show_modules_json (const struct heap_report *report, FILE *out)
{
  struct module_list list;
  if (!make_list (&list, report->profile))
    return false;
  bool is_done = true;
  for (size_t i = 0; i < list.count && is_done; i++)
    is_done = json_write (out, i == 0 ? ",\n\"modules\":[\n" : ",\n",
			  module_json (report->profile, list.modules[i]));
  if (is_done && list.count > 0)
    putc (']', out);
  free (list.modules);
  return is_done;
}
