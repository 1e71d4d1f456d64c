/* Reading LLVM's YAML form of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A record is merged when it has been read completely, since its GUID, which
   its allocations need, is not necessarily first.  */

#include "memprof-yaml.h"
#include "function-id.h"
#include "llvm-records.h"
#include "memprof-fold.h"
#include "yaml-cursor.h"
#include <stdlib.h>
#include <string.h>

/* A growing list of records of any kind.  */
struct list
{
  void *elements;
  size_t count;
  size_t capacity;
};

/* An allocation of the record being read.  */
struct alloc_site
{
  uint32_t context;
  size_t offset;
  struct memory_info info;
};

/* A call site of the record.  It has COUNT callees in the common list, starting
   at FIRST.  */
struct call_site
{
  uint32_t context;
  size_t first_callee;
  size_t callee_count;
};

struct reading
{
  struct heap_profile *profile;
  struct byte_reader *reader;
  struct memprof_fold fold;
  struct list frames;	   /* uint32_t: ids, innermost first */
  struct list alloc_sites; /* of a record */
  struct list call_sites;
  struct list callees; /* uint64_t */
  struct list others;  /* struct memory_info: of allocations listed by functions
			  other than the innermost */
  uint64_t guid;
  bool has_guid;

  struct heap_frame frame;
  unsigned int frame_keys; /* bits of the keys that were present */
  bool has_stack;
  bool has_info;
  struct alloc_site alloc_site;
  struct call_site call_site;
  struct heap_data_access access;
  struct list locations; /* struct heap_data_location */
  struct heap_data_location location;
  bool has_file;
};

/* Append N bytes of ELEMENT.  READER fails if memory is exhausted.  */
static void
add (struct reading *reading, struct list *list, const void *element, size_t n)
{
  if (reading->reader->failed)
    return;
  if (list->count == list->capacity)
    {
      size_t capacity = list->capacity * 2 + 16;
      void *elements = realloc (list->elements, capacity * n);
      if (!elements)
	{
	  byte_reader_fail_memory (reading->reader);
	  return;
	}
      list->elements = elements;
      list->capacity = capacity;
    }
  memcpy ((char *) list->elements + list->count++ * n, element, n);
}

static void
unknown_key (struct yaml_cursor *cursor, const char *key, const char *where)
{
  yaml_cursor_fail (cursor, cursor->scalar_offset, "unknown key %.40s in %s",
		    key, where);
}

/* ---- Names and GUIDs.  */

/* Return how many of the N bytes of NAME remain when SUFFIX, `.llvm.' or
   `.part.', and what follows is removed as in LLVM, if no dot follows.  A name
   that would become empty, which LLVM rejects, is left unchanged: what was read
   can be written.  */
static size_t
cut_suffix (const char *name, size_t n, const char *suffix)
{
  const size_t bytes = strlen (suffix);
  const char *last = memrchr (name, '.', n);
  if (!last || (size_t) (last + 1 - name) <= bytes
      || memcmp (last + 1 - bytes, suffix, bytes) != 0)
    return n;
  return last + 1 - bytes - name;
}

static size_t
cut_suffixes (const char *name, size_t n)
{
  return cut_suffix (name, cut_suffix (name, n, ".llvm."), ".part.");
}

/* Read a GUID, or a name and return its GUID.  */
static uint64_t
read_guid (struct yaml_cursor *cursor, const char *what)
{
  if (!yaml_cursor_scalar (cursor))
    return 0;
  const char *text = cursor->scalar;
  size_t n = cursor->scalar_bytes;
  if (text[0] == '0' && (text[1] | 0x20) == 'x')
    {
      char *end;
      uint64_t guid = strtoull (text, &end, 16);
      if (*end != '\0' || n > 18 || n == 2)
	yaml_cursor_fail (cursor, cursor->scalar_offset,
			  "%s: invalid GUID \"%.40s\"", what, text);
      return guid;
    }
  if (text[strspn (text, "0123456789")] == '\0')
    yaml_cursor_fail (cursor, cursor->scalar_offset,
		      "%s: invalid value %.40s (expected a name, or a "
		      "GUID with 0x prefix)",
		      what, text);
  return function_guid (text, cut_suffixes (text, n));
}

