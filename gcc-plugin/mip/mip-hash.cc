/* Identification of functions in another build, by hashes of source and shape.
   SPDX-License-Identifier: GPL-3.0-or-later

   The source hash covers the kinds of statements, the names of callees and the
   edges of each block, before the first optimization across functions.  It
   includes no line, type or number, so editing other parts of the unit does not
   change it.  The shape hash covers the final code.  */

#include "gcc-compat.h"
#include "mip-hash.h"

/* With link-time optimization, functions take their hash along as an attribute,
   which no user can write.  */
static const char *const hash_attribute = "heapprof mip hash";

static hash_map<int_hash<unsigned, UINT_MAX>, uint64_t> *source_hashes;

/* FNV-1a, eight bytes at a time.  */
static void
mix_number (uint64_t *hash, uint64_t value)
{
  for (int i = 0; i < 8; i++)
    {
      *hash = (*hash ^ (value & 0xff)) * 0x100000001b3;
      value >>= 8;
    }
}

static void
mix_text (uint64_t *hash, const char *text)
{
  for (; *text; text++)
    *hash = (*hash ^ (unsigned char) *text) * 0x100000001b3;
}

static const uint64_t first_hash = 0xcbf29ce484222325;

static void
mix_edges (uint64_t *hash, basic_block block)
{
  edge e;
  edge_iterator i;

  FOR_EACH_EDGE (e, i, block->succs)
    mix_number (hash, e->dest->index);
}

static void
mix_statement (uint64_t *hash, gimple *stmt)
{
  mix_number (hash, gimple_code (stmt));
  if (is_gimple_assign (stmt))
    mix_number (hash, gimple_assign_rhs_code (stmt));
  if (!is_gimple_call (stmt))
    return;
  mix_number (hash, gimple_call_num_args (stmt));
  tree callee = gimple_call_fndecl (stmt);
  if (callee && DECL_NAME (callee))
    mix_text (hash, IDENTIFIER_POINTER (DECL_NAME (callee)));
}

static uint64_t
hash_source (function *fun)
{
  uint64_t hash = first_hash;
  basic_block block;

  FOR_EACH_BB_FN (block, fun)
    {
      for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	if (!is_gimple_debug (gsi_stmt (gsi)))
	  mix_statement (&hash, gsi_stmt (gsi));
      mix_edges (&hash, block);
    }
  /* 0 means that there is no hash.  */
  return hash ? hash : 1;
}

static void
attach_hash (tree decl, uint64_t hash)
{
  tree number = build_int_cstu (long_long_unsigned_type_node, hash);

  DECL_ATTRIBUTES (decl)
    = tree_cons (get_identifier (hash_attribute),
		 build_tree_list (NULL_TREE, number), DECL_ATTRIBUTES (decl));
}

/* Return the hash that came with DECL; 0 if there is none.  */
static uint64_t
attached_hash (tree decl)
{
  tree attribute = lookup_attribute (hash_attribute, DECL_ATTRIBUTES (decl));

  return attribute ? tree_to_uhwi (TREE_VALUE (TREE_VALUE (attribute))) : 0;
}

void
mip_hash_collect (void)
{
  cgraph_node *node;

  if (!source_hashes)
    source_hashes = new hash_map<int_hash<unsigned, UINT_MAX>, uint64_t>;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (function *fun = DECL_STRUCT_FUNCTION (node->decl))
      if (fun->cfg)
	{
	  uint64_t hash = hash_source (fun);
	  source_hashes->put (DECL_UID (node->decl), hash);
	  if (flag_generate_lto)
	    attach_hash (node->decl, hash);
	}
}

uint64_t
mip_source_hash (tree decl)
{
  if (!source_hashes)
    return attached_hash (decl);
  if (uint64_t *hash = source_hashes->get (DECL_UID (decl)))
    return *hash;
  tree origin = DECL_ABSTRACT_ORIGIN (decl);
  if (origin && origin != decl && TREE_CODE (origin) == FUNCTION_DECL)
    if (uint64_t *hash = source_hashes->get (DECL_UID (origin)))
      return *hash;
  return 0;
}

uint64_t
mip_shape_hash (void)
{
  uint64_t hash = first_hash;
  basic_block block;
  unsigned number = 0;

  /* Number the blocks, because indexes have gaps.  */
  FOR_EACH_BB_FN (block, cfun)
    block->aux = (void *) (size_t) ++number;
  FOR_EACH_BB_FN (block, cfun)
    {
      edge e;
      edge_iterator i;
      mix_number (&hash, EDGE_COUNT (block->succs));
      FOR_EACH_EDGE (e, i, block->succs)
	mix_number (&hash, (size_t) e->dest->aux);
    }
  clear_aux_for_blocks ();
  return hash ? hash : 1;
}
