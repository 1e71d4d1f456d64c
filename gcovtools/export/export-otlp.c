/* OpenTelemetry's form of profiles (OTLP): a protobuf message.
   SPDX-License-Identifier: GPL-3.0-or-later

   This is opentelemetry.proto.profiles.v1development.ProfilesData, as published
   in version 1.9 of the protocol.  A request to a collector's profile service
   has the same fields.  Those that are written, by number:

     ProfilesData        1 profiles of a resource, 2 dictionary
     ResourceProfiles    1 resource, 2 profiles of a scope
     Resource            1 attributes (KeyValue)
     KeyValue            1 key, 2 value (AnyValue)
     AnyValue            1 text, 3 number
     ScopeProfiles       1 scope, 2 profiles
     InstrumentationScope  1 name, 2 version
     Profile             1 sample type (ValueType), 2 samples, 3 time (fixed64,
			 nanoseconds of Unix time), 4 duration in nanoseconds,
			 7 id of 16 bytes
     ValueType           1 type (string), 2 unit (string)
     Sample              1 stack, 4 values
     ProfilesDictionary  1 mappings, 2 locations, 3 functions, 4 links,
			 5 strings, 6 attributes, 7 stacks
     Mapping             2 end of addresses, 4 file name (string), 5 attributes
     Location            1 mapping, 2 address, 3 line (Line), 4 attributes
     Line                1 function, 2 line, 3 column
     Function            1 name (string), 2 linkage name (string), 3 file
			 (string), 4 line of its start
     KeyValueAndUnit     1 key (string), 2 value (AnyValue)
     Stack               1 locations, innermost first

   A string, like everything else in the dictionary, is given by its place in
   its table, whose first entry is empty and means none.  The dictionary has
   only what is referred to, and nothing twice.  A profile has one sample type,
   so there is one for each that the source knows; contexts whose value is 0 are
   left out.  */

#include "config.h"
#include "export.h"
#include "heap-images.h"
#include "plain-text.h"
#include "protobuf-writer.h"
#include "sample-types.h"
#include <stdlib.h>
#include <string.h>

/* From libiberty; Debian's package is missing md5.h.  */
extern void *md5_buffer (const char *bytes, size_t n, void *digest);

enum
{
  TABLE_MAPPINGS = 1,
  TABLE_LOCATIONS,
  TABLE_FUNCTIONS,
  TABLE_LINKS,
  TABLE_STRINGS,
  TABLE_ATTRIBUTES,
  TABLE_STACKS,
  TABLE_END
};

#define ID_BYTES 16

/* Keys of OpenTelemetry's conventions.  */
#define SERVICE_NAME "service.name"
#define FRAME_TYPE "profile.frame.type"
#define BUILD_ID "process.executable.build_id.gnu"

struct writer
{
  const struct export_input *input;
  const struct heap_profile *profile;
  struct protobuf dictionary;
  uint64_t counts[TABLE_END]; /* entries of each table */
  struct heap_profile *texts; /* whose strings are those of the dictionary */
  /* Places in the dictionary, 0 until there is one: of functions by number, of
     locations by frame, of stacks by context in the report.  */
  uint32_t *functions;
  uint32_t *locations;
  uint32_t *stacks;
  uint32_t *images; /* a frame of each mapping, after the first one */
  uint64_t native;  /* attribute of locations */
  /* Messages under construction.  */
  struct protobuf part;
  struct protobuf line;
};

/* Enter PART in TABLE, and empty it.  Return its place.  */
static uint64_t
enter (struct writer *writer, unsigned int table, struct protobuf *part)
{
  protobuf_add_message (&writer->dictionary, table, part);
  return writer->counts[table]++;
}

/* Return the place of TEXT, which is made plain, among the strings.  */
static uint64_t
string (struct writer *writer, const char *text)
{
  char *plain = plain_text_copy (text, strlen (text), "");
  uint32_t id = plain != NULL ? heap_profile_add_string (writer->texts, plain,
							 strlen (plain))
			      : UINT32_MAX;
  free (plain);
  writer->dictionary.has_failed |= id == UINT32_MAX;
  return id != UINT32_MAX ? id : 0;
}

