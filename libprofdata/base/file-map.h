/* A complete file mapped into memory, for readers that need little of it.
   SPDX-License-Identifier: GPL-3.0-or-later

   The file must not be truncated while it is mapped; our own writers replace
   files.  */

#ifndef HEAPPROF_FILE_MAP_H
#define HEAPPROF_FILE_MAP_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

/* All zeros: no file is mapped.  */
struct file_map
{
  void *data;
  size_t size;
};

/* Map PATH.  Return false and set *ERR if that fails or the file is empty; *MAP
   is unchanged then.  */
bool file_map_open (struct file_map *map, const char *path,
		    struct profile_error *err);
void file_map_close (struct file_map *map);

#endif /* HEAPPROF_FILE_MAP_H */
