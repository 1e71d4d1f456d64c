/* Writing LLVM's YAML form of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The layout is that of LLVM 22, including blanks.  */

#include "memprof-yaml.h"
#include "llvm-records.h"
#include "memprof-data.h"
#include "memprof-summary.h"
#include "ondisk-hash.h"
#include "plain-text.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any line without a name or a list.  */
#define LINE_BYTES 200

/* The column after which the values of a mapping start.  */
#define VALUE_COLUMN 17

struct writing
{
  struct byte_writer *writer;
  const struct heap_profile *profile;
  const struct llvm_records *records;
  bool full_schema;
  bool has_bad_name; /* a name that YAML cannot represent */
};

static void print (struct writing *writing, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

static void
print (struct writing *writing, const char *format, ...)
{
  char line[LINE_BYTES];
  va_list arguments;
  va_start (arguments, format);
  int bytes = vsnprintf (line, sizeof line, format, arguments);
  va_end (arguments);
  byte_writer_bytes (writing->writer, line, bytes);
}

/* ---- Leading comment.  */

static void
print_data_summary (struct writing *writing)
{
  const struct heap_details *details
    = heap_profile_read_details (writing->profile);
  uint32_t sampled = 0;
  uint32_t symbols = 0;
  uint32_t literals = 0;
  uint32_t count = heap_details_data_access_count (details);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heap_data_access *access
	= heap_details_data_access_at (details, i);
      sampled += access->is_sampled;
      symbols += access->is_cold && access->symbol != 0;
      literals += access->is_cold && access->symbol == 0;
    }
  if (count == 0)
    return;
  print (writing,
	 "#   Num hot symbols and string literals: %" PRIu32 "\n"
	 "#   Num known cold symbols: %" PRIu32 "\n"
	 "#   Num known cold string literals: %" PRIu32 "\n",
	 sampled, symbols, literals);
}

static bool
print_summary (struct writing *writing)
{
  struct memprof_summary summary;
  if (!memprof_summary_make (&summary, writing->records))
    return false;
  print (writing,
	 "---\n"
	 "# MemProfSummary:\n"
	 "#   Total contexts: %" PRIu64 "\n"
	 "#   Total cold contexts: %" PRIu64 "\n"
	 "#   Total hot contexts: 0\n",
	 summary.contexts, summary.cold_contexts);
  print (writing,
	 "#   Maximum cold context total size: %" PRIu64 "\n"
	 "#   Maximum warm context total size: %" PRIu64 "\n"
	 "#   Maximum hot context total size: 0\n",
	 summary.greatest_cold_bytes, summary.greatest_warm_bytes);
  print_data_summary (writing);
  print (writing, "---\n");
  return true;
}

/* ---- Records.  */

static void
print_stack (struct writing *writing, uint32_t stack)
{
  size_t count;
  const uint32_t *frames
    = llvm_records_stack_frames (writing->records, stack, &count);
  for (size_t i = 0; i < count; i++)
    {
      const struct llvm_frame *frame
	= llvm_records_frame (writing->records, frames[i]);
      print (writing,
	     "          - { Function: 0x%" PRIx64 ", LineOffset: %" PRIu32
	     ", Column: %" PRIu32 ", IsInlineFrame: %s }\n",
	     frame->function_guid, frame->line_offset, frame->column,
	     frame->is_inline ? "true" : "false");
    }
}

/* Print KEY after INDENT blanks, and blanks up to the column of values.  */
static void
print_key (struct writing *writing, int indent, const char *key)
{
  int blanks = VALUE_COLUMN - 1 - (int) strlen (key);
  print (writing, "%*s%s:%*s", indent, "", key, blanks > 1 ? blanks : 1, "");
}

static void
print_info (struct writing *writing, const struct memory_info *info)
{
  print (writing, "        MemInfoBlock:\n");
  for (unsigned int tag = 1; tag < MEMORY_INFO_TAG_END; tag++)
    {
      if (!writing->full_schema && tag != MEMORY_INFO_ALLOC_COUNT
	  && tag != MEMORY_INFO_TOTAL_SIZE && tag != MEMORY_INFO_TOTAL_LIFETIME
	  && tag != MEMORY_INFO_TOTAL_LIFETIME_ACCESS_DENSITY)
	continue;
      print_key (writing, 10, memory_info_field_name (tag));
      print (writing, "%" PRIu64 "\n", memory_info_get (info, tag));
    }
}

static void
print_call_site (struct writing *writing, const struct llvm_call_site *site)
{
  print (writing, "      - Frames:\n");
  print_stack (writing, site->stack);
  if (site->callee_count == 0)
    return;
  print_key (writing, 8, "CalleeGuids");
  for (size_t i = 0; i < site->callee_count; i++)
    print (writing, "%s0x%" PRIx64, i ? ", " : "[ ", site->callees[i]);
  print (writing, " ]\n");
}

static void
print_record (struct writing *writing, const struct llvm_record *record)
{
  print (writing, "  - GUID:            0x%" PRIx64 "\n",
	 record->function_guid);
  if (record->alloc_site_count > 0)
    print (writing, "    AllocSites:\n");
  for (size_t i = 0; i < record->alloc_site_count; i++)
    {
      print (writing, "      - Callstack:\n");
      print_stack (writing, record->alloc_sites[i].stack);
      struct memory_info room;
      print_info (writing,
		  info_place_read (record->alloc_sites[i].info, &room));
    }
  if (record->call_site_count > 0)
    print (writing, "    CallSites:\n");
  for (size_t i = 0; i < record->call_site_count; i++)
    print_call_site (writing, &record->call_sites[i]);
}

