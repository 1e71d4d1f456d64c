/* The modules of the profiled programs, each opened once.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MODULE_TABLE_H
#define HEAPPROF_MODULE_TABLE_H

#include "object-finder.h"
#include "raw-profile.h"
#include "symbolizer.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct module
{
  char *path;			/* where the program had it */
  uint8_t build_id[HEAPPROF_RAW_BUILD_ID_BYTES];
  size_t build_id_bytes;
  bool is_main_program;
  bool is_runtime;		/* the run-time library itself */
  bool has_looked;		/* SYMBOLIZER is what was found, or NULL */
  bool has_warned;		/* about its debug information */
  struct symbolizer *symbolizer;
};

/* What a raw profile knows of a module.  */
struct module_identity
{
  const char *path;		/* "" if unknown */
  const uint8_t *build_id;
  size_t build_id_bytes;	/* at most HEAPPROF_RAW_BUILD_ID_BYTES */
  bool is_main_program;
};

/* All zero is an empty table.  */
struct module_table
{
  struct module *modules;
  size_t count;
  size_t capacity;
};

/* Number of the module with *IDENTITY: of the same build ID or, if it has none,
   the same path.  SIZE_MAX if memory is exhausted.  */
size_t module_table_find (struct module_table *table,
			  const struct module_identity *identity);

/* The symbolizer of MODULE, found by FINDER on first use; NULL if there is
   none, about which a warning was printed then.  */
struct symbolizer *module_symbolizer (struct module *module,
				      struct object_finder *finder);

/* Print a warning, once, if MODULE was found without the debug information
   that a report needs.  */
void module_warn_about_debug_info (struct module *module);

/* The last component of MODULE's path.  */
const char *module_name (const struct module *module);

void module_table_release (struct module_table *table);

#endif /* HEAPPROF_MODULE_TABLE_H */
