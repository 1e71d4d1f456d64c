/* The placement classes of calling contexts in LLVM's part of a file, and the
   tokens of calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "stack-classes.h"
#include "large-memory.h"
#include "number-sort.h"
#include "saturating.h"
#include "stack-groups.h"
#include "stack-tokens.h"
#include <stdlib.h>
#include <string.h>

#define FLAG_BITS 4
#define FLAG_MASK ((UINT64_C (1) << FLAG_BITS) - 1)
#define CLASS_MASK UINT64_C (7)
#define FLAG_BY_TOKEN UINT64_C (8)
#define GROUP_BITS 8
#define GROUP_MASK ((UINT64_C (1) << GROUP_BITS) - 1)

/* Prefetch distance of MIBs, which are scattered in memory.  */
#define LOOK_AHEAD 16

/* The MIBs of stacks, and room for the one read last.  */
struct stack_infos
{
  const struct info_place *places;
  size_t count;
  struct memory_info *room;
};

static const struct memory_info *
info_at (const void *data, size_t index)
{
  const struct stack_infos *infos = data;
  if (infos->count - index > LOOK_AHEAD)
    info_place_prefetch (infos->places[index + LOOK_AHEAD]);
  return info_place_read (infos->places[index], infos->room);
}

/* Return where the MIB of each stack is: nowhere for those of call sites.
   Return NULL if memory is exhausted.  */
static struct info_place *
infos_of (const struct llvm_records *records)
{
  struct info_place *infos
    = calloc (llvm_records_stack_count (records) + 1, sizeof *infos);
  size_t count = infos ? llvm_records_count (records) : 0;
  for (size_t i = 0; i < count; i++)
    {
      const struct llvm_record *record = llvm_records_get (records, i);
      for (size_t j = 0; j < record->alloc_site_count; j++)
	infos[record->alloc_sites[j].stack] = record->alloc_sites[j].info;
    }
  return infos;
}

/* Return the hash of each node's stack, up to the root; NULL if memory is
   exhausted.  Callers come before callees.  */
static uint64_t *
hash_nodes (const struct llvm_records *records)
{
  size_t count = llvm_records_node_count (records);
  const struct context_node *nodes = llvm_records_nodes (records);
  uint64_t *hashes = calloc (count + 1, sizeof *hashes);
  for (size_t i = 1; hashes && i < count; i++)
    {
      const struct llvm_frame *frame
	= llvm_records_frame (records, nodes[i].frame - 1);
      hashes[i]
	= stack_classes_hash (hashes[nodes[i].caller], frame->function_guid,
			      stack_classes_place (frame->line_offset,
						   frame->column,
						   frame->is_inline));
    }
  return hashes;
}

/* Write the COUNT ENTRIES in order.  SPARE has space for as many.  */
static void
write_sorted (struct byte_writer *writer, uint64_t *entries, uint64_t *spare,
	      size_t count)
{
  number_sort (entries, spare, count, sizeof *entries);
  for (size_t i = 0; i < count; i++)
    byte_writer_u64 (writer, entries[i]);
}

static bool
write_stacks (struct byte_writer *writer, const struct llvm_records *records,
	      const struct placement_facts *facts,
	      const struct stack_tokens *tokens)
{
  uint64_t *hashes = hash_nodes (records);
  const size_t stacks = llvm_records_stack_count (records);
  uint64_t *entries = large_memory_room (2 * (stacks + 1) * sizeof *entries);
  const bool done = hashes && entries;
  size_t count = 0;
  for (size_t i = 0; done && i < stacks; i++)
    if (facts[i].count > 0)
      {
	const uint64_t hash
	  = hashes[llvm_records_stack_node (records, (uint32_t) i)];
	entries[count++] = ((hash & ~FLAG_MASK) | facts[i].its_class
			    | (tokens->decides[i] ? FLAG_BY_TOKEN : 0));
      }
  if (count > 0)
    byte_writer_u64 (writer, count);
  if (done)
    write_sorted (writer, entries, entries + stacks + 1, count);
  free (hashes);
  free (entries);
  return done;
}

static bool
write_calls (struct byte_writer *writer, const struct llvm_records *records,
	     const struct stack_tokens *tokens)
{
  const size_t frames = llvm_records_frame_count (records);
  uint64_t *entries = large_memory_room (2 * (frames + 1) * sizeof *entries);
  size_t count = 0;
  if (!entries)
    return false;
  for (size_t i = 0; i < frames; i++)
    if (tokens->calls[i] != PLACEMENT_UNKNOWN)
      {
	const struct llvm_frame *frame
	  = llvm_records_frame (records, (uint32_t) i);
	const uint64_t hash
	  = stack_classes_call_hash (frame->function_guid, frame->line_offset,
				     frame->column);
	entries[count++] = (hash & ~FLAG_MASK) | tokens->calls[i];
      }
  write_sorted (writer, entries, entries + frames + 1, count);
  free (entries);
  return true;
}

