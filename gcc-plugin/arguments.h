/* The arguments of the plugin: -fplugin-arg-heapprof-NAME[=VALUE].
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ARGUMENTS_H
#define HEAPPROF_ARGUMENTS_H

struct heapprof_arguments
{
  /* Folder for raw profiles that goes into the program, or NULL.  Lives as
     long as the compiler.  */
  const char *directory;
  /* Say at the end of each unit what was done.  */
  bool verbose;
  /* Write the dump file of the pass; with DUMP_DETAILS, a line for each
     access.  */
  bool dump;
  bool dump_details;
};

extern heapprof_arguments arguments;

/* Fill in ARGUMENTS.  An error is reported as the compiler's and makes the
   result false.  */
bool arguments_parse (const plugin_name_args *plugin);

#endif /* HEAPPROF_ARGUMENTS_H */
