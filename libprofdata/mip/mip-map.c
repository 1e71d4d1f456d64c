/* Creating a profile without runs from the map of a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-profile.h"
#include "byte-reader.h"
#include "mip-array.h"
#include "heapprof/mip-format.h"
#include "mip-check.h"
#include "mip-flows.h"
#include "mip-profile-calls.h"
#include <stdlib.h>

/* A map being read.  */
struct map_reading
{
  struct mip_profile *profile;
  const struct mip_map *map;
  struct byte_reader *reader;
  struct mip_map_dropped *dropped;
  struct mip_module *module;  /* its last module */
  uint64_t rule_length;	      /* as for mip_function_wrong_block */
  struct mip_map_call *calls; /* malloced */
  size_t call_count, call_capacity;
  bool lacks_memory;
};

/* Return true if the slot of FUNCTION is in a section of its kind.  */
static bool
is_in_section (const struct mip_map *map, const struct mip_function *function)
{
  for (size_t i = 0; i < map->slots_count; i++)
    {
      const struct mip_slots *slots = &map->slots[i];
      if (slots->kind == function->kind && function->slot >= slots->address
	  && function->slot - slots->address < slots->bytes)
	return true;
    }
  return false;
}

/* Read N bytes of WHAT as a string.  */
static uint32_t
read_string (struct map_reading *reading, struct byte_reader *record,
	     uint32_t n, const char *what)
{
  const char *text = byte_reader_bytes (record, n, what);
  if (text == NULL || record->failed)
    return 0;
  if (memchr (text, '\0', n) != NULL)
    {
      byte_reader_fail (record, record->position, "%s contains a NUL byte",
			what);
      return 0;
    }
  return mip_profile_add_string (reading->profile, text, n);
}

/* Read COUNT blocks and WORDS words of rules of FUNCTION.  */
static void
read_blocks (struct map_reading *reading, struct byte_reader *record,
	     struct mip_function *function, uint32_t count, uint32_t words)
{
  struct mip_profile *profile = reading->profile;
  size_t rules = profile->rule_count;
  if (profile->block_count + count > UINT32_MAX - 1
      || rules + words > UINT32_MAX - 1)
    byte_reader_fail (record, record->position, "too many blocks");
  if (!byte_reader_need (record, count, HEAPPROF_MIP_BLOCK_BYTES, "blocks")
      || !byte_reader_need (record, words, sizeof (uint32_t), "rules"))
    return;
  if (!growing_array_reserve (&profile->blocks, profile->block_count,
			      &profile->block_capacity, count,
			      sizeof *profile->blocks)
      || !growing_array_reserve (&profile->rules, rules,
				 &profile->rule_capacity, words,
				 sizeof *profile->rules))
    {
      reading->lacks_memory = true;
      return;
    }
  function->first_block = (uint32_t) profile->block_count;
  function->block_count = count;
  for (uint32_t i = 0; i < count; i++)
    {
      struct mip_block *block = &profile->blocks[profile->block_count++];
      block->code_offset = byte_reader_u32 (record, "block");
      block->line = byte_reader_u32 (record, "block");
      block->slot = byte_reader_u32 (record, "block");
      block->rule = byte_reader_u32 (record, "block");
      block->runs = 0;
    }
  for (uint32_t i = 0; i < words; i++)
    profile->rules[rules + i] = byte_reader_u32 (record, "rules");
  profile->rule_count += words;
  if (record->failed)
    return;
  for (uint32_t i = 0; i < count; i++)
    if (profile->blocks[function->first_block + i].rule != UINT32_MAX)
      profile->blocks[function->first_block + i].rule += (uint32_t) rules;
  uint32_t wrong
    = mip_function_wrong_block (profile, function, &reading->rule_length);
  if (wrong != UINT32_MAX)
    byte_reader_fail (record, record->position, "invalid rule of block %u",
		      wrong);
}

/* A source function of inlined copies.  */
struct origin
{
  uint32_t line;
  uint32_t flags;
  uint32_t name_bytes;
  uint32_t file_bytes;
  uint32_t name;
  uint32_t file;
};

/* Read COUNT copies.  Their names are numbers of origins, of which there are
   ORIGIN_COUNT, and the rules of their function start at RULES.  */
static void
read_copy_heads (struct map_reading *reading, struct byte_reader *record,
		 uint32_t count, uint32_t origin_count, size_t rules)
{
  struct mip_profile *profile = reading->profile;
  for (uint32_t i = 0; i < count && !record->failed; i++)
    {
      struct mip_copy *copy = &profile->copies[profile->copy_count++];
      *copy = (struct mip_copy){ .name = byte_reader_u32 (record, "copy") };
      copy->parent = byte_reader_u32 (record, "copy");
      copy->rule = byte_reader_u32 (record, "copy");
      copy->flags = byte_reader_u32 (record, "copy");
      if (copy->rule != UINT32_MAX)
	copy->rule += (uint32_t) rules;
      if (copy->name >= origin_count)
	byte_reader_fail (record, record->position,
			  "unknown function of copy %u", i);
    }
}