/* Return the place of the string ID of the profile.  */
static uint64_t
known_string (struct writer *writer, uint32_t id)
{
  return string (writer, heap_profile_string (writer->profile, id));
}

/* Enter the attribute KEY with the text VALUE.  */
static uint64_t
attribute (struct writer *writer, const char *key, const char *value)
{
  protobuf_add_text (&writer->line, 1, value);
  protobuf_add_number (&writer->part, 1, string (writer, key));
  protobuf_add_message (&writer->part, 2, &writer->line);
  return enter (writer, TABLE_ATTRIBUTES, &writer->part);
}

/* Return true if A and B are in the same mapping.  */
static bool
shares_mapping (const struct heap_frame *a, const struct heap_frame *b)
{
  return a->module == b->module && a->build_id == b->build_id
	 && a->path == b->path;
}

/* Return the place of the mapping of frame ID.  */
static uint64_t
mapping (struct writer *writer, uint32_t id)
{
  const struct heap_frame *frame = heap_profile_frame (writer->profile, id);
  uint64_t count = writer->counts[TABLE_MAPPINGS];
  if (frame->module == 0 && !heap_frame_has_address (frame))
    return 0;
  for (uint64_t i = 1; i < count; i++)
    if (shares_mapping (frame, heap_profile_frame (writer->profile,
						   writer->images[i])))
      return i;
  uint32_t path = heap_profile_image_path (writer->profile, frame);
  uint64_t file = known_string (writer, path != 0 ? path : frame->module);
  uint64_t build_id
    = frame->build_id != 0
	? attribute (writer, BUILD_ID,
		     heap_profile_string (writer->profile, frame->build_id))
	: 0;
  /* Addresses are those of the file.  */
  if (heap_frame_has_address (frame))
    protobuf_add_number (&writer->part, 2, UINT64_MAX);
  protobuf_add_number (&writer->part, 4, file);
  protobuf_add_numbers (&writer->part, 5, &build_id, build_id != 0);
  writer->images[count] = id;
  return enter (writer, TABLE_MAPPINGS, &writer->part);
}

/* Return the place of the function of frame ID; 0 if it is unknown.  */
static uint64_t
function (struct writer *writer, uint32_t id)
{
  const struct heap_frame *frame = heap_profile_frame (writer->profile, id);
  uint32_t *place = &writer->functions[writer->input->names->functions[id]];
  if (*place != 0)
    return *place;
  protobuf_add_number (&writer->part, 1,
		       string (writer,
			       frame_names_text (writer->input->names, id)));
  protobuf_add_number (&writer->part, 2,
		       known_string (writer, frame->function_name));
  protobuf_add_number (&writer->part, 3, known_string (writer, frame->file));
  protobuf_add_number (&writer->part, 4, frame->start_line);
  *place = (uint32_t) enter (writer, TABLE_FUNCTIONS, &writer->part);
  return *place;
}

/* Return the place of the location of frame ID.  */
static uint64_t
location (struct writer *writer, uint32_t id)
{
  const struct heap_frame *frame = heap_profile_frame (writer->profile, id);
  if (writer->locations[id] != 0)
    return writer->locations[id];
  uint64_t its_mapping = mapping (writer, id);
  uint64_t its_function = function (writer, id);
  protobuf_add_number (&writer->line, 1, its_function);
  protobuf_add_number (&writer->line, 2, frame->line);
  protobuf_add_number (&writer->line, 3, frame->column);
  protobuf_add_number (&writer->part, 1, its_mapping);
  protobuf_add_number (&writer->part, 2, frame->address);
  protobuf_add_message (&writer->part, 3, &writer->line);
  protobuf_add_numbers (&writer->part, 4, &writer->native, 1);
  writer->locations[id]
    = (uint32_t) enter (writer, TABLE_LOCATIONS, &writer->part);
  return writer->locations[id];
}

