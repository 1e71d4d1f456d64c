/* An executable, shared object or separate debug file on disk.
   SPDX-License-Identifier: GPL-3.0-or-later

   Addresses are those of the file (p_vaddr), as if it were loaded with a bias
   of 0.  Its symbols and debug information may come from a separate debug file,
   which is found by its build ID or its debug link.  */

#ifndef HEAPPROF_OBJECT_FILE_H
#define HEAPPROF_OBJECT_FILE_H

#include "debug-content.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object_file;

/* Open the ELF file PATH.  DEBUG_DIRECTORIES is a colon-separated list of
   folders with separate debug files, or NULL for the system's.  NULL and *ERR
   if PATH is not an ELF file that can be loaded.  */
struct object_file *object_file_open (const char *path,
				      const char *debug_directories,
				      struct profile_error *err);
void object_file_close (struct object_file *file);

/* Return the path it was opened with.  */
const char *object_file_path (const struct object_file *file);

/* Return the build ID, *SIZE bytes valid until the file is closed; *SIZE is 0
   if it has none.  */
const uint8_t *object_file_build_id (const struct object_file *file,
				     size_t *size);

/* Return true if ADDRESS is in an executable segment.  */
bool object_file_is_code (const struct object_file *file, uint64_t address);

/* Return the file as libdwfl's module, loaded at its own addresses.  */
struct Dwfl_Module *object_file_module (struct object_file *file);

/* Return the debug information, opened on first use, as libdw's handle; NULL if
   there is none that can be read.  ADDRESS - *BIAS is the address to look
   up.  */
struct Dwarf *object_file_debug_info (struct object_file *file, uint64_t *bias);

/* The same, but if *CONTENT is not NULL, it has no more of some sections than
   what was asked *CONTENT for; it belongs to FILE.  */
struct Dwarf *object_file_partial_info (struct object_file *file,
					uint64_t *bias,
					struct debug_content **content);

/* Return the packed parts of its units, for split_units_find, once it has been
   opened.  */
struct split_units *object_file_split_units (struct object_file *file);

/* Return why object_file_debug_info returned NULL, or why its parts in a
   package cannot be read; NULL if the file just has none.  */
const char *object_file_debug_problem (const struct object_file *file);

/* Return true if it, or its separate debug file, has a table of all symbols,
   not just of exported ones.  */
bool object_file_has_symbols (const struct object_file *file);

/* Return the name of the function symbol that contains ADDRESS, NULL if none
   does; valid until the file is closed.  Of several at one place prefer one
   that contains HINT (NULL: no hint), up to template arguments in it, then a
   global one, then the last by name: an object's base constructor, C2, has the
   code, and the complete one, C1, is an alias.  */
const char *object_file_symbol (struct object_file *file, uint64_t address,
				const char *hint);

#endif /* HEAPPROF_OBJECT_FILE_H */
