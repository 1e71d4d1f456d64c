/* The programs and libraries whose samples are counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_IMAGE_LIST_H
#define HEAPPROF_IMAGE_LIST_H

#include "code-map.h"
#include "object-layout.h"
#include "perf-processes.h"
#include "symbolizer.h"
#include "table-slots.h"
#include "object-tables.h"
#include "vtable-sites.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image
{
  const char *path;
  struct symbolizer *symbolizer; /* owns FILE */
  struct object_file *file;
  struct code_map *code;
  struct object_layout layout;
  struct virtual_tables tables;
  struct table_slots slots;
  struct vtable_sites sites; /* of promoted calls */
  bool is_flow_sensitive;    /* discriminators are those of machine code */
};

/* All zeros is empty.  */
struct image_list
{
  struct image *images;
  size_t count;
  char **differing; /* malloced paths that were recorded with another
		       build ID than an image of that name has */
  size_t differing_count;
};

/* Open the COUNT files PATHS, which must outlive the list.  DEBUG_DIRECTORIES
   is as for object_file_open.  False and *ERR if one cannot be used.  */
bool image_list_open (struct image_list *list, char **paths, size_t count,
		      const char *debug_directories, struct profile_error *err);
void image_list_close (struct image_list *list);

/* The number of the image that the PATH_BYTES at PATH mean, with the build ID
   of SIZE bytes at BUILD_ID, 0: not known; PERF_NO_IMAGE if none.  The build ID
   decides, if both have one, else the name without its folder.  */
uint32_t image_list_find (struct image_list *list, const char *path,
			  size_t path_bytes, const uint8_t *build_id,
			  size_t size);

#endif /* HEAPPROF_IMAGE_LIST_H */