/* ---- Frames.  */

static void
read_frame_key (struct yaml_cursor *cursor, const char *key, void *data)
{
  static const char *const keys[]
    = { "Function", "LineOffset", "Column", "IsInlineFrame" };
  struct reading *reading = data;
  unsigned int i = 0;
  while (i < 4 && strcmp (key, keys[i]) != 0)
    i++;
  switch (i)
    {
    case 0:
      reading->frame.function_guid = read_guid (cursor, keys[i]);
      break;
    case 1:
      reading->frame.line_offset
	= yaml_cursor_number (cursor, keys[i], UINT32_MAX);
      break;
    case 2:
      reading->frame.column = yaml_cursor_number (cursor, keys[i], UINT32_MAX);
      break;
    case 3:
      reading->frame.is_inline = yaml_cursor_boolean (cursor, keys[i]);
      break;
    default:
      unknown_key (cursor, key, "a frame");
    }
  reading->frame_keys |= 1u << i;
}

static void
read_frame (struct yaml_cursor *cursor, size_t least_column, void *data)
{
  struct reading *reading = data;
  size_t start = cursor->reader->position;
  reading->frame = (struct heap_frame){ 0 };
  reading->frame_keys = 0;
  yaml_cursor_mapping (cursor, least_column, read_frame_key, reading);
  if (reading->frame_keys != 0xf)
    yaml_cursor_fail (cursor, start,
		      "frame without all of Function, "
		      "LineOffset, Column and IsInlineFrame");
  if (reading->reader->failed)
    return;
  uint32_t id = heap_profile_add_frame (reading->profile, &reading->frame);
  if (id == UINT32_MAX)
    byte_reader_fail_memory (reading->reader);
  add (reading, &reading->frames, &id, sizeof id);
}

/* Read the frames of a stack.  Return its context.  */
static uint32_t
read_stack (struct yaml_cursor *cursor, struct reading *reading)
{
  size_t start = cursor->reader->position;
  reading->frames.count = 0;
  yaml_cursor_sequence (cursor, 0, read_frame, reading);
  if (reading->frames.count == 0)
    yaml_cursor_fail (cursor, start, "stack without frames");
  const uint32_t *frames = reading->frames.elements;
  uint32_t context = 0;
  for (size_t i = reading->frames.count; i > 0 && !reading->reader->failed; i--)
    {
      context
	= heap_profile_add_context (reading->profile, context, frames[i - 1]);
      if (context == UINT32_MAX)
	byte_reader_fail_memory (reading->reader);
    }
  return context;
}

/* ---- Allocations and call sites.  */

static void
read_info_key (struct yaml_cursor *cursor, const char *key, void *data)
{
  struct reading *reading = data;
  unsigned int tag = 1;
  while (tag < MEMORY_INFO_TAG_END
	 && strcmp (key, memory_info_field_name (tag)) != 0)
    tag++;
  if (tag == MEMORY_INFO_TAG_END)
    {
      unknown_key (cursor, key, "a MemInfoBlock");
      return;
    }
  uint64_t most = memory_info_field_bytes (tag) == 4 ? UINT32_MAX : UINT64_MAX;
  memory_info_set (&reading->alloc_site.info, tag,
		   yaml_cursor_number (cursor, memory_info_field_name (tag),
				       most));
}

static void
read_alloc_site_key (struct yaml_cursor *cursor, const char *key, void *data)
{
  struct reading *reading = data;
  if (strcmp (key, "Callstack") == 0)
    {
      reading->alloc_site.context = read_stack (cursor, reading);
      reading->has_stack = true;
    }
  else if (strcmp (key, "MemInfoBlock") == 0)
    {
      yaml_cursor_mapping (cursor, 1, read_info_key, reading);
      reading->has_info = true;
    }
  else
    unknown_key (cursor, key, "an AllocSite");
}

