/* The separate debug file of a binary.
   SPDX-License-Identifier: GPL-3.0-or-later

   It is searched for by its build ID, then by its debug link or the binary's
   name with .debug, and requested from a server.  libdwfl's own search does all
   this, too, but see debug-server.h, and it opens what it finds by a build ID
   at once.  */

#ifndef HEAPPROF_DEBUG_FILE_H
#define HEAPPROF_DEBUG_FILE_H

#include "debug-content.h"
#include <elfutils/libdwfl.h>

/* What a module's debug file is sought by, and what was found.  */
struct debug_search
{
  /* Folders to search, NUL-terminated and separated by colons: an empty entry
     is the binary's own folder, a relative one is below that, and an absolute
     one contains a copy of the folder tree.  */
  char *directories;
  struct debug_content *content; /* NULL: libdw reads the file itself */
};

/* A find_debuginfo callback for libdwfl.  USERDATA points at a pointer to a
   struct debug_search.  */
int debug_file_find (Dwfl_Module *module, void **userdata,
		     const char *module_name, Dwarf_Addr base,
		     const char *file_name, const char *debug_link,
		     GElf_Word checksum, char **debug_file_name);

#endif /* HEAPPROF_DEBUG_FILE_H */