/* Return the place of the stack of context INDEX of the report; 0 if memory is
   exhausted.  */
static uint64_t
stack (struct writer *writer, size_t index)
{
  size_t depth;
  if (writer->stacks[index] != 0)
    return writer->stacks[index];
  uint32_t *frames
    = export_frames (writer->input, &writer->input->report->contexts[index],
		     &depth);
  uint64_t *locations = malloc ((depth + 1) * sizeof *locations);
  if (frames != NULL && locations != NULL)
    {
      for (size_t i = 0; i < depth; i++)
	locations[i] = location (writer, frames[i]);
      protobuf_add_numbers (&writer->part, 1, locations, depth);
      writer->stacks[index]
	= (uint32_t) enter (writer, TABLE_STACKS, &writer->part);
    }
  else
    writer->dictionary.has_failed = true;
  free (locations);
  free (frames);
  return writer->stacks[index];
}

/* Append the profile of TYPE to SCOPE.  */
static void
add_profile (struct writer *writer, struct protobuf *scope,
	     const struct sample_type *type)
{
  const struct export_input *input = writer->input;
  const struct heap_report *report = input->report;
  uint64_t duration = heap_profile_totals (report->profile)->duration_ns;
  struct protobuf profile = { 0 };
  uint8_t id[ID_BYTES];
  protobuf_add_number (&writer->line, 1, string (writer, type->name));
  protobuf_add_number (&writer->line, 2, string (writer, type->unit));
  protobuf_add_message (&profile, 1, &writer->line);
  for (size_t i = 0; i < report->context_count; i++)
    {
      uint64_t value = sample_type_value (type, &report->contexts[i].info);
      if (value == 0)
	continue;
      uint64_t place = stack (writer, i);
      protobuf_add_number (&writer->line, 1, place);
      protobuf_add_numbers (&writer->line, 4, &value, 1);
      protobuf_add_message (&profile, 2, &writer->line);
    }
  protobuf_add_fixed64 (&profile, 3,
			input->end_unix_ns > duration
			  ? input->end_unix_ns - duration
			  : input->end_unix_ns);
  protobuf_add_number (&profile, 4, duration);
  md5_buffer ((const char *) profile.data, profile.size, id);
  protobuf_add_bytes (&profile, 7, id, sizeof id);
  protobuf_add_message (scope, 2, &profile);
  protobuf_release (&profile);
}

/* Append the profiles of all known types to SCOPE, first the one that viewers
   should show first.  */
static void
add_profiles (struct writer *writer, struct protobuf *scope)
{
  for (size_t i = 0; i < SAMPLE_TYPE_COUNT; i++)
    {
      /* The default, 0, 1, ... without the default.  */
      size_t type = i == 0		       ? SAMPLE_TYPE_DEFAULT
		    : i <= SAMPLE_TYPE_DEFAULT ? i - 1
					       : i;
      if (context_measure_is_known (&writer->input->report->known,
				    sample_types[type].measure))
	add_profile (writer, scope, &sample_types[type]);
    }
}

/* Begin each table with the empty entry.  */
static void
begin_dictionary (struct writer *writer)
{
  for (unsigned int table = TABLE_MAPPINGS; table < TABLE_END; table++)
    if (table != TABLE_STRINGS)
      enter (writer, table, &writer->part);
  writer->native = attribute (writer, FRAME_TYPE, "native");
}

static void
add_strings (struct writer *writer)
{
  uint32_t count = heap_profile_string_count (writer->texts);
  for (uint32_t i = 0; i < count; i++)
    protobuf_add_text (&writer->dictionary, TABLE_STRINGS,
		       heap_profile_string (writer->texts, i));
}

/* Append the attribute KEY of the resource to RESOURCE, which has fields of
   struct Resource: TEXT, made plain, or if that is NULL, NUMBER.  */
