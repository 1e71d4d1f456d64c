/* LLVM's view of a heap profile: declarations shared by its parts; private to
   them.
   SPDX-License-Identifier: GPL-3.0-or-later

     llvm-functions.c  creates an empty record for each function
     llvm-stacks.c     numbers the nodes of the tree, and the stacks
     llvm-given.c      finds and adds the call sites listed in the details
     llvm-records.c    fills the records, using all of these  */

#ifndef HEAPPROF_LLVM_RECORDS_PARTS_H
#define HEAPPROF_LLVM_RECORDS_PARTS_H

#include "llvm-records.h"
#include <libiberty/objalloc.h>

#define LLVM_NO_STACK UINT32_MAX

struct llvm_records
{
  struct llvm_tree tree;
  struct scratch scratch;     /* holds the next two, and STACK_NODES */
  struct context_node *nodes; /* in preorder; frames as in the tree */
  uint32_t *tree_nodes;	      /* by number in preorder */
  uint32_t node_count;
  uint32_t *stack_nodes;
  uint32_t stack_count;
  uint32_t *list; /* room for the frames of the longest stack */

  uint32_t *functions;	       /* by frame: index into RECORDS */
  struct llvm_record *records; /* sorted by GUID */
  size_t count;
  struct llvm_alloc_site *alloc_sites;
  struct llvm_call_site *call_sites;
  struct objalloc *callees; /* of call sites that became equal */
};

/* A call site of the details whose stack has a number.  */
struct llvm_given
{
  uint32_t function;
  uint32_t stack;
};

static inline uint8_t
llvm_records_role (const struct llvm_records *records, uint32_t node)
{
  return records->tree.roles[records->tree_nodes[node]];
}

static inline struct info_place
llvm_records_info (const struct llvm_records *records, uint32_t node)
{
  return records->tree.infos[records->tree_nodes[node]];
}

/* llvm-functions.c: comparison for sorting GUIDs.  */
int llvm_records_compare_guids (const void *element1, const void *element2);

/* Create a record for the function of each frame and of each call site of
   DETAILS.  Some will stay empty.  This and the functions below return false if
   memory is exhausted.  */
bool llvm_records_make_functions (struct llvm_records *records,
				  const struct heap_details *details);

/* Return the index of the record of GUID, which must exist.  */
uint32_t llvm_records_find_function (const struct llvm_records *records,
				     uint64_t guid);

/* llvm-stacks.c: number the nodes that stacks need, in preorder.  */
bool llvm_stacks_number_nodes (struct llvm_records *records);

/* Number the stacks, in the order of their nodes.  */
bool llvm_stacks_number (struct llvm_records *records);

/* llvm-given.c: return the stack and the function of each call site of DETAILS,
   malloced.  NULL if memory is exhausted.  */
struct llvm_given *llvm_given_find (const struct llvm_records *records,
				    const struct heap_details *details);

/* Replace the nodes of affinities, of DETAILS, by stacks.  */
bool llvm_given_find_affinities (struct llvm_records *records,
				 const struct heap_details *details);

/* Sort the call sites of records, to which GIVEN were added, and their
   callees.  */
bool llvm_given_finish (struct llvm_records *records,
			const struct heap_details *details,
			const struct llvm_given *given);

/* Return true if SITE, whose place is GIVEN, adds nothing to RECORDS.  */
bool llvm_given_is_implied (const struct llvm_records *records,
			    const struct heap_call_site *site,
			    const struct llvm_given *given);

#endif /* HEAPPROF_LLVM_RECORDS_PARTS_H */
