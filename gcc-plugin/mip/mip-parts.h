/* Machine-level profiles: declarations shared by the parts.
   SPDX-License-Identifier: GPL-3.0-or-later

   mip-probe.cc inserts probes when code generation is almost finished;
   mip-calls.cc inserts those that count calls at their sites;
   mip-entries.cc makes these calls skip the probe of the called function;
   mip-inlined.cc lists the functions that were inlined;
   mip-map-output.cc describes the probes in sections next to the code;
   mip-hash.cc identifies functions in another build.  */

#ifndef HEAPPROF_MIP_PARTS_H
#define HEAPPROF_MIP_PARTS_H

#include "heapprof/mip-format.h"
#include "mip-hash.h"

/* A basic block of an instrumented function.  */
struct mip_block
{
  rtx_code_label *label; /* at its start */
  int line;		 /* 0 if unknown */
  int slot;		 /* byte of its probe, -1 if it has none */
  /* Index of its rule in the pool, -1 if it has none.  */
  int rule;
  bool is_cold; /* in the second range */
};

/* A copy of another function that was inlined.  */
struct mip_copy
{
  tree origin; /* the function that it is a copy of */
  int parent;  /* index of the copy around it, -1 if it is in none */
  /* Index of its rule in the pool, -1 if it has none.  */
  int rule;
  bool is_always; /* it runs whenever the function does */
};

/* A direct call, between two points of the code of a function.  */
struct mip_flow
{
  rtx_insn *call;
  unsigned from; /* 0: outside */
  unsigned to;
  bool is_counted; /* it needs a counter */
};

/* A direct call whose executions are counted, or follow from others.  */
struct mip_call
{
  rtx target;		/* the symbol of the called function */
  rtx function;		/* the function, if TARGET is an entry elsewhere */
  rtx_code_label *site; /* where the call returns to, or behind a jump */
  const mip_flow *flow;
};

/* An instrumented function.  */
struct mip_function
{
  tree decl;
  /* The number of the function in this assembler file, used as a suffix of its
     labels.  */
  unsigned number;
  heapprof_mip_kind kind;
  unsigned slot_bytes;
  uint64_t shape_hash;
  /* The end of the function's code: of the cold range if there is one, else of
     the main range.  */
  rtx_code_label *end;
  rtx_code_label *cold_begin; /* NULL if there is no cold range */
  auto_vec<mip_block> blocks;
  auto_vec<uint32_t> rules;
  auto_vec<mip_copy> copies;
  /* If calls are counted by their sites, the direct calls before and after
     there are probes, and the number of
     calls through pointers.  */
  auto_vec<mip_flow> flows;
  auto_vec<mip_call> calls;
  unsigned counters; /* of direct calls */
  unsigned pointer_calls;
};

/* Register the passes and callbacks for instrumentation.  */
void mip_start (const char *plugin_name);

/* Return the kind of the slots of functions.  */
heapprof_mip_kind mip_slot_kind (void);

/* Write slot and record of FUNCTION, the current one, to the assembler file,
   which already contains its code.  */
void mip_map_output_function (const mip_function *function);

/* Write the data of the unit.  */
void mip_map_output_unit (void);

/* Return the name of the slot of FUNCTION in assembler text, malloced.  */
static inline char *
mip_slot_label (const mip_function *function)
{
  return xasprintf (".Lhpm%u", function->number);
}

/* Give each block of FUNCTION, the current one, a probe or a rule.  BLOCKS are
   its basic blocks in the order of FUNCTION->blocks.  */
void mip_blocks_choose (mip_function *function, const vec<basic_block> &blocks);

/* Return the function that the call INSN calls, or NULL if it is unknown.  */
tree mip_callee (rtx_insn *insn);

/* True if control may not continue after INSN.  */
bool mip_may_stop_p (rtx_insn *insn);

/* True if INSN is a direct call whose executions are counted.  */
bool mip_counted_call_p (rtx_insn *insn);

/* Find the flows of FUNCTION, the current one, whose code does not contain
   probes yet.  */
void mip_flows_find (mip_function *function);

/* Insert probes into FUNCTION, the current one, that count calls at their
   sites.  */
void mip_calls_count (mip_function *function);

/* Write the counters of calls of FUNCTION, and what is known about them.  */
void mip_calls_output (const mip_function *function);

/* Return the symbol to call in place of SYMBOL, a function of this assembler
   file, so that the function does not count the call; NULL if there is none. */
rtx mip_entry_for_call (rtx symbol);

/* True if there is such a symbol for DECL.  */
bool mip_entry_p (tree decl);

/* Likewise, for a function that is in another file.  If it turns out there that
   it has no such symbol, it counts the call.  */
rtx mip_entry_elsewhere (rtx symbol);
bool mip_entry_elsewhere_p (tree decl);

/* Return the least name of the function DECL for calls from other files that it
   does not count, as far as this file knows; NULL if there are none.  Valid
   until the end of the current function.  */
const char *mip_entry_least_name (tree decl);

/* Make the label for these calls of DECL, to be inserted behind the probe that
   counts all others.  */
rtx mip_entry_label (tree decl);

/* Define the missing labels of functions that are called.  */
void mip_entries_output (void);

/* List the copies of other functions in FUNCTION, the current one, and find out
   from which blocks, if these have probes or rules, it is known whether they
   ran.  BLOCKS are as above; without probes in blocks there are none.  */
void mip_copies_find (mip_function *function, const vec<basic_block> &blocks);

#endif /* HEAPPROF_MIP_PARTS_H */