static void
read_alloc_site (struct yaml_cursor *cursor, size_t least_column, void *data)
{
  struct reading *reading = data;
  reading->has_stack = reading->has_info = false;
  reading->alloc_site
    = (struct alloc_site){ .offset = cursor->reader->position };
  yaml_cursor_mapping (cursor, least_column, read_alloc_site_key, reading);
  if (!reading->has_stack || !reading->has_info)
    yaml_cursor_fail (cursor, reading->alloc_site.offset,
		      "AllocSite without Callstack or MemInfoBlock");
  add (reading, &reading->alloc_sites, &reading->alloc_site,
       sizeof reading->alloc_site);
}

static void
read_callee (struct yaml_cursor *cursor, size_t least_column, void *data)
{
  struct reading *reading = data;
  (void) least_column;
  uint64_t guid = read_guid (cursor, "CalleeGuids");
  add (reading, &reading->callees, &guid, sizeof guid);
}

static void
read_call_site_key (struct yaml_cursor *cursor, const char *key, void *data)
{
  struct reading *reading = data;
  if (strcmp (key, "Frames") == 0)
    {
      reading->call_site.context = read_stack (cursor, reading);
      reading->has_stack = true;
    }
  else if (strcmp (key, "CalleeGuids") == 0)
    yaml_cursor_sequence (cursor, 0, read_callee, reading);
  else
    unknown_key (cursor, key, "a CallSite");
}

static void
read_call_site (struct yaml_cursor *cursor, size_t least_column, void *data)
{
  struct reading *reading = data;
  size_t start = cursor->reader->position;
  reading->has_stack = false;
  reading->call_site
    = (struct call_site){ .first_callee = reading->callees.count };
  yaml_cursor_mapping (cursor, least_column, read_call_site_key, reading);
  if (!reading->has_stack)
    yaml_cursor_fail (cursor, start, "CallSite without Frames");
  reading->call_site.callee_count
    = reading->callees.count - reading->call_site.first_callee;
  add (reading, &reading->call_sites, &reading->call_site,
       sizeof reading->call_site);
}

/* ---- Records.  */

static void
read_record_key (struct yaml_cursor *cursor, const char *key, void *data)
{
  struct reading *reading = data;
  if (strcmp (key, "GUID") == 0)
    {
      reading->guid = read_guid (cursor, "GUID");
      reading->has_guid = true;
    }
  else if (strcmp (key, "AllocSites") == 0)
    yaml_cursor_sequence (cursor, 0, read_alloc_site, reading);
  else if (strcmp (key, "CallSites") == 0)
    yaml_cursor_sequence (cursor, 0, read_call_site, reading);
  else
    unknown_key (cursor, key, "a record");
}

static void
fold_alloc_sites (struct reading *reading)
{
  const struct alloc_site *sites = reading->alloc_sites.elements;
  memprof_fold_begin (&reading->fold);
  for (size_t i = 0; i < reading->alloc_sites.count; i++)
    {
      size_t listings = reading->fold.listing_count;
      memprof_fold_add (&reading->fold, reading->reader, sites[i].offset,
			reading->guid, sites[i].context, &sites[i].info);
      if (reading->fold.listing_count == listings)
	continue;
      reading->fold.listings[listings].offset = reading->others.count;
      add (reading, &reading->others, &sites[i].info, sizeof sites[i].info);
    }
}

static void
fold_call_sites (struct reading *reading)
{
  struct heap_details *details = heap_profile_details (reading->profile);
  const struct call_site *sites = reading->call_sites.elements;
  uint64_t *callees = reading->callees.elements;
  for (size_t i = 0; i < reading->call_sites.count; i++)
    {
      const struct heap_call_site site
	= { .function_guid = reading->guid,
	    .context = sites[i].context,
	    .callees = callees ? callees + sites[i].first_callee : NULL,
	    .callee_count = sites[i].callee_count };
      if (!heap_details_add_call_site (details, &site))
	byte_reader_fail_memory (reading->reader);
    }
  /* An empty record is a call site without frames.  */
  const struct heap_call_site nothing = { .function_guid = reading->guid };
  if (reading->call_sites.count == 0 && reading->alloc_sites.count == 0
      && !heap_details_add_call_site (details, &nothing))
    byte_reader_fail_memory (reading->reader);
}

