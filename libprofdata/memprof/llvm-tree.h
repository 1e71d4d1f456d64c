/* LLVM's view of a heap profile, as a tree.
   SPDX-License-Identifier: GPL-3.0-or-later

   LLVM's frames have no names, files or lines, so frames that differ only in
   these are merged, and so are the contexts that become equal.  Frames of
   unknown functions are dropped, and so are blocks of which only the allocation
   is known.

   A call in the code of one function may be inlined through several frames:
   these form one physical frame.  The physical frame of each node is interned
   in the same tree as a stack of its own, attached to the root:

     main -> run -> (grow inlined into) add
     physical frames: main;  run;  add, grow; and of add alone, add  */

#ifndef HEAPPROF_LLVM_TREE_H
#define HEAPPROF_LLVM_TREE_H

#include "context-table.h"
#include "heap-profile.h"
#include "info-table.h"
#include "record-table.h"
#include "scratch.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct llvm_frame
{
  uint64_t function_guid;
  uint32_t line_offset;
  uint32_t column;
  bool is_inline;
  /* Its place in the source is known; not part of LLVM's frames.  */
  bool has_place;
};

/* Roles of a node's physical frame, or of the node itself.  */
enum llvm_role
{
  LLVM_CALL_SITE = 1,	    /* on the way to an allocation */
  LLVM_ALLOCATING_CALL = 2, /* it ends at an allocation: its innermost frame is
			       not a call site, the others are */
  LLVM_GIVEN_CALL_SITE = 4, /* of the profile's details */
  LLVM_HAS_SUM = 8,	    /* its MIB belongs to the tree */
  LLVM_HAS_INFO = 16	    /* it has a MIB */
};

/* The affinity of the contexts of two nodes; later of two stacks.  */
struct llvm_affinity
{
  uint32_t first;
  uint32_t second;
  uint64_t lines; /* 0: one has no stack */
};

struct llvm_tree
{
  struct llvm_frame *frames; /* sorted; number 0 is not used */
  uint32_t frame_count;
  struct context_table contexts;
  uint32_t node_count;		    /* of CONTEXTS */
  uint8_t *roles;		    /* by node: of enum llvm_role */
  struct info_place *infos;	    /* by node, for nodes with a MIB */
  struct record_table sums;	    /* MIBs of contexts that became equal */
  struct llvm_affinity *affinities; /* by their number in the profile */
  uint32_t *given; /* nodes of the profile's call sites, by their number in its
		      details */
};

/* Create *TREE from PROFILE, into which it points.  KEEP_COLUMNS as in struct
   indexed_profile_options.  Temporary memory comes from *SCRATCH.  Return false
   if memory is exhausted; *TREE must be freed in any case.  */
bool llvm_tree_make (struct llvm_tree *tree, const struct heap_profile *profile,
		     bool keep_columns, struct scratch *scratch);
void llvm_tree_free (struct llvm_tree *tree);

/* Free only the CONTEXTS of TREE.  */
void llvm_tree_drop_contexts (struct llvm_tree *tree);

/* Free the arrays of TREE that are indexed by node.  */
void llvm_tree_drop_nodes (struct llvm_tree *tree);

#endif /* HEAPPROF_LLVM_TREE_H */
