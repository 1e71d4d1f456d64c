/* A complete file mapped into memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "file-map.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
map_file (struct file_map *map, int fd, const char *path,
	  struct profile_error *err)
{
  struct stat status;
  if (fstat (fd, &status) != 0)
    return profile_error_set_errno (err, path, "cannot stat", errno);
  if (!S_ISREG (status.st_mode) || status.st_size == 0)
    return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET, "%s",
			      S_ISREG (status.st_mode) ? "the file is empty"
						       : "not a regular file");
  void *data = mmap (NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED)
    return profile_error_set_errno (err, path, "cannot map", errno);
  map->data = data;
  map->size = status.st_size;
  return true;
}

bool
file_map_open (struct file_map *map, const char *path,
	       struct profile_error *err)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return profile_error_set_errno (err, path, "cannot open", errno);
  bool done = map_file (map, fd, path, err);
  close (fd);
  return done;
}

void
file_map_close (struct file_map *map)
{
  if (map->data)
    munmap (map->data, map->size);
  *map = (struct file_map){ 0 };
}
