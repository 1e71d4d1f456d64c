/* Machine-level profiles: what the parts of this folder share.
   SPDX-License-Identifier: GPL-3.0-or-later

   mip-probe.cc puts probes into functions when nothing but the final details
   of their code is left to do; mip-map-output.cc writes what each means beside
   the code; mip-hash.cc says by what a function is known again.  */

#ifndef HEAPPROF_MIP_PARTS_H
#define HEAPPROF_MIP_PARTS_H

#include "heapprof/mip-format.h"
#include "mip-hash.h"

/* A basic block of an instrumented function.  */
struct mip_block
{
  rtx_code_label *label; /* at its beginning */
  int line;		 /* 0 if unknown */
  int slot;		 /* byte of its probe, -1 if it has none */
  /* Index of its rule in the pool, -1 if it has none.  */
  int rule;
  bool is_cold; /* in the second range */
};

/* An instrumented function.  */
struct mip_function
{
  tree decl;
  /* Number in this assembler file, which its labels end with.  */
  unsigned number;
  heapprof_mip_kind kind;
  unsigned slot_bytes;
  uint64_t shape_hash;
  /* Of all code in the order in which it is written: the main range, or the
     cold one if there is one.  */
  rtx_code_label *end;
  rtx_code_label *cold_begin; /* NULL if there is no cold range */
  auto_vec<mip_block> blocks;
  auto_vec<uint32_t> rules;
};

/* Start instrumenting.  */
void mip_start (const char *plugin_name);

/* Write slot and record of FUNCTION, the current one, to the assembler file, in
   which it is.  */
void mip_map_output_function (const mip_function *function);

/* Write what a unit gets once.  */
void mip_map_output_unit (void);

/* The name of the slot of FUNCTION, as it stands in assembler text.
   Malloced.  */
static inline char *
mip_slot_label (const mip_function *function)
{
  return xasprintf (".Lhpm%u", function->number);
}

/* Give each block of FUNCTION, the current one, a probe or a rule.  BLOCKS are
   its basic blocks in the order of FUNCTION->blocks.  */
void mip_blocks_choose (mip_function *function, const vec<basic_block> &blocks);

#endif /* HEAPPROF_MIP_PARTS_H */
