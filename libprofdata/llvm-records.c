/* LLVM's view of a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The profile is first reduced to what LLVM knows (llvm-reduce.h).  Then each
   physical frame on the way to an allocation is interned in the same tree as a
   stack of its own, hung from the root:

     main -> run -> (grow inlined into) add -> malloc site
     call site stacks: main;  run
     allocation stack: add, grow, run, main; in the records of grow and add
     call site stack in the record of add, which grow was inlined into:
       add, grow

   So every stack is a node of one tree, and equal stacks are one node.  */

#include "llvm-records.h"
#include "canonical-order.h"
#include "llvm-reduce.h"
#include <stdlib.h>
#include <string.h>

/* What a function's record refers to.  */
struct entry
{
  uint64_t function_guid;
  bool is_call_site;
  uint32_t node;		/* later the stack's number */
};

struct llvm_records
{
  struct heap_profile *reduced;
  uint32_t alloc_nodes;		/* nodes of allocating contexts are below */
  struct entry *entries;	/* sorted, without repetition */
  size_t entry_count;
  size_t entry_capacity;

  struct llvm_frame *frames;
  size_t frame_count;
  uint32_t *node_callers;
  uint32_t *node_frames;
  size_t node_count;
  uint32_t *stack_nodes;
  size_t stack_count;
  uint32_t *list;		/* room for the frames of the longest stack */
  struct llvm_alloc_site *alloc_sites;
  struct llvm_call_site *call_sites;
  struct llvm_record *records;
  size_t count;
};

/* ---- Entries: which function refers to which stack.  */

static bool
add_entry (struct llvm_records *records, uint64_t function_guid,
	   bool is_call_site, uint32_t node)
{
  if (records->entry_count == records->entry_capacity)
    {
      size_t capacity = records->entry_capacity * 2 + 64;
      struct entry *entries = realloc (records->entries,
				       capacity * sizeof *entries);
      if (!entries)
	return false;
      records->entries = entries;
      records->entry_capacity = capacity;
    }
  records->entries[records->entry_count++]
    = (struct entry) { function_guid, is_call_site, node };
  return true;
}

static const struct heap_frame *
node_frame (const struct heap_profile *reduced, uint32_t node)
{
  return heap_profile_frame (reduced,
			     heap_profile_context_frame (reduced, node));
}

/* Add NODE to the records of the functions of its physical frame: the frames
   from the innermost, or the SKIPth after it, to the first that is not
   inlined.  */
static bool
add_entries (struct llvm_records *records, uint32_t node, bool is_call_site,
	     uint32_t skip)
{
  bool is_inline = true;
  for (uint32_t at = node; is_inline && at != 0;
       at = heap_profile_context_caller (records->reduced, at))
    {
      const struct heap_frame *frame = node_frame (records->reduced, at);
      is_inline = frame->is_inline;
      if (skip > 0)
	skip--;
      else if (!add_entry (records, frame->function_guid, is_call_site, node))
	return false;
    }
  return true;
}

/* Intern the physical frame of each allocation node as a stack of its own,
   into PHYSICAL.  */
static bool
add_physical_frames (struct llvm_records *records, uint32_t *physical)
{
  for (uint32_t node = 1; node < records->alloc_nodes; node++)
    {
      uint32_t frame = heap_profile_context_frame (records->reduced, node);
      uint32_t caller = heap_profile_context_caller (records->reduced, node);
      uint32_t outer = node_frame (records->reduced, node)->is_inline
			 ? physical[caller] : 0;
      physical[node] = heap_profile_add_context (records->reduced, outer,
						 frame);
      if (physical[node] == UINT32_MAX)
	return false;
    }
  return true;
}

/* Add the allocation at NODE and the call sites that end its physical frame
   or, if NODE begins a physical frame, that of its caller.  */
static bool
add_node_entries (struct llvm_records *records, const uint32_t *physical,
		  uint32_t node)
{
  uint32_t caller = heap_profile_context_caller (records->reduced, node);
  if (!node_frame (records->reduced, node)->is_inline && caller != 0
      && !add_entries (records, physical[caller], true, 0))
    return false;
  if (!heap_profile_info (records->reduced, node))
    return true;
  return (add_entries (records, node, false, 0)
	  && add_entries (records, physical[node], true, 1));
}

static bool
collect_entries (struct llvm_records *records)
{
  records->alloc_nodes = heap_profile_context_count (records->reduced);
  uint32_t *physical = calloc (records->alloc_nodes, sizeof *physical);
  bool done = physical && add_physical_frames (records, physical);
  for (uint32_t node = 1; done && node < records->alloc_nodes; node++)
    done = add_node_entries (records, physical, node);
  free (physical);
  return done;
}

/* ---- Numbering stacks and frames.  */

