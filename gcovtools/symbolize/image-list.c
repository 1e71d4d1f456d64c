/* The programs and libraries whose samples are counted.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "image-list.h"
#include "probe-object.h"
#include <stdlib.h>
#include <string.h>

/* perf appends this to the path of a deleted file.  */
#define DELETED " (deleted)"

/* clang defines this symbol if its discriminators are flow-sensitive.  */
#define FLOW_SENSITIVE_SYMBOL "__llvm_fs_discriminator__"

static bool
look_at_symbol (void *closure, const char *name, uint64_t address,
		uint64_t bytes, bool is_code)
{
  struct image *image = closure;
  (void) address;
  (void) bytes;
  (void) is_code;
  image->is_flow_sensitive |= strcmp (name, FLOW_SENSITIVE_SYMBOL) == 0;
  return true;
}

static bool
open_image (struct image *image, const char *path,
	    const char *debug_directories, struct profile_error *err)
{
  image->path = path;
  image->file = object_file_open (path, debug_directories, err);
  if (image->file == NULL)
    return false;
  image->symbolizer = symbolizer_open (image->file);
  if (image->symbolizer == NULL
      || (image->code = code_map_open (image->file)) == NULL
      || !object_layout_read (&image->layout, image->file)
      || !virtual_tables_read (&image->tables, image->file)
      || !table_slots_read (&image->slots, image->file, &image->layout,
			    &image->tables))
    return profile_error_set_memory (err, path);
  const char *problem = code_map_problem (image->code);
  if (problem != NULL)
    return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			      "cannot disassemble: %s", problem);
  if (!vtable_sites_read (&image->sites, image->file, err)
      || !probe_object_read (&image->probes, image->file, err))
    return false;
  object_visit_symbols (image->file, look_at_symbol, image);
  return true;
}

bool
image_list_open (struct image_list *list, char **paths, size_t count,
		 const char *debug_directories, struct profile_error *err)
{
  *list = (struct image_list){ 0 };
  list->images = calloc (count > 0 ? count : 1, sizeof *list->images);
  if (list->images == NULL)
    return profile_error_set_memory (err, NULL);
  for (size_t i = 0; i < count; i++)
    {
      list->count++;
      if (!open_image (&list->images[i], paths[i], debug_directories, err))
	return false;
    }
  return true;
}

void
image_list_close (struct image_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    {
      struct image *image = &list->images[i];
      pseudo_probes_release (&image->probes);
      vtable_sites_release (&image->sites);
      table_slots_release (&image->slots);
      virtual_tables_release (&image->tables);
      object_layout_release (&image->layout);
      code_map_close (image->code);
      symbolizer_close (image->symbolizer);
    }
  for (size_t i = 0; i < list->differing_count; i++)
    free (list->differing[i]);
  free (list->differing);
  free (list->images);
  *list = (struct image_list){ 0 };
}

/* Return true if the path of N bytes has the file name of IMAGE.  */
static bool
has_name (const struct image *image, const char *path, size_t n)
{
  const char *slash = strrchr (image->path, '/');
  const char *name = slash != NULL ? slash + 1 : image->path;
  size_t bytes = strlen (name);
  return bytes <= n && memcmp (path + n - bytes, name, bytes) == 0
	 && (bytes == n || path[n - bytes - 1] == '/');
}

/* Remember that the path of N bytes has the name but not the build ID of an
   image.  Only a warning is lost if memory is exhausted.  */
static void
add_differing (struct image_list *list, const char *path, size_t n)
{
  for (size_t i = 0; i < list->differing_count; i++)
    if (strlen (list->differing[i]) == n
	&& memcmp (list->differing[i], path, n) == 0)
      return;
  char **grown
    = realloc (list->differing, (list->differing_count + 1) * sizeof *grown);
  if (grown == NULL)
    return;
  list->differing = grown;
  grown[list->differing_count] = strndup (path, n);
  list->differing_count += grown[list->differing_count] != NULL;
}

uint32_t
image_list_find (struct image_list *list, const char *path, size_t path_bytes,
		 const uint8_t *build_id, size_t size)
{
  size_t deleted = strlen (DELETED);
  if (path_bytes > deleted
      && memcmp (path + path_bytes - deleted, DELETED, deleted) == 0)
    path_bytes -= deleted;
  uint32_t named = PERF_NO_IMAGE;
  bool is_other = false;
  for (uint32_t i = 0; i < list->count; i++)
    {
      size_t own_size;
      const uint8_t *own
	= object_file_build_id (list->images[i].file, &own_size);
      bool is_comparable = size > 0 && own_size > 0;
      /* perf keeps only the first 20 bytes of longer build IDs.  */
      size_t common = own_size < size ? own_size : size;
      if (is_comparable && memcmp (own, build_id, common) == 0)
	return i;
      if (!has_name (&list->images[i], path, path_bytes))
	continue;
      if (is_comparable)
	is_other = true;
      else if (named == PERF_NO_IMAGE)
	named = i;
    }
  if (named == PERF_NO_IMAGE && is_other)
    add_differing (list, path, path_bytes);
  return named;
}
