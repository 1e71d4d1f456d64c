/* The modules of the profiled programs, each opened once.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "module-table.h"
#include "diagnostics.h"
#include <stdlib.h>
#include <string.h>

#define RUNTIME_NAME "libheapprof.so"

void
module_table_release (struct module_table *table)
{
  for (size_t i = 0; i < table->count; i++)
    {
      symbolizer_close (table->modules[i].symbolizer);
      free (table->modules[i].path);
    }
  free (table->modules);
  memset (table, 0, sizeof *table);
}

const char *
module_name (const struct module *module)
{
  const char *slash = strrchr (module->path, '/');
  return slash != NULL ? slash + 1 : module->path;
}

static bool
is_same (const struct module *module, const uint8_t *build_id, size_t size,
	 const char *path)
{
  if (module->build_id_bytes != size)
    return false;
  if (size > 0)
    return memcmp (module->build_id, build_id, size) == 0;
  return strcmp (module->path, path) == 0;
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

size_t
module_table_find (struct module_table *table,
		   const struct module_identity *identity)
{
  for (size_t i = 0; i < table->count; i++)
    if (is_same (&table->modules[i], identity->build_id,
		 identity->build_id_bytes, identity->path))
      return i;
  if (!grow (table))
    return SIZE_MAX;
  struct module *module = &table->modules[table->count];
  memset (module, 0, sizeof *module);
  module->path = strdup (identity->path);
  if (module->path == NULL)
    return SIZE_MAX;
  module->build_id_bytes = identity->build_id_bytes;
  memcpy (module->build_id, identity->build_id, identity->build_id_bytes);
  module->is_main_program = identity->is_main_program;
  module->is_runtime = strncmp (module_name (module), RUNTIME_NAME,
				strlen (RUNTIME_NAME)) == 0;
  return table->count++;
}

struct symbolizer *
module_symbolizer (struct module *module, struct object_finder *finder)
{
  if (module->has_looked)
    return module->symbolizer;
  module->has_looked = true;
  struct profile_error err;
  struct object_file *file
    = object_finder_find (finder, module->path, module->build_id,
			  module->build_id_bytes, &err);
  if (file != NULL)
    {
      if (module->build_id_bytes == 0)
	diagnostics_warning ("%s: has no build ID: if it was built again since "
			     "the run, names and lines are wrong",
			     object_file_path (file));
      module->symbolizer = symbolizer_open (file);
      return module->symbolizer;
    }
  char id[2 * HEAPPROF_RAW_BUILD_ID_BYTES + 1];
  build_id_text (id, sizeof id, module->build_id, module->build_id_bytes);
  diagnostics_warning ("%s: %s; its functions stay unnamed (give the file%s%s "
		       "by -b)",
		       *module->path != '\0' ? module->path : "a module",
		       err.cause,
		       module->build_id_bytes > 0 ? " with build ID " : "",
		       module->build_id_bytes > 0 ? id : "");
  return NULL;
}

void
module_warn_about_debug_info (struct module *module)
{
  if (module->symbolizer == NULL || module->has_warned)
    return;
  const char *problem = symbolizer_problem (module->symbolizer);
  const char *path
    = object_file_path (symbolizer_file (module->symbolizer));
  if (problem != NULL)
    diagnostics_warning ("%s: %s: lines are missing", path, problem);
  else if (module->is_main_program
	   && !symbolizer_has_debug_info (module->symbolizer))
    diagnostics_warning ("%s: no debug information: lines and inlined "
			 "functions are missing (compile with -g)", path);
  else
    return;
  module->has_warned = true;
}
