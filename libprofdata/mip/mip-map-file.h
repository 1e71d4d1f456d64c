/* Maps of programs in files of their own (.mipmap): doc/mip-format.md.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_MAP_FILE_H
#define HEAPPROF_MIP_MAP_FILE_H

#include "byte-writer.h"
#include "mip-profile.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* Number of leading bytes that show whether a file has a map.  */
#define MIP_MAP_FILE_MAGIC_BYTES 8

  struct mip_map_file;

  /* Return true if the file of SIZE bytes at DATA starts like one with a
     map.  */
  bool mip_map_file_is_map (const void *data, size_t size);

  /* Read the file of SIZE bytes at DATA, which must outlive the result.  PATH
     names it in errors.  The records are checked when the map is added to a
     profile.  NULL and *ERR if the file is invalid or memory is exhausted.  */
  struct mip_map_file *mip_map_file_read (const char *path, const void *data,
					  size_t size,
					  struct profile_error *err);

  /* Return its map with the path of the program, valid until FILE is freed.  */
  const struct mip_map *mip_map_file_map (const struct mip_map_file *file);
  void mip_map_file_free (struct mip_map_file *file);

  /* Append the file of MAP to WRITER, which fails if memory is exhausted.  */
  void mip_map_file_write (const struct mip_map *map,
			   struct byte_writer *writer);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_MIP_MAP_FILE_H */