static void
mark_stacks (const struct llvm_records *records, bool *is_stack)
{
  for (size_t i = 0; i < records->entry_count; i++)
    is_stack[records->entries[i].node] = true;
}

static void
mark_wanted (const struct heap_profile *reduced, const bool *is_stack,
	     bool *wanted)
{
  for (uint32_t id = heap_profile_context_count (reduced); id-- > 0;)
    {
      wanted[id] |= is_stack[id];
      if (wanted[id])
	wanted[heap_profile_context_caller (reduced, id)] = true;
    }
}

static bool
copy_frames (struct llvm_records *records, const struct canonical_table *order)
{
  /* The first is the unknown frame, which no stack has.  */
  records->frame_count = order->count - 1;
  records->frames = calloc (records->frame_count + 1, sizeof *records->frames);
  if (!records->frames)
    return false;
  for (size_t i = 0; i < records->frame_count; i++)
    {
      const struct heap_frame *frame
	= heap_profile_frame (records->reduced, order->ids[i + 1]);
      records->frames[i] = (struct llvm_frame) {
	.function_guid = frame->function_guid,
	.line_offset = frame->line_offset,
	.column = frame->column,
	.is_inline = frame->is_inline
      };
    }
  return true;
}

static bool
allocate_nodes (struct llvm_records *records, size_t node_count)
{
  records->node_count = node_count;
  records->node_callers = calloc (node_count, sizeof (uint32_t));
  records->node_frames = calloc (node_count, sizeof (uint32_t));
  records->stack_nodes = calloc (node_count, sizeof (uint32_t));
  return (records->node_callers && records->node_frames
	  && records->stack_nodes);
}

/* Make room for the longest stack.  */
static bool
allocate_list (struct llvm_records *records)
{
  uint32_t *depths = calloc (records->node_count, sizeof *depths);
  if (!depths)
    return false;
  uint32_t longest = 0;
  for (size_t i = 1; i < records->node_count; i++)
    {
      depths[i] = depths[records->node_callers[i]] + 1;
      longest = depths[i] > longest ? depths[i] : longest;
    }
  free (depths);
  records->list = malloc ((longest + 1) * sizeof *records->list);
  return records->list != NULL;
}

/* Fill the tree, the stacks, and NUMBERS, the number of each stack by
   context.  */
static bool
copy_stacks (struct llvm_records *records, const struct canonical_order *order,
	     const bool *is_stack, uint32_t *numbers)
{
  const struct canonical_table *contexts = &order->contexts;
  if (!allocate_nodes (records, contexts->count))
    return false;
  for (uint32_t i = 1; i < contexts->count; i++)
    {
      uint32_t id = contexts->ids[i];
      uint32_t caller = heap_profile_context_caller (records->reduced, id);
      uint32_t frame = heap_profile_context_frame (records->reduced, id);
      records->node_callers[i] = contexts->places[caller];
      records->node_frames[i] = order->frames.places[frame] - 1;
      if (!is_stack[id])
	continue;
      numbers[id] = records->stack_count;
      records->stack_nodes[records->stack_count++] = i;
    }
  return allocate_list (records);
}

/* ---- Records.  */

static int
compare_entries (const void *element1, const void *element2)
{
  const struct entry *a = element1;
  const struct entry *b = element2;
  if (a->function_guid != b->function_guid)
    return a->function_guid < b->function_guid ? -1 : 1;
  if (a->is_call_site != b->is_call_site)
    return a->is_call_site ? 1 : -1;
  return (a->node > b->node) - (a->node < b->node);
}

static void
sort_entries (struct llvm_records *records)
{
  struct entry *entries = records->entries;
  if (records->entry_count == 0)
    return;
  qsort (entries, records->entry_count, sizeof *entries, compare_entries);
  size_t kept = 0;
  for (size_t i = 0; i < records->entry_count; i++)
    if (kept == 0 || compare_entries (&entries[i], &entries[kept - 1]) != 0)
      entries[kept++] = entries[i];
  records->entry_count = kept;
}

static size_t
count_functions (const struct llvm_records *records)
{
  size_t count = 0;
  for (size_t i = 0; i < records->entry_count; i++)
    if (i == 0 || records->entries[i].function_guid
		    != records->entries[i - 1].function_guid)
      count++;
  return count;
}

/* Make the records from the entries, whose NODE is now a stack; INFO_OF_STACK
   has the MIBs.  */
