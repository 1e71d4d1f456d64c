/* What the addresses in modules are called: shared by all readers of a command.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each distinct address is looked up once, however many profiles have it and
   whichever threads read them.  Modules are looked at side by side: the reader
   of debug information serves one thread at a time, but each module has its
   own.  */

#ifndef HEAPPROF_ADDRESS_NAMES_H
#define HEAPPROF_ADDRESS_NAMES_H

#include "module-table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_MODULE UINT32_MAX

struct address_names;

/* Where an address that a profile numbers is.  */
struct location
{
  uint32_t number;
  uint32_t module;  /* NO_MODULE if it is in none */
  uint64_t address; /* in the module's file */
};

/* The frames of an address, innermost first.  */
struct named_address
{
  uint64_t address;
  size_t count;
  struct symbolizer_frame frames[];
};

/* How much is known of an address: more is better.  */
enum named_rank
{
  NAMED_NOTHING,  /* or no more than a line */
  NAMED_FUNCTION, /* of the symbol table: debug information that
		     would say more is missing */
  NAMED_WHOLE	  /* all that there is */
};

enum named_rank named_address_rank (const struct named_address *named);

/* Make a store of names.  DEBUG_DIRECTORIES is as for object_finder_new and
   must outlive it.  NULL if memory is exhausted.  */
struct address_names *address_names_new (const char *debug_directories);
void address_names_free (struct address_names *names);

/* From now on, each of READERS threads may look addresses up with THREADS
   threads.  */
void address_names_set_threads (struct address_names *names,
				unsigned int readers, unsigned int threads);

/* As object_finder_add and object_finder_unused.  */
bool address_names_add_binary (struct address_names *names, const char *path,
			       struct profile_error *err);
const char *address_names_unused (const struct address_names *names,
				  size_t number, const char **why);

/* Number of the module with *IDENTITY; NO_MODULE if memory is exhausted.  */
uint32_t address_names_module (struct address_names *names,
			       const struct module_identity *identity);

/* The last component of the path of the module NUMBER, valid as long as
   NAMES.  */
const char *address_names_module_name (struct address_names *names,
				       uint32_t number);

/* The path at which the program had it, likewise; "" if that is not known.  */
const char *address_names_module_path (struct address_names *names,
				       uint32_t number);

/* The build ID of the module NUMBER in hexadecimal, "" if it has none, into the
   HEAPPROF_RAW_BUILD_ID_BYTES * 2 + 1 bytes at TEXT.  */
void address_names_build_id (struct address_names *names, uint32_t number,
			     char *text);

/* As module_lacks, for the MODULE of that number, in which addresses were
   looked up.  */
bool address_names_lack (struct address_names *names, uint32_t module,
			 size_t number, struct module_lack *lack);

/* Put the COUNT LOCATIONS into ascending order, look them up, and set FOUND [i]
   to the frames of the ith, valid as long as NAMES: none for an address of the
   run-time library, one that says nothing if the module was not found.  It is
   NULL for an address in no module.  Print what is missing of the modules, once
   each.  False if memory is exhausted.  */
bool address_names_look_up (struct address_names *names,
			    struct location *locations, uint32_t count,
			    const struct named_address **found);

/* The same, but nothing is printed.  */
bool address_names_look_up_quietly (struct address_names *names,
				    struct location *locations, uint32_t count,
				    const struct named_address **found);

/* Was the file of the MODULE, in which addresses were looked up, found?  */
bool address_names_is_found (struct address_names *names, uint32_t module);

#endif /* HEAPPROF_ADDRESS_NAMES_H */
