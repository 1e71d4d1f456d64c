/* Guards of objects for LTO: linking them without the plugin fails.
   SPDX-License-Identifier: GPL-3.0-or-later

   An object for LTO holds GIMPLE, which is instrumented at link time by lto1
   with this plugin.  Without the plugin or its arguments the program would lose
   its counters.  So each such object has a constructor that reads a guard, a
   symbol that no library defines.  The plugin defines the guard as a local
   symbol in every assembler file that it writes with these arguments: in
   lto1's, and in that of a "fat" object in case it is linked as an ordinary
   one.  A local definition is visible only in its own file, so no other object
   can satisfy the reference when the plugin is missing.  */

#ifndef HEAPPROF_LTO_GUARD_H
#define HEAPPROF_LTO_GUARD_H

/* Give this unit, an object for LTO, a constructor that reads the guard SYMBOL
   and calls INITIALISER, unless that is NULL.  */
void lto_guard_build (const char *symbol, tree initialiser);

/* Define the guard SYMBOL in the assembler FILE.  */
void lto_guard_output (FILE *file, const char *symbol);

/* True if FUNCTION is a constructor made by lto_guard_build.  */
bool lto_guard_constructor_p (tree function);

/* Make the link fail with one error if objects were compiled with arguments
   that the link was not given.  */
void lto_guard_register (const char *plugin_name);

#endif /* HEAPPROF_LTO_GUARD_H */
