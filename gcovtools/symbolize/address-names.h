/* Symbolization of addresses in modules, shared by all readers of a command.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each distinct address is looked up once, however many profiles contain it and
   whichever threads read them.  Modules are handled in parallel: a reader of
   debug information serves one thread at a time, but each module has its
   own.  */

#ifndef HEAPPROF_ADDRESS_NAMES_H
#define HEAPPROF_ADDRESS_NAMES_H

#include "module-table.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_MODULE UINT32_MAX

/* Instead of a module's number: the frame has no address there.  */
#define INTERPRETED_MODULE (UINT32_MAX - 1)

struct address_names;

/* The location of an address that a profile numbers.  */
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

/* How much is known about an address, in ascending order.  */
enum named_rank
{
  NAMED_NOTHING,  /* nothing, or only a line */
  NAMED_FUNCTION, /* only the function, from the symbol table: debug information
		     is missing */
  NAMED_WHOLE	  /* everything available */
};

enum named_rank named_address_rank (const struct named_address *named);

/* Make a store of names.  DEBUG_DIRECTORIES is as for object_finder_new and
   must outlive it.  Return NULL if memory is exhausted.  */
struct address_names *address_names_new (const char *debug_directories);
void address_names_free (struct address_names *names);

/* From now on, each of READERS threads may use THREADS threads for
   look-ups.  */
void address_names_set_threads (struct address_names *names,
				unsigned int readers, unsigned int threads);

/* Like object_finder_add and object_finder_unused.  */
bool address_names_add_binary (struct address_names *names, const char *path,
			       struct profile_error *err);
const char *address_names_unused (const struct address_names *names,
				  size_t number, const char **why);

/* Return the number of the module with *IDENTITY; NO_MODULE if memory is
   exhausted.  */
uint32_t address_names_module (struct address_names *names,
			       const struct module_identity *identity);

/* Note whether module NUMBER, not the program itself, IS_CALLED from it in some
   context of a profile.  */
void address_names_note_calls (struct address_names *names, uint32_t number,
			       bool is_called);

/* Return the last component of the path of module NUMBER, valid as long as
   NAMES.  */
const char *address_names_module_name (struct address_names *names,
				       uint32_t number);

/* Return the path from which the program loaded module NUMBER, valid as long as
   NAMES; "" if unknown.  */
const char *address_names_module_path (struct address_names *names,
				       uint32_t number);

/* Store the build ID of module NUMBER in hexadecimal, "" if it has none, in the
   HEAPPROF_RAW_BUILD_ID_BYTES * 2 + 1 bytes at TEXT.  */
void address_names_build_id (struct address_names *names, uint32_t number,
			     char *text);

/* Like module_lacks, for module number MODULE, after look-ups in it.  */
bool address_names_lack (struct address_names *names, uint32_t module,
			 size_t number, struct module_lack *lack);

/* Sort the COUNT LOCATIONS in ascending order, look them up, and set FOUND [i]
   to the frames of the ith, valid as long as NAMES.  They are empty for an
   address of the run-time library, and a single unknown frame if the module was
   not found.  FOUND [i] is NULL for an address in no module.  Print once for
   each module what is missing.  Return false if memory is exhausted.  */
bool address_names_look_up (struct address_names *names,
			    struct location *locations, uint32_t count,
			    const struct named_address **found);

/* Like address_names_look_up, without printing.  */
bool address_names_look_up_quietly (struct address_names *names,
				    struct location *locations, uint32_t count,
				    const struct named_address **found);

/* Return true if the file of MODULE was found, after look-ups in it.  */
bool address_names_is_found (struct address_names *names, uint32_t module);

#endif /* HEAPPROF_ADDRESS_NAMES_H */