/* Blocks of a group that a call allocates, unless they are cold.  */
struct site_group
{
  uint64_t key;	     /* see site_key */
  uint64_t accesses; /* to hot blocks */
  uint64_t bytes;
};

/* Return the number by which blocks of the call at FRAME are sorted: hot ones
   of GROUP, which is 0 if they have none or are not hot, and IS_PHASE.  */
static uint64_t
site_key (uint32_t frame, unsigned int group, bool is_phase)
{
  return ((uint64_t) frame << GROUP_BITS | group) << 1 | is_phase;
}

static uint32_t
site_frame (const struct site_group *site)
{
  return (uint32_t) (site->key >> (GROUP_BITS + 1));
}

static unsigned int
site_group (const struct site_group *site)
{
  return site->key >> 1 & GROUP_MASK;
}

static bool
site_is_phase (const struct site_group *site)
{
  return (site->key & 1) != 0;
}

/* Return the number of stacks that are not cold by RULES, with their groups in
   SITES, sorted.  SPARE has space for as many.  */
static size_t
collect_site_groups (struct site_group *sites, struct site_group *spare,
		     const struct llvm_records *records,
		     const struct placement_facts *facts, const uint8_t *groups,
		     const struct placement_rules *rules)
{
  const struct context_node *nodes = llvm_records_nodes (records);
  const size_t stacks = llvm_records_stack_count (records);
  size_t count = 0;
  for (size_t i = 0; i < stacks; i++)
    if (facts[i].its_class != PLACEMENT_COLD
	&& facts[i].its_class != PLACEMENT_UNKNOWN)
      {
	const uint32_t node = llvm_records_stack_node (records, (uint32_t) i);
	const bool is_hot = facts[i].its_class == PLACEMENT_HOT;
	sites[count++] = (struct site_group){
	  .key = site_key (nodes[node].frame - 1, groups[i],
			   stack_groups_is_phase (&facts[i], rules)),
	  .accesses = is_hot ? facts[i].accesses : 0,
	  .bytes = facts[i].bytes
	};
      }
  number_sort (sites, spare, count, sizeof *sites);
  return count;
}

/* Return the group of nearly all accesses of the call that SITES begins with;
   if there is none, that of phases if nearly all bytes are of these; otherwise
   0. Store the number of the call's elements, of the LEFT ones, in *LENGTH.  */
static unsigned int
group_of_site (const struct site_group *sites, size_t left, size_t *length)
{
  uint64_t sum = 0, of_group = 0, most = 0;
  double bytes = 0, of_phases = 0;
  unsigned int group = 0;
  size_t i = 0;
  for (; i < left && site_frame (&sites[i]) == site_frame (&sites[0]); i++)
    {
      if (i > 0 && site_group (&sites[i]) != site_group (&sites[i - 1]))
	of_group = 0;
      sum = saturating_add (sum, sites[i].accesses);
      of_group = saturating_add (of_group, sites[i].accesses);
      if (of_group > most)
	{
	  most = of_group;
	  group = site_group (&sites[i]);
	}
      bytes += (double) sites[i].bytes;
      of_phases += site_is_phase (&sites[i]) ? (double) sites[i].bytes : 0;
    }
  *length = i;
  if (group != 0 && (double) most >= 0.9 * (double) sum)
    return group;
  return of_phases > 0 && of_phases >= 0.9 * bytes ? STACK_GROUP_PHASE : 0;
}

/* Write the groups of calls that allocate, where their contexts agree: to tell
   these apart would cost more than it gains.  GROUPS are those of stacks.  */
static bool
write_groups (struct byte_writer *writer, const struct llvm_records *records,
	      const struct placement_facts *facts, const uint8_t *groups,
	      const struct placement_rules *rules)
{
  const size_t stacks = llvm_records_stack_count (records);
  struct site_group *sites
    = large_memory_room (2 * (stacks + 1) * sizeof *sites);
  uint64_t *entries = large_memory_room (2 * (stacks + 1) * sizeof *entries);
  const bool done = sites && entries;
  const size_t site_count
    = done ? collect_site_groups (sites, sites + stacks + 1, records, facts,
				  groups, rules)
	   : 0;
  size_t count = 0, length;
  for (size_t i = 0; i < site_count; i += length)
    {
      const unsigned int group
	= group_of_site (sites + i, site_count - i, &length);
      const struct llvm_frame *frame
	= llvm_records_frame (records, site_frame (&sites[i]));
      if (group != 0)
	entries[count++]
	  = (stack_classes_call_hash (frame->function_guid, frame->line_offset,
				      frame->column)
	     & ~GROUP_MASK)
	    | group;
    }
  if (done)
    write_sorted (writer, entries, entries + stacks + 1, count);
  free (sites);
  free (entries);
  return done;
}

