/* The separate debug file of a binary.
   SPDX-License-Identifier: GPL-3.0-or-later

   libdwfl finds it by its build ID.  If that fails, it is searched for here, by
   its debug link or the binary's name with .debug, and requested from a server.
   libdwfl's own search does all this, too, but see debug-server.h.  */

#ifndef HEAPPROF_DEBUG_FILE_H
#define HEAPPROF_DEBUG_FILE_H

#include <elfutils/libdwfl.h>

/* A find_debuginfo callback for libdwfl.  USERDATA points at the list of
   folders to search, NUL-terminated and separated by colons: an empty entry is
   the binary's own folder, a relative one is below that, and an absolute one
   contains a copy of the folder tree.  */
int debug_file_find (Dwfl_Module *module, void **userdata,
		     const char *module_name, Dwarf_Addr base,
		     const char *file_name, const char *debug_link,
		     GElf_Word checksum, char **debug_file_name);

#endif /* HEAPPROF_DEBUG_FILE_H */
