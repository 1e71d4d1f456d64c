/* The placement class of each calling context in LLVM's part of a file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "stack-classes.h"
#include <stdlib.h>
#include <string.h>

#define CLASS_BITS 3
#define CLASS_MASK ((UINT64_C (1) << CLASS_BITS) - 1)

/* The MIBs of stacks.  */
struct stack_infos
{
  const struct memory_info **infos; /* by stack, NULL for those of call sites */
  size_t count;
};

static const struct memory_info *
info_of (const void *data, size_t index)
{
  const struct stack_infos *stacks = data;
  return stacks->infos[index];
}

static bool
collect_infos (struct stack_infos *stacks, const struct llvm_records *records)
{
  stacks->count = llvm_records_stack_count (records);
  stacks->infos = calloc (stacks->count + 1, sizeof *stacks->infos);
  if (!stacks->infos)
    return false;
  size_t count = llvm_records_count (records);
  for (size_t i = 0; i < count; i++)
    {
      const struct llvm_record *record = llvm_records_get (records, i);
      for (size_t j = 0; j < record->alloc_site_count; j++)
	stacks->infos[record->alloc_sites[j].stack]
	  = record->alloc_sites[j].info;
    }
  return true;
}

/* Return the hash of each node's path to the root; NULL if memory is exhausted.
   Callers come before callees.  */
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

static int
compare_entries (const void *element1, const void *element2)
{
  const uint64_t *entry1 = element1;
  const uint64_t *entry2 = element2;
  return (*entry1 > *entry2) - (*entry1 < *entry2);
}

static bool
write_entries (struct byte_writer *writer, const struct llvm_records *records,
	       const struct stack_infos *stacks,
	       const struct placement_rules *rules, const uint64_t *hashes)
{
  uint64_t *entries = calloc (stacks->count + 1, sizeof *entries);
  size_t count = 0;
  if (!entries)
    return false;
  for (size_t i = 0; i < stacks->count; i++)
    if (stacks->infos[i])
      {
	const uint64_t hash
	  = hashes[llvm_records_stack_node (records, (uint32_t) i)];
	entries[count++]
	  = (hash & ~CLASS_MASK) | placement_class_of (rules, stacks->infos[i]);
      }
  if (count > 1)
    qsort (entries, count, sizeof *entries, compare_entries);
  for (size_t i = 0; i < count; i++)
    byte_writer_u64 (writer, entries[i]);
  free (entries);
  return true;
}

bool
stack_classes_write (struct byte_writer *writer,
		     const struct llvm_records *records,
		     const struct heap_profile *profile)
{
  const struct heap_totals *totals = heap_profile_read_totals (profile);
  struct stack_infos stacks = { 0 };
  struct placement_rules rules;
  uint64_t *hashes = hash_nodes (records);
  bool done
    = (hashes && collect_infos (&stacks, records)
       && placement_rules_make (&rules, totals->runs, totals->duration_ns,
				info_of, &stacks, stacks.count)
       && write_entries (writer, records, &stacks, &rules, hashes));
  free (hashes);
  free (stacks.infos);
  return done;
}

static uint64_t
entry_at (const struct byte_reader *block, size_t index)
{
  uint64_t entry;
  memcpy (&entry, block->data + block->position + index * sizeof entry,
	  sizeof entry);
  return entry;
}

enum placement_class
stack_classes_find (const struct byte_reader *block, uint64_t hash)
{
  size_t first = 0;
  size_t end = byte_reader_left (block) / sizeof (uint64_t);
  while (first < end)
    {
      const size_t middle = first + (end - first) / 2;
      const uint64_t entry = entry_at (block, middle);
      if (entry >> CLASS_BITS == hash >> CLASS_BITS)
	return (entry & CLASS_MASK) < PLACEMENT_CLASSES
		 ? (enum placement_class) (entry & CLASS_MASK)
		 : PLACEMENT_UNKNOWN;
      if (entry < hash)
	first = middle + 1;
      else
	end = middle;
    }
  return PLACEMENT_UNKNOWN;
}
