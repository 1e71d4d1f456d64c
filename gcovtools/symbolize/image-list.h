/* The programs and libraries whose samples are counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_IMAGE_LIST_H
#define HEAPPROF_IMAGE_LIST_H

#include "code-map.h"
#include "object-layout.h"
#include "perf-processes.h"
#include "pseudo-probes.h"
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
  struct pseudo_probes probes;
  bool is_flow_sensitive; /* discriminators are flow-sensitive */
};

/* All zeros is an empty list.  */
struct image_list
{
  struct image *images;
  size_t count;
  char **differing; /* malloced paths recorded with a build ID other than that
		       of the image with this name */
  size_t differing_count;
};

/* Open the COUNT files PATHS, which must outlive the list.  DEBUG_DIRECTORIES
   is as for object_file_open.  Return false and set *ERR on failure.  */
bool image_list_open (struct image_list *list, char **paths, size_t count,
		      const char *debug_directories, struct profile_error *err);
void image_list_close (struct image_list *list);

/* Return the number of the image with the path of PATH_BYTES at PATH and the
   build ID of SIZE bytes at BUILD_ID (SIZE 0: unknown); PERF_NO_IMAGE if none.
   Build IDs decide if both are known, otherwise the file name.  */
uint32_t image_list_find (struct image_list *list, const char *path,
			  size_t path_bytes, const uint8_t *build_id,
			  size_t size);

#endif /* HEAPPROF_IMAGE_LIST_H */