static bool
make_records (struct llvm_records *records,
	      const struct memory_info *const *info_of_stack)
{
  size_t n = records->entry_count;
  records->records = calloc (count_functions (records) + 1,
			     sizeof *records->records);
  records->alloc_sites = calloc (n + 1, sizeof *records->alloc_sites);
  records->call_sites = calloc (n + 1, sizeof *records->call_sites);
  if (!records->records || !records->alloc_sites || !records->call_sites)
    return false;
  size_t alloc_site = 0;
  size_t call_site = 0;
  struct llvm_record *record = NULL;
  for (size_t i = 0; i < n; i++)
    {
      const struct entry *entry = &records->entries[i];
      if (!record || record->function_guid != entry->function_guid)
	{
	  record = &records->records[records->count++];
	  record->function_guid = entry->function_guid;
	  record->alloc_sites = &records->alloc_sites[alloc_site];
	  record->call_sites = &records->call_sites[call_site];
	}
      if (entry->is_call_site)
	{
	  records->call_sites[call_site++].stack = entry->node;
	  record->call_site_count++;
	  continue;
	}
      records->alloc_sites[alloc_site++] = (struct llvm_alloc_site) {
	entry->node, info_of_stack[entry->node]
      };
      record->alloc_site_count++;
    }
  return true;
}

/* Turn the entries' nodes into stack numbers, and make the records.  */
static bool
finish_records (struct llvm_records *records, const uint32_t *numbers)
{
  const struct memory_info **info_of_stack
    = calloc (records->stack_count + 1, sizeof *info_of_stack);
  if (!info_of_stack)
    return false;
  for (size_t i = 0; i < records->entry_count; i++)
    {
      struct entry *entry = &records->entries[i];
      uint32_t stack = numbers[entry->node];
      info_of_stack[stack] = heap_profile_info (records->reduced, entry->node);
      entry->node = stack;
    }
  sort_entries (records);
  bool done = make_records (records, info_of_stack);
  free (info_of_stack);
  return done;
}

static bool
number_stacks (struct llvm_records *records)
{
  uint32_t count = heap_profile_context_count (records->reduced);
  bool *is_stack = calloc (count, sizeof *is_stack);
  bool *wanted = calloc (count, sizeof *wanted);
  uint32_t *numbers = calloc (count, sizeof *numbers);
  struct canonical_order order = { 0 };
  bool done = is_stack && wanted && numbers;
  if (done)
    {
      mark_stacks (records, is_stack);
      mark_wanted (records->reduced, is_stack, wanted);
      done = (canonical_order_make (&order, records->reduced, wanted)
	      && copy_frames (records, &order.frames)
	      && copy_stacks (records, &order, is_stack, numbers)
	      && finish_records (records, numbers));
    }
  canonical_order_free (&order);
  free (numbers);
  free (wanted);
  free (is_stack);
  return done;
}

struct llvm_records *
llvm_records_make (const struct heap_profile *profile, bool keep_columns)
{
  struct llvm_records *records = calloc (1, sizeof *records);
  if (!records)
    return NULL;
  records->reduced = heap_profile_new ();
  if (records->reduced && llvm_reduce (profile, records->reduced, keep_columns)
      && collect_entries (records) && number_stacks (records))
    return records;
  llvm_records_free (records);
  return NULL;
}

void
llvm_records_free (struct llvm_records *records)
{
  if (!records)
    return;
  free (records->records);
  free (records->call_sites);
  free (records->alloc_sites);
  free (records->list);
  free (records->stack_nodes);
  free (records->node_frames);
  free (records->node_callers);
  free (records->frames);
  free (records->entries);
  heap_profile_free (records->reduced);
  free (records);
}

size_t
llvm_records_count (const struct llvm_records *records)
{
  return records->count;
}

const struct llvm_record *
llvm_records_get (const struct llvm_records *records, size_t index)
{
  return &records->records[index];
}

size_t
llvm_records_frame_count (const struct llvm_records *records)
{
  return records->frame_count;
}

const struct llvm_frame *
llvm_records_frame (const struct llvm_records *records, uint32_t frame)
{
  return &records->frames[frame];
}

size_t
llvm_records_stack_count (const struct llvm_records *records)
{
  return records->stack_count;
}

const uint32_t *
llvm_records_stack_frames (const struct llvm_records *records, uint32_t stack,
			   size_t *count)
{
  *count = 0;
  for (uint32_t node = records->stack_nodes[stack]; node != 0;
       node = records->node_callers[node])
    records->list[(*count)++] = records->node_frames[node];
  return records->list;
}

size_t
llvm_records_node_count (const struct llvm_records *records)
{
  return records->node_count;
}

uint32_t
llvm_records_node_caller (const struct llvm_records *records, uint32_t node)
{
  return records->node_callers[node];
}

uint32_t
llvm_records_node_frame (const struct llvm_records *records, uint32_t node)
{
  return records->node_frames[node];
}

uint32_t
llvm_records_stack_node (const struct llvm_records *records, uint32_t stack)
{
  return records->stack_nodes[stack];
}