static void
read_record (struct yaml_cursor *cursor, size_t least_column, void *data)
{
  struct reading *reading = data;
  size_t start = cursor->reader->position;
  reading->has_guid = false;
  reading->alloc_sites.count = 0;
  reading->call_sites.count = 0;
  reading->callees.count = 0;
  yaml_cursor_mapping (cursor, least_column, read_record_key, reading);
  if (!reading->has_guid)
    yaml_cursor_fail (cursor, start, "record without GUID");
  if (reading->reader->failed)
    return;
  fold_alloc_sites (reading);
  fold_call_sites (reading);
}

/* ---- Static data.  */

/* Read a name into the profile's strings, without LLVM's suffixes if
   IS_SYMBOL.  */
static uint32_t
read_name (struct yaml_cursor *cursor, struct reading *reading, bool is_symbol)
{
  if (!yaml_cursor_scalar (cursor))
    return 0;
  size_t n = cursor->scalar_bytes;
  if (is_symbol)
    n = cut_suffixes (cursor->scalar, n);
  uint32_t id = heap_profile_add_string (reading->profile, cursor->scalar, n);
  if (id == UINT32_MAX)
    byte_reader_fail_memory (reading->reader);
  else if (id == 0 && is_symbol)
    yaml_cursor_fail (cursor, cursor->scalar_offset, "empty name");
  return id;
}

static void
read_location_key (struct yaml_cursor *cursor, const char *key, void *data)
{
  struct reading *reading = data;
  if (strcmp (key, "FileName") == 0)
    {
      reading->location.file = read_name (cursor, reading, false);
      reading->has_file = true;
    }
  else if (strcmp (key, "Line") == 0)
    reading->location.line = yaml_cursor_number (cursor, "Line", UINT32_MAX);
  else
    unknown_key (cursor, key, "a location");
}

static void
read_location (struct yaml_cursor *cursor, size_t least_column, void *data)
{
  struct reading *reading = data;
  size_t start = cursor->reader->position;
  reading->location = (struct heap_data_location){ 0 };
  reading->has_file = false;
  yaml_cursor_mapping (cursor, least_column, read_location_key, reading);
  if (!reading->has_file)
    yaml_cursor_fail (cursor, start, "location without FileName");
  add (reading, &reading->locations, &reading->location,
       sizeof reading->location);
}

static void
read_object_key (struct yaml_cursor *cursor, const char *key, void *data)
{
  struct reading *reading = data;
  struct heap_data_access *access = &reading->access;
  if (strcmp (key, "Symbol") == 0)
    {
      access->symbol = read_name (cursor, reading, true);
      reading->has_guid = true;
    }
  else if (strcmp (key, "Hash") == 0)
    {
      access->hash = yaml_cursor_number (cursor, "Hash", UINT64_MAX);
      reading->has_guid = true;
    }
  else if (strcmp (key, "AccessCount") == 0)
    {
      access->access_count
	= yaml_cursor_number (cursor, "AccessCount", UINT64_MAX);
      reading->has_info = true;
    }
  else if (strcmp (key, "Locations") == 0)
    yaml_cursor_sequence (cursor, 0, read_location, reading);
  else
    unknown_key (cursor, key, "a SampledRecord");
}

static void
add_access (struct reading *reading, const struct heap_data_access *access)
{
  if (!reading->reader->failed
      && !heap_details_add_data_access (heap_profile_details (reading->profile),
					access))
    byte_reader_fail_memory (reading->reader);
}