/* Read the ORIGIN_COUNT origins and COUNT copies of FUNCTION, whose rules start
   at RULES, into memory for ORIGINS.  */
static void
fill_copies (struct map_reading *reading, struct byte_reader *record,
	     struct mip_function *function, struct origin *origins,
	     uint32_t origin_count, uint32_t count, size_t rules)
{
  struct mip_profile *profile = reading->profile;
  function->first_copy = (uint32_t) profile->copy_count;
  function->copy_count = count;
  for (uint32_t i = 0; i < origin_count; i++)
    origins[i]
      = (struct origin){ .line = byte_reader_u32 (record, "copy"),
			 .flags = byte_reader_u32 (record, "copy"),
			 .name_bytes = byte_reader_u32 (record, "copy"),
			 .file_bytes = byte_reader_u32 (record, "copy") };
  read_copy_heads (reading, record, count, origin_count, rules);
  for (uint32_t i = 0; i < origin_count; i++)
    {
      struct origin *origin = &origins[i];
      origin->name = read_string (reading, record, origin->name_bytes, "copy");
      origin->file
	= origin->file_bytes > 0
	    ? read_string (reading, record, origin->file_bytes, "copy")
	    : function->file;
    }
  for (uint32_t i = 0; i < count && !record->failed; i++)
    {
      struct mip_copy *copy = &profile->copies[function->first_copy + i];
      const struct origin *origin = &origins[copy->name];
      copy->name = origin->name;
      copy->file = origin->file;
      copy->line = origin->line;
      copy->flags |= origin->flags & HEAPPROF_MIP_COPY_LOCAL;
    }
  if (!record->failed
      && !mip_function_copies_fit (profile, function, &reading->rule_length))
    byte_reader_fail (record, record->position, "invalid copies");
}

/* Read the COUNT copies in FUNCTION, of ORIGIN_COUNT functions; the rules of
   FUNCTION start at RULES.  */
static void
read_copies (struct map_reading *reading, struct byte_reader *record,
	     struct mip_function *function, uint32_t origin_count,
	     uint32_t count, size_t rules)
{
  struct mip_profile *profile = reading->profile;
  if (profile->copy_count + count > UINT32_MAX - 1)
    byte_reader_fail (record, record->position, "too many copies");
  if (!byte_reader_need (record, origin_count, HEAPPROF_MIP_ORIGIN_BYTES,
			 "copies")
      || !byte_reader_need (record, count, HEAPPROF_MIP_COPY_BYTES, "copies"))
    return;
  struct origin *origins = calloc (origin_count + (size_t) 1, sizeof *origins);
  if (origins == NULL
      || !growing_array_reserve (&profile->copies, profile->copy_count,
				 &profile->copy_capacity, count,
				 sizeof *profile->copies))
    reading->lacks_memory = true;
  else
    fill_copies (reading, record, function, origins, origin_count, count,
		 rules);
  free (origins);
}

static void
read_function (struct map_reading *reading, struct byte_reader *record)
{
  struct mip_profile *profile = reading->profile;
  struct mip_function function = { 0 };
  byte_reader_u64 (record, "unit");
  function.entry = byte_reader_u64 (record, "entry");
  function.slot = byte_reader_u64 (record, "slot");
  function.code_bytes = byte_reader_u32 (record, "size");
  function.kind = byte_reader_u16 (record, "kind");
  function.flags = byte_reader_u16 (record, "flags");
  function.source_hash = byte_reader_u64 (record, "source hash");
  function.shape_hash = byte_reader_u64 (record, "shape hash");
  uint32_t origins = byte_reader_u32 (record, "copies");
  uint32_t copies = byte_reader_u32 (record, "copies");
  byte_reader_u32 (record, "function");
  uint32_t blocks = byte_reader_u32 (record, "blocks");
  uint32_t words = byte_reader_u32 (record, "rules");
  function.line = byte_reader_u32 (record, "line");
  uint32_t name = byte_reader_u32 (record, "name");
  uint32_t origin = byte_reader_u32 (record, "origin");
  uint32_t file = byte_reader_u32 (record, "file");
  function.cold_bytes = byte_reader_u32 (record, "second range");
  function.cold = byte_reader_u64 (record, "second range");
  if (record->failed)
    return;
  if (function.entry == 0 || function.entry == UINT64_MAX)
    {
      reading->dropped->discarded++;
      return;
    }
  if (!is_in_section (reading->map, &function))
    {
      reading->dropped->outside++;
      return;
    }
  size_t rules = profile->rule_count;
  read_blocks (reading, record, &function, blocks, words);
  if (reading->lacks_memory)
    return;
  function.name = read_string (reading, record, name, "name");
  function.origin = read_string (reading, record, origin, "origin");
  function.file = read_string (reading, record, file, "file");
  if (origin == 0)
    function.origin = function.name;
  if (copies > 0)
    {
      byte_reader_bytes (record, -(name + origin + file) & 3, "padding");
      read_copies (reading, record, &function, origins, copies, rules);
    }
  function.module = (uint32_t) (profile->module_count - 1);
  if (record->failed || reading->lacks_memory)
    return;
  if (!growing_array_reserve (&profile->functions, profile->function_count,
			      &profile->function_capacity, 1,
			      sizeof *profile->functions))
    reading->lacks_memory = true;
  else
    profile->functions[profile->function_count++] = function;
}

