/* Paths of the binaries whose addresses a heap profile keeps.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-images.h"
#include "heap-detail-tables.h"
#include <string.h>

static hashval_t
hash_image (const void *record)
{
  const struct heap_image *image = record;
  const uint32_t key[] = { image->module, image->build_id };
  return iterative_hash (key, sizeof key, 0);
}

static int
equal_images (const void *record1, const void *record2)
{
  const struct heap_image *image1 = record1;
  const struct heap_image *image2 = record2;
  return (image1->module == image2->module
	  && image1->build_id == image2->build_id);
}

bool
heap_profile_add_image (struct heap_profile *profile,
			const struct heap_image *image)
{
  struct heap_details *details = heap_profile_details (profile);
  bool is_new;
  if (image->path == 0)
    return true;
  struct heap_image *known
    = heap_details_find_or_add (&details->image_index, hash_image, equal_images,
				&details->images, image, &is_new);
  if (known
      && strcmp (heap_profile_string (profile, image->path),
		 heap_profile_string (profile, known->path))
	   < 0)
    known->path = image->path;
  return known != NULL;
}

uint32_t
heap_profile_image_path (const struct heap_profile *profile,
			 const struct heap_frame *frame)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  const struct heap_image key
    = { .module = frame->module, .build_id = frame->build_id };
  const struct heap_image *image = NULL;
  if (frame->build_id != 0 && details->image_index)
    image = htab_find (details->image_index, &key);
  return image ? image->path : frame->path;
}

bool
heap_images_merge (struct heap_profile *profile,
		   const struct heap_profile *source, const uint32_t *strings)
{
  const struct heap_details *details = heap_profile_read_details (source);
  bool done = true;
  for (uint32_t i = 0; done && i < details->images.count; i++)
    {
      const struct heap_image *old = record_table_get (&details->images, i);
      const struct heap_image image = { .module = strings[old->module],
					.build_id = strings[old->build_id],
					.path = strings[old->path] };
      done = heap_profile_add_image (profile, &image);
    }
  return done;
}