static void
read_object (struct yaml_cursor *cursor, size_t least_column, void *data)
{
  struct reading *reading = data;
  size_t start = cursor->reader->position;
  reading->access = (struct heap_data_access){ .is_sampled = true };
  reading->locations.count = 0;
  reading->has_guid = reading->has_info = false;
  yaml_cursor_mapping (cursor, least_column, read_object_key, reading);
  if (!reading->has_guid || !reading->has_info)
    yaml_cursor_fail (cursor, start,
		      "SampledRecord without Symbol, Hash or "
		      "AccessCount");
  reading->access.locations = reading->locations.elements;
  reading->access.location_count = reading->locations.count;
  add_access (reading, &reading->access);
}

static void
read_cold_symbol (struct yaml_cursor *cursor, size_t least_column, void *data)
{
  struct reading *reading = data;
  (void) least_column;
  const struct heap_data_access cold
    = { .symbol = read_name (cursor, reading, true), .is_cold = true };
  add_access (reading, &cold);
}

static void
read_cold_hash (struct yaml_cursor *cursor, size_t least_column, void *data)
{
  struct reading *reading = data;
  (void) least_column;
  const struct heap_data_access cold
    = { .hash = yaml_cursor_number (cursor, "KnownColdStrHashes", UINT64_MAX),
	.is_cold = true };
  add_access (reading, &cold);
}

static void
read_data_key (struct yaml_cursor *cursor, const char *key, void *data)
{
  if (strcmp (key, "SampledRecords") == 0)
    yaml_cursor_sequence (cursor, 0, read_object, data);
  else if (strcmp (key, "KnownColdSymbols") == 0)
    yaml_cursor_sequence (cursor, 0, read_cold_symbol, data);
  else if (strcmp (key, "KnownColdStrHashes") == 0)
    yaml_cursor_sequence (cursor, 0, read_cold_hash, data);
  else
    unknown_key (cursor, key, "DataAccessProfiles");
}

/* ---- Top level.  */

static void
read_top_key (struct yaml_cursor *cursor, const char *key, void *data)
{
  if (strcmp (key, "HeapProfileRecords") == 0)
    yaml_cursor_sequence (cursor, 0, read_record, data);
  else if (strcmp (key, "DataAccessProfiles") == 0)
    yaml_cursor_mapping (cursor, 1, read_data_key, data);
  else
    unknown_key (cursor, key, "a heap profile");
}

static void
read_other (void *data, size_t offset, struct memory_info *info)
{
  const struct reading *reading = data;
  *info = ((const struct memory_info *) reading->others.elements)[offset];
}

static bool
read_text (struct reading *reading, struct yaml_cursor *cursor)
{
  yaml_cursor_begin_document (cursor);
  if (!yaml_cursor_at_end (cursor))
    yaml_cursor_mapping (cursor, 0, read_top_key, reading);
  if (!yaml_cursor_at_end (cursor))
    yaml_cursor_fail (cursor, cursor->reader->position,
		      "expected a key of a heap profile");
  if (!reading->reader->failed)
    memprof_fold_end (&reading->fold, reading->reader, read_other, reading);
  if (!reading->reader->failed && !llvm_records_prune (reading->profile))
    byte_reader_fail_memory (reading->reader);
  return !reading->reader->failed;
}

bool
memprof_yaml_is_it (const void *data, size_t n)
{
  const char *text = data;
  return (n >= 4 && memcmp (text, "---", 3) == 0
	  && (text[3] == ' ' || text[3] == '\t' || text[3] == '\r'
	      || text[3] == '\n'));
}

bool
memprof_yaml_read (struct heap_profile *profile, const char *path,
		   const void *data, size_t size, struct profile_error *err)
{
  struct byte_reader reader;
  struct yaml_cursor cursor;
  byte_reader_init (&reader, path, data, size, err);
  struct reading reading
    = { .profile = profile, .reader = &reader, .fold = { .profile = profile } };
  yaml_cursor_init (&cursor, &reader);
  bool done = read_text (&reading, &cursor);
  yaml_cursor_free (&cursor);
  memprof_fold_free (&reading.fold);
  free (reading.frames.elements);
  free (reading.alloc_sites.elements);
  free (reading.call_sites.elements);
  free (reading.callees.elements);
  free (reading.others.elements);
  free (reading.locations.elements);
  return done;
}
