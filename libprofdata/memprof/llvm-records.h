/* LLVM's view of a heap profile: one record per function.
   SPDX-License-Identifier: GPL-3.0-or-later

   A record holds the allocations whose innermost frames, up to the first that
   is not inlined, include the function.  It also holds the call sites on the
   way to any allocation: for every physical frame of a context, the frames from
   the innermost inlined one to the function's body.  The indexed writer and
   show --yaml print the same records.  */

#ifndef HEAPPROF_LLVM_RECORDS_H
#define HEAPPROF_LLVM_RECORDS_H

#include "heap-profile.h"
#include "llvm-tree.h"
#include "scratch.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct llvm_alloc_site
{
  uint32_t stack;	  /* number of the complete context's stack */
  struct info_place info; /* lives as long as the records */
};

struct llvm_call_site
{
  uint32_t stack;
  const uint64_t *callees; /* GUIDs of indirectly called functions, sorted */
  size_t callee_count;
};

struct llvm_record
{
  uint64_t function_guid;
  const struct llvm_alloc_site *alloc_sites;
  size_t alloc_site_count;
  const struct llvm_call_site *call_sites;
  size_t call_site_count;
};

struct llvm_records;

/* Create the records of PROFILE: frames that LLVM cannot distinguish are
   merged, contexts that become equal are added up, lists are sorted and free of
   duplicates.  KEEP_COLUMNS as in struct indexed_profile_options.  NULL if
   memory is exhausted.  Free with llvm_records_free.  */
struct llvm_records *llvm_records_make (const struct heap_profile *profile,
					bool keep_columns);
void llvm_records_free (struct llvm_records *records);

/* The same in two steps.  After the first, only frames and stacks may be
   accessed, also by other threads while the second step creates the records.
   The second step returns false if memory is exhausted.  */
struct llvm_records *llvm_records_begin (const struct heap_profile *profile,
					 bool keep_columns);
bool llvm_records_fill (struct llvm_records *records,
			const struct heap_profile *profile);

/* Drop the call sites of PROFILE's details that its contexts imply and that
   have no callees.  Return false if memory is exhausted.  */
bool llvm_records_prune (struct heap_profile *profile);

/* The records, sorted by GUID.  */
size_t llvm_records_count (const struct llvm_records *records);
const struct llvm_record *llvm_records_get (const struct llvm_records *records,
					    size_t index);

/* The distinct frames, and the distinct stacks: lists of frame indexes,
   innermost first.  STACK_FRAMES sets *COUNT to the list's length, at least 1;
   the list is valid until the next call, since stacks are not stored as
   lists.  */
size_t llvm_records_frame_count (const struct llvm_records *records);
const struct llvm_frame *llvm_records_frame (const struct llvm_records *records,
					     uint32_t frame);
size_t llvm_records_stack_count (const struct llvm_records *records);
const uint32_t *llvm_records_stack_frames (const struct llvm_records *records,
					   uint32_t stack, size_t *count);

/* Return the lines of affinity I of the profile, and store its stacks in *FIRST
   and *SECOND; 0 if there is no such stack.  */
uint64_t llvm_records_affinity (const struct llvm_records *records, uint32_t i,
				uint32_t *first, uint32_t *second);

/* Free the frames of stacks and the tree below, to save memory: from then on
   only records and frames can be accessed.  */
void llvm_records_drop_stacks (struct llvm_records *records);

/* Memory for users of stacks, valid until the stacks are dropped.  */
struct scratch *llvm_records_scratch (struct llvm_records *records);

/* Stacks lead from a node to the root of one tree, whose nodes are numbered in
   preorder.  Node 0 is the root.  Every other node has a frame, stored as its
   index plus 1, and a caller with a lower number.  Stack S starts at node
   STACK_NODE (S), which grows with S.  */
size_t llvm_records_node_count (const struct llvm_records *records);
const struct context_node *
llvm_records_nodes (const struct llvm_records *records);
uint32_t llvm_records_stack_node (const struct llvm_records *records,
				  uint32_t stack);

#endif /* HEAPPROF_LLVM_RECORDS_H */