static void
read_unit (struct map_reading *reading, struct byte_reader *record)
{
  byte_reader_bytes (record, 32, "unit");
  uint64_t link_unit = byte_reader_u64 (record, "link unit");
  if (link_unit != 0)
    reading->module->link_unit = link_unit;
}

/* Add CALL, for which there is room.  Counters of a function without a slot
   were discarded with it.  */
static void
add_call (struct map_reading *reading, const struct mip_map_call *call)
{
  if (call->slot != 0 && call->slot != UINT64_MAX)
    reading->calls[reading->call_count++] = *call;
}

static bool
reserve_calls (struct map_reading *reading, uint64_t count)
{
  if (growing_array_reserve (&reading->calls, reading->call_count,
			     &reading->call_capacity, count,
			     sizeof *reading->calls))
    return true;
  reading->lacks_memory = true;
  return false;
}

/* Read a record of calls, with points if IS_FLOW.  */
static void
read_calls (struct map_reading *reading, struct byte_reader *record,
	    bool is_flow)
{
  struct mip_map_call call = { .slot = byte_reader_u64 (record, "slot") };
  uint64_t first = byte_reader_u64 (record, "calls");
  uint64_t count = byte_reader_u64 (record, "calls");
  if (record->failed
      || !byte_reader_need (record, count, is_flow ? 24 : 16, "calls")
      || !reserve_calls (reading, count + 1))
    return;
  call.counter = first;
  add_call (reading, &call);
  call.is_flow = is_flow;
  for (uint64_t i = 1; i <= count; i++)
    {
      call.site = byte_reader_u64 (record, "call");
      call.target = byte_reader_u64 (record, "call");
      call.from = is_flow ? byte_reader_u32 (record, "call") : 0;
      call.to = is_flow ? byte_reader_u32 (record, "call") : 0;
      bool has_counter = (call.from & HEAPPROF_MIP_NO_COUNTER) == 0;
      call.from &= ~HEAPPROF_MIP_NO_COUNTER;
      first += has_counter ? sizeof first : 0;
      call.counter = has_counter ? first : 0;
      if (call.site != 0 && call.site != UINT64_MAX)
	add_call (reading, &call);
    }
}

static void
read_thunk (struct map_reading *reading, struct byte_reader *record)
{
  struct mip_map_call thunk = { .slot = byte_reader_u64 (record, "slot"),
				.counter = MIP_EDGE_THUNK,
				.site = byte_reader_u64 (record, "thunk") };
  if (!record->failed && thunk.site != 0 && thunk.site != UINT64_MAX
      && reserve_calls (reading, 1))
    add_call (reading, &thunk);
}

/* Read the address of an entry for calls from other files, and that of its
   function.  */
static void
read_entry (struct map_reading *reading, struct byte_reader *record)
{
  struct mip_map_call entry = { .slot = byte_reader_u64 (record, "slot"),
				.counter = MIP_EDGE_THUNK,
				.site = byte_reader_u64 (record, "entry"),
				.target = byte_reader_u64 (record, "entry") };
  if (!record->failed && entry.site != 0 && entry.site != UINT64_MAX
      && entry.target != 0 && entry.target != UINT64_MAX
      && reserve_calls (reading, 1))
    add_call (reading, &entry);
}

