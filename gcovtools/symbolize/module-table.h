/* The modules of the profiled programs, each opened once.
   SPDX-License-Identifier: GPL-3.0-or-later

   Threads share the table.  A module never moves in memory; its number and
   identity never change, and its lock guards the rest.  */

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
  char *path; /* from which the program loaded it */
  uint8_t build_id[HEAPPROF_RAW_BUILD_ID_BYTES];
  size_t build_id_bytes;
  bool is_main_program;
  bool is_late;		/* as in its identity */
  bool is_runtime;	/* the run-time library itself */
  pthread_mutex_t lock; /* guards the members below */
  bool has_looked; /* SYMBOLIZER is valid, NULL if the file was not found */
  struct symbolizer *symbolizer;
  char *cause; /* why there is none; NULL if memory was exhausted */
  enum object_absence absence; /* why there is none */
  htab_t addresses;	       /* named addresses; NULL before the first */
  bool has_name;	       /* some address in it has a name */
  bool is_called;	       /* from the program, in some context */
  bool is_aside; /* in all contexts of some profile, it was not called from the
		    program */
};

/* Why names or lines of a module are missing.  */
struct module_lack
{
  enum heap_module_problem problem;
  const char
    *cause; /* details, valid as long as the module; "" if there are none */
};

/* What a raw profile knows about a module.  */
struct module_identity
{
  const char *path; /* "" if unknown */
  const uint8_t *build_id;
  size_t build_id_bytes; /* at most HEAPPROF_RAW_BUILD_ID_BYTES */
  bool is_main_program;
  bool is_late; /* symbolized long after the run: without a build ID, only a
		   file named by the user is accepted */
};

struct module_table
{
  pthread_mutex_t lock; /* guards all members */
  struct object_finder *finder;
  struct module **modules;
  size_t count;
  size_t capacity;
};

/* Make *TABLE empty.  It takes ownership of FINDER, which finds the
   modules.  */
void module_table_init (struct module_table *table,
			struct object_finder *finder);
void module_table_release (struct module_table *table);

/* Return the number of the module with *IDENTITY (same build ID and file name
   or, without a build ID, same path), adding it if it is new; SIZE_MAX if
   memory is exhausted.  */
size_t module_table_find (struct module_table *table,
			  const struct module_identity *identity);

/* Return module NUMBER.  */
struct module *module_table_at (struct module_table *table, size_t number);

/* Return the symbolizer of MODULE, whose lock is held, opening it on first use;
   NULL if there is none.  */
struct symbolizer *module_symbolizer (struct module_table *table,
				      struct module *module);

/* Note whether MODULE, not the program itself, IS_CALLED from it in some
   context of a profile.  One that only allocates on its own, when it is loaded
   or in its own threads, is none that users could say more about.  */
void module_note_calls (struct module *module, bool is_called);

/* Print why names or lines of MODULE, whose lock is held, are missing, if they
   are: file not found, or no usable debug information.  */
void module_warn (struct module *module);

/* Set *LACK to reason NUMBER why names or lines of MODULE, whose lock is held,
   are missing.  Return false if there are no more.  */
bool module_lacks (struct module *module, size_t number,
		   struct module_lack *lack);

/* Return the last component of MODULE's path.  */
const char *module_name (const struct module *module);

#endif /* HEAPPROF_MODULE_TABLE_H */