/* Return the facts of each stack by *RULES, which are set; NULL if memory is
   exhausted.  */
static struct placement_facts *
classify (struct placement_rules *rules, const struct llvm_records *records,
	  const struct heap_profile *profile)
{
  const size_t count = llvm_records_stack_count (records);
  struct memory_info room;
  struct info_place *places = infos_of (records);
  const struct stack_infos infos = { places, count, &room };
  struct placement_facts *facts
    = places ? large_memory_room ((count + 1) * sizeof *facts) : NULL;
  if (facts
      && !placement_classify (rules, heap_profile_read_totals (profile),
			      info_at, &infos, count, facts))
    {
      free (facts);
      facts = NULL;
    }
  free (places);
  return facts;
}

bool
stack_classes_write (struct byte_writer *writer, struct byte_writer *groups,
		     const struct llvm_records *records,
		     const struct heap_profile *profile)
{
  uint8_t *group_of = calloc (llvm_records_stack_count (records) + 1, 1);
  struct stack_tokens tokens = { 0 };
  struct placement_rules rules;
  struct placement_facts *facts = classify (&rules, records, profile);
  bool done = (group_of && facts
	       && stack_groups_make (group_of, records, profile, facts, &rules)
	       && stack_tokens_make (&tokens, records, facts, &rules)
	       && write_stacks (writer, records, facts, &tokens)
	       && write_calls (writer, records, &tokens)
	       && write_groups (groups, records, facts, group_of, &rules));
  free (group_of);
  stack_tokens_free (&tokens);
  free (facts);
  return done;
}

void
stack_classes_read (struct stack_classes *classes,
		    const struct byte_reader *block)
{
  struct byte_reader rest = *block;
  *classes = (struct stack_classes){ 0 };
  if (byte_reader_left (&rest) < sizeof (uint64_t))
    return;
  const uint64_t count = byte_reader_u64 (&rest, "the classes");
  if (rest.failed || count > byte_reader_left (&rest) / sizeof (uint64_t))
    return;
  classes->calls = rest;
  classes->calls.position += count * sizeof (uint64_t);
  classes->stacks
    = byte_reader_part (&rest, count * sizeof (uint64_t), "the classes");
}

static uint64_t
entry_at (const struct byte_reader *list, size_t index)
{
  uint64_t entry;
  memcpy (&entry, list->data + list->position + index * sizeof entry,
	  sizeof entry);
  return entry;
}

/* Return the entry for HASH in LIST, whose entries have BITS other bits; 0 if
   there is none.  */
static uint64_t
find_entry (const struct byte_reader *list, uint64_t hash, unsigned int bits)
{
  size_t first = 0;
  size_t end = byte_reader_left (list) / sizeof (uint64_t);
  while (first < end)
    {
      const size_t middle = first + (end - first) / 2;
      const uint64_t entry = entry_at (list, middle);
      if (entry >> bits == hash >> bits)
	return entry;
      if (entry < hash)
	first = middle + 1;
      else
	end = middle;
    }
  return 0;
}

static enum placement_class
class_of (uint64_t entry)
{
  return (entry & CLASS_MASK) < PLACEMENT_CLASSES
	   ? (enum placement_class) (entry & CLASS_MASK)
	   : PLACEMENT_UNKNOWN;
}

enum placement_class
stack_classes_find (const struct stack_classes *classes, uint64_t hash,
		    bool *by_token)
{
  const uint64_t entry = find_entry (&classes->stacks, hash, FLAG_BITS);
  *by_token = (entry & FLAG_BY_TOKEN) != 0;
  return class_of (entry);
}

enum placement_class
stack_classes_find_token (const struct stack_classes *classes, uint64_t hash)
{
  return class_of (find_entry (&classes->calls, hash, FLAG_BITS));
}

unsigned int
stack_groups_find (const struct byte_reader *groups, uint64_t hash)
{
  return (unsigned int) (find_entry (groups, hash, GROUP_BITS) & GROUP_MASK);
}
