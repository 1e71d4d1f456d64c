/* Reading and writing of machine-level profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "file-content.h"
#include "mip-commands.h"
#include "mip-object.h"
#include "mip-text.h"
#include "output-file.h"
#include <stdlib.h>

static void
note_dropped (const char *path, const struct mip_map_dropped *dropped)
{
  if (dropped->discarded + dropped->outside + dropped->repeated > 0)
    diagnostics_note ("%s: omitted from its map: %zu functions discarded by "
		      "the linker, %zu whose slots it discarded, %zu "
		      "duplicates",
		      path, dropped->discarded, dropped->outside,
		      dropped->repeated);
  if (dropped->bypassed > 0)
    diagnostics_warning (
      "%s: calls between files go past the functions that the "
      "linker has chosen (names: %zu): compile with "
      "-fplugin-arg-heapprof-mip-entries=file",
      path, dropped->bypassed);
}

bool
mip_input_add_map (struct mip_profile *profile, const char *path,
		   struct profile_error *err)
{
  struct mip_map_dropped dropped;
  struct mip_object *object = mip_object_open (path, err);
  if (object == NULL)
    return false;
  bool is_done
    = mip_profile_add_map (profile, mip_object_map (object), &dropped, err);
  if (is_done)
    note_dropped (path, &dropped);
  else
    /* Not the path of the program stored in the map.  */
    err->path = path;
  mip_object_close (object);
  return is_done;
}

/* Make a profile from the map in PATH.  Return NULL and set *ERR on
   failure.  */
static struct mip_profile *
create (const char *path, struct profile_error *err)
{
  struct mip_profile *profile = mip_profile_new ();
  if (profile == NULL)
    profile_error_set_memory (err, path);
  else if (mip_input_add_map (profile, path, err))
    return profile;
  mip_profile_free (profile);
  return NULL;
}

struct mip_profile *
mip_input_read (const char *path)
{
  struct profile_error err;
  struct mip_profile *profile = NULL;
  void *data;
  size_t size;
  if (file_content_read (path, &data, &size, &err))
    {
      if (mip_profile_is_profile (data, size))
	profile = mip_profile_read (path, data, size, &err);
      else if (mip_text_is_text (data, size))
	profile = mip_text_read (path, data, size, &err);
      else if (mip_profile_is_raw (data, size))
	profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
			   "is a raw file; merge it with the map of its "
			   "program");
      else
	profile = create (path, &err);
      free (data);
    }
  if (profile == NULL)
    diagnostics_error (&err);
  return profile;
}

bool
mip_output_write (const struct mip_profile *profile, const char *output)
{
  struct profile_error err;
  struct byte_writer writer = { 0 };
  bool is_done = true;
  mip_profile_write (profile, &writer);
  if (writer.failed)
    is_done = profile_error_set_memory (&err, output);
  else
    is_done
      = (output_file_check_binary (output, "a machine-level profile", &err)
	 && output_file_write (output, writer.data, writer.size, &err));
  byte_writer_free (&writer);
  if (!is_done)
    diagnostics_error (&err);
  return is_done;
}

enum exit_status
mip_finder_open (struct object_finder **finder, const char *const *binaries,
		 size_t count, const char *debug_directories)
{
  struct profile_error err;
  *finder = object_finder_new (debug_directories);
  if (*finder == NULL)
    return diagnostics_memory ();
  for (size_t i = 0; i < count; i++)
    if (!object_finder_add (*finder, binaries[i], &err))
      {
	diagnostics_error (&err);
	object_finder_free (*finder);
	*finder = NULL;
	return STATUS_FAILED;
      }
  return STATUS_DONE;
}
