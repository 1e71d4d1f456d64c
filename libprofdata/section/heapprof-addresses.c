/* The heapprof section: addresses of frames that are not fully symbolized.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-addresses.h"
#include "heap-images.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Longer than any linker's build ID, in hexadecimal; readers reject longer
   ones.  */
#define MOST_BUILD_ID_DIGITS 64

/* Strings of an image, in file order, which is also the sorting order.  */
enum
{
  MODULE,
  BUILD_ID,
  PATH,
  FIELDS
};

struct fields
{
  uint32_t values[FIELDS];
};

struct image_list
{
  struct fields *images;
  uint32_t count;
};

static const struct heap_frame *
frame_at (const struct heap_profile *profile,
	  const struct canonical_order *order, uint32_t number)
{
  return heap_profile_frame (profile, order->frames.ids[number]);
}

bool
heapprof_addresses_are_there (const struct heap_profile *profile,
			      const struct canonical_order *order)
{
  for (uint32_t i = 1; i < order->frames.count; i++)
    if (heap_frame_has_address (frame_at (profile, order, i)))
      return true;
  return false;
}

static int
compare_fields (const void *element1, const void *element2)
{
  const struct fields *fields1 = element1;
  const struct fields *fields2 = element2;
  for (int i = 0; i < FIELDS; i++)
    if (fields1->values[i] != fields2->values[i])
      return fields1->values[i] < fields2->values[i] ? -1 : 1;
  return 0;
}

/* Return the image of FRAME as stored in the file.  */
static struct fields
image_of (const struct heap_profile *profile,
	  const struct canonical_order *order, const struct heap_frame *frame)
{
  const uint32_t *strings = order->strings.places;
  return (struct fields){
    { [MODULE] = strings[frame->module],
      [BUILD_ID] = strings[frame->build_id],
      [PATH] = strings[heap_profile_image_path (profile, frame)] }
  };
}

/* Fill LIST with the distinct images of all frames.  Return the number of
   frames that have one.  */
static uint32_t
make_images (struct image_list *list, const struct heap_profile *profile,
	     const struct canonical_order *order)
{
  uint32_t frames = 0;
  for (uint32_t i = 1; i < order->frames.count; i++)
    {
      const struct heap_frame *frame = frame_at (profile, order, i);
      if (heap_frame_has_address (frame))
	list->images[frames++] = image_of (profile, order, frame);
    }
  qsort (list->images, frames, sizeof *list->images, compare_fields);
  for (uint32_t i = 0; i < frames; i++)
    if (i == 0
	|| compare_fields (&list->images[i], &list->images[list->count - 1])
	     != 0)
      list->images[list->count++] = list->images[i];
  return frames;
}

