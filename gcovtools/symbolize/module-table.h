/* The modules of the profiled programs, each opened once.
   SPDX-License-Identifier: GPL-3.0-or-later

   Threads share the table.  A module stays where it is in memory; its number
   and what identifies it never change, all else is guarded by its lock.  */

#ifndef HEAPPROF_MODULE_TABLE_H
#define HEAPPROF_MODULE_TABLE_H

#include "heap-modules.h"
#include "object-finder.h"
#include "raw-profile.h"
#include "symbolizer.h"
#include <libiberty/hashtab.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct module
{
  char *path; /* where the program had it */
  uint8_t build_id[HEAPPROF_RAW_BUILD_ID_BYTES];
  size_t build_id_bytes;
  bool is_main_program;
  bool is_late;		/* as in its identity */
  bool is_runtime;	/* the run-time library itself */
  pthread_mutex_t lock; /* guards what follows */
  bool has_looked;	/* SYMBOLIZER is what was found, or NULL */
  struct symbolizer *symbolizer;
  char *cause;		       /* why there is none; NULL if memory was short */
  enum object_absence absence; /* likewise */
  htab_t addresses;	       /* names of addresses; NULL before the first */
  bool has_name;	       /* some address of it has a name */
};

/* Why names or lines of a module are missing.  */
struct module_lack
{
  enum heap_module_problem problem;
  const char *cause; /* more of it, valid as long as the module; ""
			if nothing more is known */
};

/* What a raw profile knows of a module.  */
struct module_identity
{
  const char *path; /* "" if unknown */
  const uint8_t *build_id;
  size_t build_id_bytes; /* at most HEAPPROF_RAW_BUILD_ID_BYTES */
  bool is_main_program;
  bool is_late; /* it ran long ago: without a build ID only a
		   file that the user names is believed to be
		   it */
};

struct module_table
{
  pthread_mutex_t lock; /* guards all of it */
  struct object_finder *finder;
  struct module **modules;
  size_t count;
  size_t capacity;
};

/* Make *TABLE empty; modules are found by FINDER, which it owns from then
   on.  */
void module_table_init (struct module_table *table,
			struct object_finder *finder);
void module_table_release (struct module_table *table);

/* Number of the module with *IDENTITY: of the same build ID and file name or,
   if it has no build ID, the same path.  SIZE_MAX if memory is exhausted.  */
size_t module_table_find (struct module_table *table,
			  const struct module_identity *identity);

/* The module of NUMBER.  */
struct module *module_table_at (struct module_table *table, size_t number);

/* The symbolizer of MODULE, whose lock is held, found on first use; NULL if
   there is none.  */
struct symbolizer *module_symbolizer (struct module_table *table,
				      struct module *module);

/* Print why names or lines of MODULE, whose lock is held, are missing, if they
   are: it was not found, or has no debug information that can be read.  */
void module_warn (struct module *module);

/* Fill *LACK with the NUMBERth reason why names or lines of MODULE, whose lock
   is held, are missing.  False if there are no more.  */
bool module_lacks (struct module *module, size_t number,
		   struct module_lack *lack);

/* The last component of MODULE's path.  */
const char *module_name (const struct module *module);

#endif /* HEAPPROF_MODULE_TABLE_H */
