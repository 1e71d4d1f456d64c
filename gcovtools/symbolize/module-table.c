/* The modules of the profiled programs, each opened once.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "module-table.h"
#include "diagnostics.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNTIME_NAME "libheapprof.so"

void
module_table_init (struct module_table *table, struct object_finder *finder)
{
  *table = (struct module_table){ .finder = finder };
  pthread_mutex_init (&table->lock, NULL);
}

static void
free_module (struct module *module)
{
  symbolizer_close (module->symbolizer);
  if (module->addresses != NULL)
    htab_delete (module->addresses);
  pthread_mutex_destroy (&module->lock);
  free (module->cause);
  free (module->path);
  free (module);
}

void
module_table_release (struct module_table *table)
{
  for (size_t i = 0; i < table->count; i++)
    free_module (table->modules[i]);
  free (table->modules);
  object_finder_free (table->finder);
  pthread_mutex_destroy (&table->lock);
}

static const char *
file_name (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

const char *
module_name (const struct module *module)
{
  return file_name (module->path);
}

/* Return true if MODULE has *IDENTITY.  Modules with the same build ID but
   different file names are distinct, because frames contain the file name and
   must not depend on which one came first.  */
static bool
is_same (const struct module *module, const struct module_identity *identity)
{
  size_t size = identity->build_id_bytes;
  if (module->build_id_bytes != size)
    return false;
  if (size > 0)
    return memcmp (module->build_id, identity->build_id, size) == 0
	   && strcmp (module_name (module), file_name (identity->path)) == 0;
  return module->is_late == identity->is_late
	 && strcmp (module->path, identity->path) == 0;
}

static bool
grow (struct module_table *table)
{
  if (table->count < table->capacity)
    return true;
  size_t capacity = table->capacity > 0 ? 2 * table->capacity : 16;
  void *grown = realloc (table->modules, capacity * sizeof *table->modules);
  if (grown == NULL)
    return false;
  table->modules = grown;
  table->capacity = capacity;
  return true;
}

/* Return a new module with *IDENTITY; NULL if memory is exhausted.  */
static struct module *
make_module (const struct module_identity *identity)
{
  struct module *module = calloc (1, sizeof *module);
  if (module == NULL)
    return NULL;
  pthread_mutex_init (&module->lock, NULL);
  module->path = strdup (identity->path);
  if (module->path == NULL)
    {
      free_module (module);
      return NULL;
    }
  module->build_id_bytes = identity->build_id_bytes;
  memcpy (module->build_id, identity->build_id, identity->build_id_bytes);
  module->is_main_program = identity->is_main_program;
  module->is_late = identity->is_late;
  module->is_runtime
    = strncmp (module_name (module), RUNTIME_NAME, strlen (RUNTIME_NAME)) == 0;
  return module;
}

/* Like module_table_find, with the lock held.  */
static size_t
find (struct module_table *table, const struct module_identity *identity)
{
  for (size_t i = 0; i < table->count; i++)
    if (is_same (table->modules[i], identity))
      return i;
  struct module *module = grow (table) ? make_module (identity) : NULL;
  if (module == NULL)
    return SIZE_MAX;
  table->modules[table->count] = module;
  return table->count++;
}

size_t
module_table_find (struct module_table *table,
		   const struct module_identity *identity)
{
  pthread_mutex_lock (&table->lock);
  size_t number = find (table, identity);
  pthread_mutex_unlock (&table->lock);
  return number;
}

struct module *
module_table_at (struct module_table *table, size_t number)
{
  pthread_mutex_lock (&table->lock);
  struct module *module = table->modules[number];
  pthread_mutex_unlock (&table->lock);
  return module;
}

struct symbolizer *
module_symbolizer (struct module_table *table, struct module *module)
{
  if (module->has_looked)
    return module->symbolizer;
  module->has_looked = true;
  struct profile_error err;
  pthread_mutex_lock (&table->lock);
  struct object_file *file
    = module->is_late && module->build_id_bytes == 0
	? object_finder_find_named (table->finder, module->path, &err)
	: object_finder_find (table->finder, module->path, module->build_id,
			      module->build_id_bytes, &module->absence, &err);
  pthread_mutex_unlock (&table->lock);
  if (file != NULL)
    module->symbolizer = symbolizer_open (file);
  else
    module->cause = strdup (err.cause);
  return module->symbolizer;
}

void
module_note_calls (struct module *module, bool is_called)
{
  if (is_called)
    module->is_called = true;
  else
    module->is_aside = true;
}

/* Return true if MODULE, which has a symbolizer, lacks debug information that a
   report needs.  Libraries often have none, but their exported functions have
   names, so they do not deserve a warning; nor do those that the program does
   not call, such as the C++ library in programs that only load it.  */
static bool
lacks_debug_info (const struct module *module)
{
  bool is_aside = module->is_aside && !module->is_called;
  return (module->is_main_program || (!module->has_name && !is_aside))
	 && !symbolizer_has_debug_info (module->symbolizer);
}

/* Print that MODULE's file was not found.  */
static void
warn_of_absence (const struct module *module)
{
  char id[2 * HEAPPROF_RAW_BUILD_ID_BYTES + 1];
  build_id_text (id, sizeof id, module->build_id, module->build_id_bytes);
  bool has_id = module->build_id_bytes > 0;
  diagnostics_warning ("%s: %s; its functions remain unnamed (pass the "
		       "file%s%s with -b)",
		       *module->path != '\0' ? module->path : "a module",
		       module->cause, has_id ? " with build ID " : "",
		       has_id ? id : "");
}

void
module_warn (struct module *module)
{
  if (module->cause != NULL)
    warn_of_absence (module);
  if (module->symbolizer == NULL)
    return;
  const char *problem = symbolizer_problem (module->symbolizer, 0);
  const char *path = object_file_path (symbolizer_file (module->symbolizer));
  if (module->build_id_bytes == 0)
    diagnostics_warning ("%s: no build ID: names and lines are wrong if it was "
			 "rebuilt after the run",
			 path);
  if (problem != NULL)
    diagnostics_warning ("%s: %s: lines are missing", path, problem);
  else if (lacks_debug_info (module))
    diagnostics_warning ("%s: no debug information: lines and inlined "
			 "functions are missing (compile with -g)",
			 path);
}

bool
module_lacks (struct module *module, size_t number, struct module_lack *lack)
{
  static const enum heap_module_problem absences[]
    = { [OBJECT_NOT_THERE] = HEAP_MODULE_NOT_FOUND,
	[OBJECT_OTHER_BUILD] = HEAP_MODULE_OTHER_BUILD,
	[OBJECT_UNREADABLE] = HEAP_MODULE_UNREADABLE };
  struct symbolizer *symbolizer = module->symbolizer;
  if (symbolizer == NULL)
    {
      bool says_more
	= module->absence != OBJECT_NOT_THERE || *module->path == '\0';
      *lack = (struct module_lack){ absences[module->absence],
				    says_more ? module->cause : "" };
      return number == 0 && module->cause != NULL;
    }
  const char *problem = symbolizer_problem (symbolizer, number);
  *lack = (struct module_lack){ HEAP_MODULE_DEBUG_INFO_LACKS, problem };
  if (problem != NULL || number > 0 || symbolizer_has_debug_info (symbolizer))
    return problem != NULL;
  bool has_symbols = object_file_has_symbols (symbolizer_file (symbolizer));
  *lack = (struct module_lack){ has_symbols ? HEAP_MODULE_NO_DEBUG_INFO
					    : HEAP_MODULE_STRIPPED,
				"" };
  return true;
}
