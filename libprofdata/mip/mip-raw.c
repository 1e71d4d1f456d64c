/* Adding raw files to a machine-level profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A file is read twice: first all of it is checked, then its images are added,
   so that an invalid file changes nothing.  */

#include "mip-raw.h"
#include "heapprof/mip-format.h"
#include "mip-check.h"
#include "profile-check.h"
#include <stdio.h>

static uint64_t
slot_bytes (const struct mip_profile *profile,
	    const struct mip_function *function)
{
  uint64_t bytes = function->kind == HEAPPROF_MIP_COUNT	  ? 8
		   : function->kind == HEAPPROF_MIP_CALLS ? 8
		   : function->kind == HEAPPROF_MIP_ORDER ? 4
							  : 1;
  for (uint32_t i = 0; i < function->block_count; i++)
    {
      uint32_t slot = profile->blocks[function->first_block + i].slot;
      if (slot != UINT32_MAX && slot >= bytes)
	bytes = (uint64_t) slot + 1;
    }
  return bytes;
}

/* Return true if IMAGE has all slots of MODULE.  */
static bool
fits (const struct mip_profile *profile, const struct mip_module *module,
      const struct mip_raw_image *image)
{
  for (uint32_t i = 0; i < module->function_count; i++)
    {
      const struct mip_function *function
	= &profile->functions[module->first_function + i];
      if (mip_raw_find_chunk (image, function->kind, function->slot,
			      slot_bytes (profile, function))
	  == NULL)
	return false;
    }
  return true;
}

/* Set *ERR to the reason why IMAGE of the file PATH is skipped.  */
static void
say_why (const char *path, const struct mip_raw_image *image, bool is_known,
	 struct profile_error *err)
{
  char id[2 * HEAPPROF_MIP_BUILD_ID_BYTES + 1] = "";
  for (uint32_t i = 0; i < image->build_id_bytes; i++)
    snprintf (id + 2 * i, 3, "%02x", image->build_id[i]);
  if (is_known)
    profile_error_set (err, path, image->offset,
		       "its slots do not match the map of the program");
  else
    profile_error_set (err, path, image->offset,
		       "belongs to another program: the profile has no "
		       "build ID %s",
		       *id != '\0' ? id : "none");
}

/* Return true if the data after IMAGE in its file is a row that a run is
   adding, or was adding when it was killed.  */
static bool
is_row_in_the_making (const struct byte_reader *reader,
		      const struct mip_raw_image *image)
{
  const struct mip_raw_chunk *last
    = image->chunk_count > 0 ? &image->chunks[image->chunk_count - 1] : NULL;
  return last != NULL && last->encoding == HEAPPROF_MIP_ROWS
	 && byte_reader_left (reader) <= mip_raw_row_bytes (last)
	 && !mip_profile_is_raw (reader->data + reader->position,
				 byte_reader_left (reader));
}

bool
mip_profile_add_raw (struct mip_profile *profile, const char *path,
		     const void *data, size_t size, uint64_t weight,
		     size_t *skipped, struct profile_error *err)
{
  struct byte_reader reader;
  struct mip_raw_image image;
  *skipped = 0;
  byte_reader_init (&reader, path, data, size, err);
  if (size == 0)
    return profile_error_set (err, path, 0, "the file is empty");
  while (byte_reader_left (&reader) > 0 && mip_raw_read (&reader, &image)
	 && !is_row_in_the_making (&reader, &image))
    continue;
  if (reader.failed)
    return false;
  byte_reader_init (&reader, path, data, size, err);
  while (byte_reader_left (&reader) > 0 && mip_raw_read (&reader, &image))
    {
      size_t number
	= mip_profile_find_module (profile, image.build_id,
				   image.build_id_bytes, image.link_unit);
      if (number == SIZE_MAX
	  || !fits (profile, &profile->modules[number], &image))
	{
	  say_why (path, &image, number != SIZE_MAX, err);
	  ++*skipped;
	}
      else if (!mip_raw_add (profile, number, &image, weight))
	return profile_error_set_memory (err, path);
      if (is_row_in_the_making (&reader, &image))
	break;
    }
  PROFILE_CHECK (mip_profile_is_valid (profile));
  return true;
}