/* Print the records in the order of an indexed profile.  */
static bool
print_records (struct writing *writing)
{
  size_t count = llvm_records_count (writing->records);
  uint64_t *guids = calloc (count + 1, sizeof *guids);
  for (size_t i = 0; guids != NULL && i < count; i++)
    guids[i] = llvm_records_get (writing->records, i)->function_guid;
  size_t *order = guids != NULL ? ondisk_hash_order (guids, count) : NULL;
  free (guids);
  if (!order)
    return false;
  print (writing, "HeapProfileRecords:%s\n", count ? "" : " []");
  for (size_t i = 0; i < count; i++)
    print_record (writing, llvm_records_get (writing->records, order[i]));
  free (order);
  return true;
}

/* ---- Static data.  */

/* Return true if NAME can be written without quotes.  */
static bool
is_plain (const char *name)
{
  static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/^.,$";
  static const char *const values[]
    = { "true",	 "false", "True", "False", "TRUE",
	"FALSE", "null",  "Null", "NULL",  "..." };
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    if (strcmp (name, values[i]) == 0)
      return false;
  /* Numbers start with these, so names that do could be taken for numbers.  */
  return (name[0] != '\0' && !strchr ("0123456789.-,$^", name[0])
	  && name[strspn (name, safe)] == '\0');
}

/* Print NAME in double quotes, which can hold any character; bytes that are not
   UTF-8 cannot be written.  */
static void
print_quoted (struct writing *writing, const char *name)
{
  uint32_t code;
  print (writing, "\"");
  for (size_t n = strlen (name), bytes; n > 0; name += bytes, n -= bytes)
    {
      bytes = plain_text_decode (name, n, &code);
      if (code == UINT32_MAX)
	writing->has_bad_name = true;
      else if (code == '"' || code == '\\')
	print (writing, "\\%c", (int) code);
      else if (plain_text_is_plain (code))
	byte_writer_bytes (writing->writer, name, bytes);
      else
	print (writing,
	       code < 0x100	? "\\x%02" PRIX32
	       : code < 0x10000 ? "\\u%04" PRIX32
				: "\\U%08" PRIX32,
	       code);
    }
  print (writing, "\"");
}

static void
print_name (struct writing *writing, uint32_t string)
{
  const char *name = heap_profile_string (writing->profile, string);
  if (is_plain (name))
    byte_writer_bytes (writing->writer, name,
		       heap_profile_string_bytes (writing->profile, string));
  else
    print_quoted (writing, name);
  byte_writer_bytes (writing->writer, "\n", 1);
}

static bool
print_object (struct writing *writing, const struct heap_data_access *access)
{
  print (writing, "    - ");
  if (access->symbol == 0)
    {
      print_key (writing, 0, "Hash");
      print (writing, "%" PRIu64 "\n", access->hash);
    }
  else
    {
      print_key (writing, 0, "Symbol");
      print_name (writing, access->symbol);
    }
  print_key (writing, 6, "AccessCount");
  print (writing, "%" PRIu64 "\n", access->access_count);
  struct heap_data_location *locations
    = memprof_data_locations (writing->profile, access);
  if (!locations)
    return false;
  if (access->location_count > 0)
    print (writing, "      Locations:\n");
  for (uint32_t i = 0; i < access->location_count; i++)
    {
      print (writing, "        - ");
      print_key (writing, 0, "FileName");
      print_name (writing, locations[i].file);
      print_key (writing, 10, "Line");
      print (writing, "%" PRIu32 "\n", locations[i].line);
    }
  free (locations);
  return true;
}

static void
print_cold (struct writing *writing, const uint32_t *order)
{
  const struct heap_details *details
    = heap_profile_read_details (writing->profile);
  uint32_t count = heap_details_data_access_count (details);
  uint32_t symbols = 0;
  uint32_t literals = 0;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heap_data_access *access
	= heap_details_data_access_at (details, order[i]);
      if (!access->is_cold)
	continue;
      if (access->symbol != 0)
	{
	  print (writing, "%s    - ", symbols++ ? "" : "  KnownColdSymbols:\n");
	  print_name (writing, access->symbol);
	}
      else
	print (writing, "%s%" PRIu64,
	       literals++ ? ", " : "  KnownColdStrHashes: [ ", access->hash);
    }
  if (literals > 0)
    print (writing, " ]\n");
}

static bool
print_data (struct writing *writing)
{
  const struct heap_details *details
    = heap_profile_read_details (writing->profile);
  uint32_t count = heap_details_data_access_count (details);
  if (count == 0)
    return true;
  uint32_t *order = memprof_data_order (writing->profile);
  bool done = order != NULL;
  bool any = false;
  print (writing, "DataAccessProfiles:\n");
  for (uint32_t i = 0; done && i < count; i++)
    {
      const struct heap_data_access *access
	= heap_details_data_access_at (details, order[i]);
      if (!access->is_sampled)
	continue;
      if (!any)
	print (writing, "  SampledRecords:\n");
      any = true;
      done = print_object (writing, access);
    }
  if (done)
    print_cold (writing, order);
  free (order);
  return done;
}

bool
memprof_yaml_write (struct byte_writer *writer,
		    const struct heap_profile *profile,
		    const struct memprof_yaml_options *options,
		    struct profile_error *err)
{
  struct writing writing
    = { .writer = writer,
	.profile = profile,
	.records = llvm_records_make (profile, options->keep_columns),
	.full_schema = options->full_schema };
  bool done = (writing.records && print_summary (&writing)
	       && print_records (&writing) && print_data (&writing));
  print (&writing, "...\n");
  llvm_records_free ((struct llvm_records *) writing.records);
  if (!done || writer->failed)
    return profile_error_set_memory (err, NULL);
  if (writing.has_bad_name)
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "a static data name is not valid UTF-8 and "
			      "cannot be written as YAML");
  return true;
}