static void
add_attribute (struct writer *writer, struct protobuf *resource,
	       const struct export_attribute *attribute)
{
  struct protobuf key_value = { 0 };
  char *key = plain_text_copy (attribute->key, strlen (attribute->key), "");
  char *text
    = attribute->text != NULL
	? plain_text_copy (attribute->text, strlen (attribute->text), "")
	: NULL;
  resource->has_failed
    |= key == NULL || (text == NULL && attribute->text != NULL);
  if (text != NULL)
    protobuf_add_text (&writer->line, 1, text);
  else
    protobuf_add_number (&writer->line, 3, attribute->number);
  if (key != NULL)
    protobuf_add_text (&key_value, 1, key);
  protobuf_add_message (&key_value, 2, &writer->line);
  protobuf_add_message (resource, 1, &key_value);
  protobuf_release (&key_value);
  free (key);
  free (text);
}

/* Append the resource, the program, to RESOURCE.  */
static void
add_resource (struct writer *writer, struct protobuf *resource)
{
  const struct export_input *input = writer->input;
  const char *slash = strrchr (input->program, '/');
  const struct export_attribute service
    = { .key = SERVICE_NAME,
	.text = input->service != NULL ? input->service
		: slash != NULL	       ? slash + 1
				       : input->program };
  add_attribute (writer, &writer->part, &service);
  for (size_t i = 0; i < input->attribute_count; i++)
    add_attribute (writer, &writer->part, &input->attributes[i]);
  protobuf_add_message (resource, 1, &writer->part);
}

/* Append how far numbers of samples may be off to SCOPE, as an attribute.  */
static void
add_margins (struct writer *writer, struct protobuf *scope)
{
  char margins[EXPORT_MARGINS_BYTES];
  struct protobuf key_value = { 0 };
  if (!export_margins (writer->input, margins))
    return;
  protobuf_add_text (&writer->line, 1, margins);
  protobuf_add_text (&key_value, 1, "heapprof.samples");
  protobuf_add_message (&key_value, 2, &writer->line);
  protobuf_add_message (scope, 3, &key_value);
  protobuf_release (&key_value);
}

/* Make all of *DATA with WRITER, whose tables exist.  */
static void
make_data (struct writer *writer, struct protobuf *data)
{
  struct protobuf resource = { 0 }, scope = { 0 };
  begin_dictionary (writer);
  add_resource (writer, &resource);
  protobuf_add_text (&writer->part, 1, "heapprof-gcov");
  protobuf_add_text (&writer->part, 2, PACKAGE_VERSION);
  add_margins (writer, &writer->part);
  protobuf_add_message (&scope, 1, &writer->part);
  add_profiles (writer, &scope);
  add_strings (writer);
  protobuf_add_message (&resource, 2, &scope);
  protobuf_add_message (data, 1, &resource);
  protobuf_add_message (data, 2, &writer->dictionary);
  protobuf_release (&scope);
  protobuf_release (&resource);
}

bool
export_otlp (const struct export_input *input, FILE *out)
{
  const struct heap_report *report = input->report;
  size_t frames = heap_profile_frame_count (report->profile);
  struct protobuf data = { 0 };
  struct writer writer
    = { .input = input,
	.profile = report->profile,
	.texts = heap_profile_new (),
	.functions
	= calloc ((size_t) input->names->count + 1, sizeof *writer.functions),
	.locations = calloc (frames + 1, sizeof *writer.locations),
	.stacks = calloc (report->context_count + 1, sizeof *writer.stacks),
	.images = calloc (frames + 1, sizeof *writer.images) };
  bool is_done = writer.texts != NULL && writer.functions != NULL
		 && writer.locations != NULL && writer.stacks != NULL
		 && writer.images != NULL;
  if (is_done)
    make_data (&writer, &data);
  is_done = is_done && !data.has_failed;
  if (is_done)
    fwrite (data.data, 1, data.size, out);
  heap_profile_free (writer.texts);
  free (writer.functions);
  free (writer.locations);
  free (writer.stacks);
  free (writer.images);
  protobuf_release (&writer.dictionary);
  protobuf_release (&writer.part);
  protobuf_release (&writer.line);
  protobuf_release (&data);
  return is_done;
}