/* Read the next record.  */
static void
read_record (struct map_reading *reading)
{
  struct byte_reader *reader = reading->reader;
  size_t offset = reader->position;
  uint32_t bytes = byte_reader_u32 (reader, "record");
  if (bytes == 0 && !reader->failed)
    {
      /* Padding between the sections of two objects.  */
      byte_reader_bytes (reader, 4, "padding");
      return;
    }
  if (bytes < 8 || bytes % 8 != 0)
    {
      byte_reader_fail (reader, offset, "invalid record size %u bytes", bytes);
      return;
    }
  struct byte_reader record
    = byte_reader_part (reader, bytes - sizeof bytes, "record");
  uint16_t version = byte_reader_u16 (&record, "record");
  uint16_t type = byte_reader_u16 (&record, "record");
  if (version > (type == HEAPPROF_MIP_RECORD_CALLS ? HEAPPROF_MIP_FLOWS_VERSION
						   : HEAPPROF_MIP_VERSION)
      && !record.failed)
    byte_reader_fail (&record, offset, "unsupported map version %u", version);
  else if (type == HEAPPROF_MIP_RECORD_FUNCTION)
    read_function (reading, &record);
  else if (type == HEAPPROF_MIP_RECORD_UNIT)
    read_unit (reading, &record);
  else if (type == HEAPPROF_MIP_RECORD_CALLS)
    read_calls (reading, &record, version == HEAPPROF_MIP_FLOWS_VERSION);
  else if (type == HEAPPROF_MIP_RECORD_THUNK)
    read_thunk (reading, &record);
  else if (type == HEAPPROF_MIP_RECORD_ENTRY)
    read_entry (reading, &record);
  reader->failed |= record.failed;
}

static int
compare_slots (const void *a, const void *b)
{
  const struct mip_function *f = a, *g = b;
  if (f->slot != g->slot)
    return f->slot < g->slot ? -1 : 1;
  /* Any order that is independent of the sort.  */
  return f->name < g->name ? -1 : f->name > g->name;
}

/* Sort the functions of the last module and keep one for each slot.  */
static void
settle_functions (struct map_reading *reading)
{
  struct mip_profile *profile = reading->profile;
  struct mip_module *module = reading->module;
  size_t count = profile->function_count - module->first_function, kept = 0;
  /* The array may not exist then.  */
  if (count == 0)
    return;
  struct mip_function *first = profile->functions + module->first_function;
  qsort (first, count, sizeof *first, compare_slots);
  for (size_t i = 0; i < count; i++)
    if (kept > 0 && first[kept - 1].slot == first[i].slot)
      reading->dropped->repeated++;
    else
      first[kept++] = first[i];
  profile->function_count = module->first_function + kept;
  module->function_count = (uint32_t) kept;
}

/* Read all records.  Return false if the map is invalid or memory is
   exhausted.  */
static bool
read_records (struct map_reading *reading)
{
  while (byte_reader_left (reading->reader) > 0 && !reading->lacks_memory)
    read_record (reading);
  if (reading->reader->failed || reading->lacks_memory)
    return false;
  settle_functions (reading);
  return mip_calls_add_map (reading->profile, reading->module, reading->calls,
			    reading->call_count, &reading->dropped->bypassed)
	 && mip_flows_check (reading->profile, reading->reader);
}

bool
mip_profile_add_map (struct mip_profile *profile, const struct mip_map *map,
		     struct mip_map_dropped *dropped, struct profile_error *err)
{
  struct byte_reader reader;
  *dropped = (struct mip_map_dropped){ 0 };
  if (mip_profile_find_module (profile, map->build_id, map->build_id_bytes, 0)
      != SIZE_MAX)
    return profile_error_set (err, map->path, PROFILE_ERROR_NO_OFFSET,
			      "its map is already in the profile");
  if (!growing_array_reserve (&profile->modules, profile->module_count,
			      &profile->module_capacity, 1,
			      sizeof *profile->modules))
    return profile_error_set_memory (err, map->path);
  struct mip_module *module = &profile->modules[profile->module_count++];
  *module
    = (struct mip_module){ .build_id_bytes = (uint32_t) map->build_id_bytes,
			   .text_low = map->text_low,
			   .text_high = map->text_high,
			   .first_function
			   = (uint32_t) profile->function_count };
  if (map->build_id_bytes > 0)
    memcpy (module->build_id, map->build_id, map->build_id_bytes);
  module->path
    = mip_profile_add_string (profile, map->path, strlen (map->path));
  byte_reader_init (&reader, map->path, map->records, map->bytes, err);
  reader.big_endian = map->big_endian;
  struct map_reading reading = { .profile = profile,
				 .map = map,
				 .reader = &reader,
				 .dropped = dropped,
				 .module = module };
  bool is_done = read_records (&reading);
  free (reading.calls);
  if (reader.failed)
    return false;
  if (!is_done || profile->strings.failed)
    return profile_error_set_memory (err, map->path);
  if (module->function_count == 0)
    return profile_error_set (err, map->path, PROFILE_ERROR_NO_OFFSET,
			      "no function in its map has a slot");
  return true;
}
