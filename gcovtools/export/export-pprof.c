/* pprof's form: a protobuf message, compressed by gzip.
   SPDX-License-Identifier: GPL-3.0-or-later

   The fields that are written, by number:

     Profile    1 sample types (ValueType), 2 samples, 3 mappings, 4 locations,
		5 functions, 6 strings (the first is empty), 10 duration in
		nanoseconds, 13 how far numbers of samples may be off (string),
		14 the sample type to show first (string)
     ValueType  1 type (string), 2 unit (string)
     Sample     1 location ids, innermost first, 2 values, one a sample type
     Mapping    1 id, 3 end of addresses, 5 file name (string), 6 build ID
		(string), 7 to 10 it has functions, file names, lines, inlined
		frames
     Location   1 id, 2 mapping id, 3 address, 4 line (Line)
     Line       1 function id, 2 line, 3 column
     Function   1 id, 2 name (string), 3 linkage name (string), 4 file (string),
		5 line of its start

   A string is given by its place in the table: first those of the profile, by
   id, then the names of functions, then the words of sample types.  Ids of
   functions and locations are one more than the numbers of frames here, since 0
   means none; the id of a mapping is that of its name.

   Frames that keep their addresses, for want of names, are in mappings of their
   own, behind the others: those have build IDs and say that they have no names,
   so pprof looks the addresses up.  They begin at 0 and end at the last address
   there is, which means that addresses are those of the file.  */

#include "export.h"
#include "gzip-writer.h"
#include "heap-images.h"
#include "plain-text.h"
#include "protobuf-writer.h"
#include "sample-types.h"
#include <stdlib.h>
#include <string.h>

struct writer
{
  const struct export_input *input;
  uint32_t *images; /* a frame of each mapping with addresses */
  uint32_t image_count;
  struct protobuf profile;
  struct protobuf part;
  struct protobuf line;
  uint64_t names;		   /* number of the first function's name */
  uint64_t words;		   /* number of the first sample type's name */
  size_t types[SAMPLE_TYPE_COUNT]; /* those that the profile knows, in
				      SAMPLE_TYPES */
  size_t type_count;
};

static void
add_sample_types (struct writer *writer)
{
  for (size_t i = 0; i < SAMPLE_TYPE_COUNT; i++)
    {
      if (!context_measure_is_known (&writer->input->report->known,
				     sample_types[i].measure))
	continue;
      writer->types[writer->type_count++] = i;
      protobuf_add_number (&writer->part, 1, writer->words + 2 * i);
      protobuf_add_number (&writer->part, 2, writer->words + 2 * i + 1);
      protobuf_add_message (&writer->profile, 1, &writer->part);
    }
}

static bool
add_sample (struct writer *writer, const struct report_entry *entry)
{
  uint64_t values[SAMPLE_TYPE_COUNT];
  size_t depth;
  uint32_t *frames = export_frames (writer->input, entry, &depth);
  uint64_t *locations = malloc ((depth + 1) * sizeof *locations);
  if (frames == NULL || locations == NULL)
    {
      free (locations);
      free (frames);
      return false;
    }
  for (size_t i = 0; i < depth; i++)
    locations[i] = (uint64_t) frames[i] + 1;
  for (size_t i = 0; i < writer->type_count; i++)
    values[i]
      = sample_type_value (&sample_types[writer->types[i]], &entry->info);
  protobuf_add_numbers (&writer->part, 1, locations, depth);
  protobuf_add_numbers (&writer->part, 2, values, writer->type_count);
  protobuf_add_message (&writer->profile, 2, &writer->part);
  free (locations);
  free (frames);
  return true;
}

static void
add_mapping (struct writer *writer, uint32_t module)
{
  protobuf_add_number (&writer->part, 1, module);
  protobuf_add_number (&writer->part, 5, module);
  for (unsigned int has = 7; has <= 10; has++)
    protobuf_add_number (&writer->part, has, 1);
  protobuf_add_message (&writer->profile, 3, &writer->part);
}

/* Add a mapping for each program and library that a frame names. pprof takes
   the first one for the main binary.  */
static bool
add_mappings (struct writer *writer)
{
  const struct heap_profile *profile = writer->input->report->profile;
  bool *is_done = calloc ((size_t) heap_profile_string_count (profile) + 1, 1);
  uint32_t count = heap_profile_frame_count (profile);
  uint32_t program = writer->input->module;
  if (is_done != NULL && program != 0)
    {
      is_done[program] = true;
      add_mapping (writer, program);
    }
  for (uint32_t id = 0; id < count && is_done != NULL; id++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, id);
      uint32_t module = frame->module;
      if (module == 0 || is_done[module] || heap_frame_has_address (frame))
	continue;
      is_done[module] = true;
      add_mapping (writer, module);
    }
  free (is_done);
  return is_done != NULL;
}

/* Return the index in WRITER's images of the mapping that contains FRAME's
   address; their count if it is in none.  */
static uint32_t
find_image (const struct writer *writer, const struct heap_frame *frame)
{
  uint32_t i = 0;
  for (; i < writer->image_count; i++)
    {
      const struct heap_frame *known
	= heap_profile_frame (writer->input->report->profile,
			      writer->images[i]);
      if (known->module == frame->module && known->build_id == frame->build_id
	  && known->path == frame->path)
	break;
    }
  return i;
}