/* Map small differences of either sign to small numbers.  */
static uint64_t
zigzag (uint64_t difference)
{
  return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static void
write_frames (struct byte_writer *writer, const struct image_list *list,
	      const struct heap_profile *profile,
	      const struct canonical_order *order)
{
  uint32_t last = 0;
  uint64_t address = 0;
  for (uint32_t i = 1; i < order->frames.count; i++)
    {
      const struct heap_frame *frame = frame_at (profile, order, i);
      if (!heap_frame_has_address (frame))
	continue;
      const struct fields key = image_of (profile, order, frame);
      const struct fields *image
	= bsearch (&key, list->images, list->count, sizeof key, compare_fields);
      byte_writer_uleb128 (writer, i - last);
      byte_writer_uleb128 (writer, image - list->images);
      byte_writer_uleb128 (writer, zigzag (frame->address - address));
      last = i;
      address = frame->address;
    }
}

void
heapprof_addresses_write (struct byte_writer *writer,
			  const struct heap_profile *profile,
			  const struct canonical_order *order)
{
  struct image_list list
    = { .images = calloc (order->frames.count, sizeof *list.images) };
  writer->failed |= !list.images;
  if (!list.images)
    return;
  uint32_t frames = make_images (&list, profile, order);
  byte_writer_uleb128 (writer, list.count);
  for (uint32_t i = 0; i < list.count; i++)
    for (int k = 0; k < FIELDS; k++)
      byte_writer_uleb128 (writer, list.images[i].values[k]);
  byte_writer_uleb128 (writer, frames);
  write_frames (writer, &list, profile, order);
  free (list.images);
}

/* ---- Reading.  */

static bool
is_build_id (const char *text)
{
  size_t digits = strspn (text, "0123456789abcdef");
  return text[digits] == '\0' && digits % 2 == 0
	 && digits <= MOST_BUILD_ID_DIGITS;
}

/* Read the next image into *IMAGE, and its path into PROFILE.  */
static void
read_image (struct byte_reader *reader, struct heap_profile *profile,
	    const struct heapprof_details_maps *maps, struct heap_image *image)
{
  static const char what[] = "an image";
  size_t start = reader->position;
  image->module = heapprof_details_read_string (reader, maps, what);
  image->build_id = heapprof_details_read_string (reader, maps, what);
  image->path = heapprof_details_read_string (reader, maps, what);
  if (reader->failed)
    return;
  if (!is_build_id (heap_profile_string (profile, image->build_id)))
    byte_reader_fail (reader, start,
		      "invalid image build ID (expected hexadecimal "
		      "digits)");
  else if (image->build_id == 0 && image->path == 0)
    byte_reader_fail (reader, start, "image without build ID and path");
  else if (image->build_id != 0 && !heap_profile_add_image (profile, image))
    byte_reader_fail_memory (reader);
}

/* Read the addresses into ADDRESSES, which has room for them.  They refer to
   COUNT IMAGES.  */
static void
read_addresses (struct byte_reader *reader,
		struct heapprof_addresses *addresses,
		const struct heap_image *images, uint64_t count)
{
  static const char what[] = "an address";
  uint64_t frame = 0;
  uint64_t address = 0;
  for (size_t i = 0; i < addresses->count && !reader->failed; i++)
    {
      size_t start = reader->position;
      uint64_t distance = byte_reader_uleb128 (reader, what);
      uint64_t image = byte_reader_uleb128 (reader, what);
      uint64_t difference = byte_reader_uleb128 (reader, what);
      if (reader->failed)
	return;
      if (distance == 0 || distance > UINT32_MAX - frame)
	byte_reader_fail (reader, start,
			  "invalid frame %" PRIu64
			  " of an address (previous frame is %" PRIu64 ")",
			  frame + distance, frame);
      else if (image >= count)
	byte_reader_fail (reader, start,
			  "address: invalid image %" PRIu64
			  " (expected less than %" PRIu64 ")",
			  image, count);
      if (reader->failed)
	return;
      frame += distance;
      address += difference >> 1 ^ (difference & 1 ? UINT64_MAX : 0);
      addresses->list[i] = (struct heapprof_address){
	.frame = frame,
	.build_id = images[image].build_id,
	.path = images[image].build_id != 0 ? 0 : images[image].path,
	.address = address
      };
    }
}

void
heapprof_addresses_read (struct byte_reader *reader,
			 struct heap_profile *profile,
			 const struct heapprof_details_maps *maps,
			 struct heapprof_addresses *addresses)
{
  uint64_t image_count = byte_reader_uleb128 (reader, "the images");
  byte_reader_need (reader, image_count, FIELDS, "the images");
  if (reader->failed)
    return;
  struct heap_image *images = calloc (image_count + 1, sizeof *images);
  if (!images)
    byte_reader_fail_memory (reader);
  for (uint64_t i = 0; i < image_count && !reader->failed; i++)
    read_image (reader, profile, maps, &images[i]);
  uint64_t count = byte_reader_uleb128 (reader, "the addresses");
  byte_reader_need (reader, count, 3, "the addresses");
  if (!reader->failed)
    {
      addresses->list = calloc (count + 1, sizeof *addresses->list);
      addresses->count = count;
      if (addresses->list)
	read_addresses (reader, addresses, images, image_count);
      else
	byte_reader_fail_memory (reader);
    }
  free (images);
}

void
heapprof_addresses_apply (struct heapprof_addresses *addresses, uint32_t number,
			  struct heap_frame *frame)
{
  if (addresses->next == addresses->count
      || addresses->list[addresses->next].frame != number)
    return;
  const struct heapprof_address *address = &addresses->list[addresses->next++];
  frame->build_id = address->build_id;
  frame->path = address->path;
  frame->address = address->address;
}