/* Add the mappings with addresses.  */
static bool
add_images (struct writer *writer)
{
  const struct heap_profile *profile = writer->input->report->profile;
  uint32_t count = heap_profile_frame_count (profile);
  writer->images = malloc (count * sizeof *writer->images);
  for (uint32_t id = 0; id < count && writer->images != NULL; id++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, id);
      if (!heap_frame_has_address (frame)
	  || find_image (writer, frame) < writer->image_count)
	continue;
      uint32_t path = heap_profile_image_path (profile, frame);
      writer->images[writer->image_count++] = id;
      protobuf_add_number (&writer->part, 1,
			   writer->names + writer->image_count);
      protobuf_add_number (&writer->part, 3, UINT64_MAX);
      protobuf_add_number (&writer->part, 5, path != 0 ? path : frame->module);
      protobuf_add_number (&writer->part, 6, frame->build_id);
      protobuf_add_message (&writer->profile, 3, &writer->part);
    }
  return writer->images != NULL;
}

static void
add_locations (struct writer *writer)
{
  const struct heap_profile *profile = writer->input->report->profile;
  uint32_t count = heap_profile_frame_count (profile);
  for (uint32_t id = 0; id < count; id++)
    {
      const struct heap_frame *frame = heap_profile_frame (profile, id);
      uint64_t function = writer->input->names->functions[id];
      protobuf_add_number (&writer->line, 1, function + 1);
      protobuf_add_number (&writer->line, 2, frame->line);
      protobuf_add_number (&writer->line, 3, frame->column);
      protobuf_add_number (&writer->part, 1, (uint64_t) id + 1);
      protobuf_add_number (&writer->part, 2,
			   heap_frame_has_address (frame)
			     ? writer->names + 1 + find_image (writer, frame)
			     : frame->module);
      protobuf_add_number (&writer->part, 3, frame->address);
      protobuf_add_message (&writer->part, 4, &writer->line);
      protobuf_add_message (&writer->profile, 4, &writer->part);
    }
}

static void
add_functions (struct writer *writer)
{
  const struct frame_names *names = writer->input->names;
  for (uint32_t i = 0; i < names->count; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (writer->input->report->profile, names->frames[i]);
      protobuf_add_number (&writer->part, 1, (uint64_t) i + 1);
      protobuf_add_number (&writer->part, 2, writer->names + i);
      protobuf_add_number (&writer->part, 3, frame->function_name);
      protobuf_add_number (&writer->part, 4, frame->file);
      protobuf_add_number (&writer->part, 5, frame->start_line);
      protobuf_add_message (&writer->profile, 5, &writer->part);
    }
}

static void
add_string (struct writer *writer, const char *text)
{
  char *plain = plain_text_copy (text, strlen (text), "");
  if (plain != NULL)
    protobuf_add_bytes (&writer->profile, 6, plain, strlen (plain));
  writer->profile.has_failed |= plain == NULL;
  free (plain);
}

static void
add_strings (struct writer *writer)
{
  const struct heap_profile *profile = writer->input->report->profile;
  const struct frame_names *names = writer->input->names;
  uint32_t count = heap_profile_string_count (profile);
  for (uint32_t i = 0; i < count; i++)
    add_string (writer, heap_profile_string (profile, i));
  for (uint32_t i = 0; i < names->count; i++)
    add_string (writer, names->texts[i]);
  for (size_t i = 0; i < SAMPLE_TYPE_COUNT; i++)
    {
      add_string (writer, sample_types[i].name);
      add_string (writer, sample_types[i].unit);
    }
}

bool
export_pprof (const struct export_input *input, FILE *out)
{
  const struct heap_report *report = input->report;
  struct writer writer
    = { .input = input, .names = heap_profile_string_count (report->profile) };
  writer.words = writer.names + input->names->count;
  bool is_done = add_mappings (&writer) && add_images (&writer);
  add_sample_types (&writer);
  for (size_t i = 0; i < report->context_count && is_done; i++)
    is_done = add_sample (&writer, &report->contexts[i]);
  add_locations (&writer);
  add_functions (&writer);
  add_strings (&writer);
  char margins[EXPORT_MARGINS_BYTES];
  const bool has_margins = export_margins (input, margins);
  if (has_margins)
    protobuf_add_text (&writer.profile, 6, margins);
  protobuf_add_number (&writer.profile, 10,
		       heap_profile_totals (report->profile)->duration_ns);
  if (has_margins)
    protobuf_add_number (&writer.profile, 13,
			 writer.words + 2 * SAMPLE_TYPE_COUNT);
  protobuf_add_number (&writer.profile, 14,
		       writer.words + 2 * SAMPLE_TYPE_DEFAULT);
  is_done = is_done && !writer.profile.has_failed
	    && gzip_write (writer.profile.data, writer.profile.size, out);
  free (writer.images);
  protobuf_release (&writer.line);
  protobuf_release (&writer.part);
  protobuf_release (&writer.profile);
  return is_done;
}
