/* GCC's headers, and every difference between the supported versions of GCC.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each source file of the plugin includes this file first and no GCC header
   itself.  The headers are in an order that compiles with GCC 11 to 16.  Only
   this file tests the version.  */

#ifndef HEAPPROF_GCC_COMPAT_H
#define HEAPPROF_GCC_COMPAT_H

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "backend.h"
#include "target.h"
#include "rtl.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "cfghooks.h"
#include "ssa.h"
#include "cgraph.h"
#include "varasm.h"
#include "output.h"
#include "stringpool.h"
#include "attribs.h"
#include "alias.h"
#include "fold-const.h"
#include "stor-layout.h"
#include "calls.h"
#include "builtins.h"
#include "internal-fn.h"
#include "gimple-iterator.h"
#include "gimple-fold.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "gimple-walk.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-into-ssa.h"
#include "tree-ssa-alias.h"
#include "tree-eh.h"
#include "ssa-iterators.h"
#include "cfgloop.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-affine.h"
#include "tree-ssa-address.h"
#include "tree-scalar-evolution.h"
#include "tree-iterator.h"
#include "tree-pretty-print.h"
#include "gimple-pretty-print.h"
#include "dumpfile.h"
#include "context.h"
#include "pass_manager.h"
#include "toplev.h"
#include "opts.h"
#include "diagnostic-core.h"
#include "diagnostic.h"
#include "intl.h"
#include "langhooks.h"
#include "langhooks-def.h"
#include "profile.h"
#include "file-prefix-map.h"
#include "alloc-pool.h"
#include "symbol-summary.h"
#include "tree-inline.h"
#include "sreal.h"
#include "value-prof.h"
#if GCCPLUGIN_VERSION >= 14000
#include "ipa-cp.h"
#endif
#include "ipa-prop.h"
#include "ipa-fnsummary.h"
#include "ipa-utils.h"
#include "memmodel.h"
#include "tm_p.h"
#include "insn-config.h"
#include "emit-rtl.h"
#include "recog.h"
#include "cfgrtl.h"

#if GCCPLUGIN_VERSION >= 12000
#include "coverage.h"
#else
/* coverage.h needs a header that is not installed.  Declare the parts that are
   used here.  */
struct gcov_summary
{
  unsigned runs;
  gcov_type sum_max;
};
extern void coverage_init (const char *);
extern unsigned coverage_compute_lineno_checksum (void);
/* lto-streamer.h includes a header that is not installed either, but uses
   nothing else of it.  */
#define GCC_GCOV_IO_H
#endif
#include "lto-streamer.h"
#include "data-streamer.h"

/* Kinds of diagnostics.  */
#if GCCPLUGIN_VERSION >= 16000
#define compat_kind_unspecified                                                \
  static_cast<int> (diagnostics::kind::unspecified)
#define compat_kind_warning diagnostics::kind::warning
#else
#define compat_kind_unspecified DK_UNSPECIFIED
#define compat_kind_warning DK_WARNING
#endif

#if GCCPLUGIN_VERSION < 12000
static inline bool
startswith (const char *string, const char *prefix)
{
  return strncmp (string, prefix, strlen (prefix)) == 0;
}
#endif

/* Suppress late warnings about STMT, which no user wrote.  */
static inline void
compat_suppress_warnings (gimple *stmt)
{
#if GCCPLUGIN_VERSION >= 12000
  suppress_warning (stmt);
#else
  gimple_set_no_warning (stmt, true);
#endif
}

/* Return the last nondebug statement of BLOCK, or NULL.  */
static inline gimple *
compat_last_statement (basic_block block)
{
  gimple_stmt_iterator gsi = gsi_last_nondebug_bb (block);

  return gsi_end_p (gsi) ? NULL : gsi_stmt (gsi);
}

/* Return PREDICATE (EXPRESSION), for both signatures of PREDICATE: some
   releases of GCC 14 have the first, later ones the second.  The extra argument
   is about expressions whose parts can be recomputed rather than kept.  */
static inline bool
compat_ask (bool (*predicate) (tree), tree expression)
{
  return predicate (expression);
}

static inline bool
compat_ask (bool (*predicate) (tree, bool *), tree expression)
{
  bool cond_overflow_p;
  return predicate (expression, &cond_overflow_p);
}

/* True if the loop passes consider EXPRESSION too expensive to compute
   again.  */
static inline bool
compat_expression_expensive_p (tree expression)
{
  return compat_ask (expression_expensive_p, expression);
}

/* Insert SEQ before the statement at GSI, or before its whole block if the
   statement is a call that may return twice.  Before GCC 13.3, such a call
   could have statements before it in its block.  */
static inline void
compat_insert_before (gimple_stmt_iterator *gsi, gimple_seq seq)
{
#if GCCPLUGIN_VERSION >= 13003
  gsi_safe_insert_seq_before (gsi, seq);
#else
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
#endif
}

/* The indices of the arguments of the gather or scatter FUNCTION that hold the
   vector of offsets and the constant scale.  */
static inline int
compat_gather_offset_argument (internal_fn function ATTRIBUTE_UNUSED)
{
#if GCCPLUGIN_VERSION >= 16000
  return internal_fn_offset_index (function);
#else
  return 1;
#endif
}

static inline int
compat_gather_scale_argument (internal_fn function ATTRIBUTE_UNUSED)
{
#if GCCPLUGIN_VERSION >= 16000
  return internal_fn_scale_index (function);
#else
  return 2;
#endif
}

/* For FUNCTION, a partial vector load or store, return the index of the
   argument that holds the number of active lanes, or of the one with a bias
   that is added to that number; -1 if FUNCTION has no such argument.  */
static inline int
compat_length_argument (internal_fn function)
{
#if GCCPLUGIN_VERSION >= 14000
  return internal_fn_len_index (function);
#else
  return function == IFN_LEN_LOAD || function == IFN_LEN_STORE ? 2 : -1;
#endif
}

static inline int
compat_length_bias_argument (internal_fn function)
{
#if GCCPLUGIN_VERSION >= 14000
  int length = internal_fn_len_index (function);
  return length < 0 ? -1 : length + 1;
#elif GCCPLUGIN_VERSION >= 12000
  return (function == IFN_LEN_LOAD ? 3 : function == IFN_LEN_STORE ? 4 : -1);
#else
  (void) function;
  return -1;
#endif
}

/* True if FUNCTION is an atomic operation that GCC's optimizers make from the
   atomic built-ins.  The object is argument 0.  */
static inline bool
compat_atomic_internal_fn_p (internal_fn function)
{
  switch (function)
    {
    case IFN_ATOMIC_BIT_TEST_AND_SET:
    case IFN_ATOMIC_BIT_TEST_AND_COMPLEMENT:
    case IFN_ATOMIC_BIT_TEST_AND_RESET:
    case IFN_ATOMIC_COMPARE_EXCHANGE:
#if GCCPLUGIN_VERSION >= 12000
    case IFN_ATOMIC_ADD_FETCH_CMP_0:
    case IFN_ATOMIC_SUB_FETCH_CMP_0:
    case IFN_ATOMIC_AND_FETCH_CMP_0:
    case IFN_ATOMIC_OR_FETCH_CMP_0:
    case IFN_ATOMIC_XOR_FETCH_CMP_0:
#endif
      return true;
    default:
      return false;
    }
}

/* True if CALL calls a built-in of the target.  Since GCC 14, gathers made by
   the vectorizer pass their pointer as an integer, so gimple_call_builtin_p,
   which compares types, does not recognize them.  */
static inline bool
compat_target_builtin_p (const gcall *call)
{
  tree callee = gimple_call_fndecl (call);

  return callee && fndecl_built_in_p (callee, BUILT_IN_MD);
}

/* True if FUNCTION computes with integers so wide that they are in memory:
   _BitInt of C23, in GCC since version 14.  Each integer takes two arguments, a
   pointer and a number of bits.  The first *N_STORED integers are stored and
   the following *N_LOADED are loaded.  */
static inline bool
compat_wide_integer_fn_p (internal_fn function, unsigned *n_stored,
			  unsigned *n_loaded)
{
  switch (function)
    {
#if GCCPLUGIN_VERSION >= 14000
    case IFN_MULBITINT:
      *n_stored = 1;
      *n_loaded = 2;
      return true;
    case IFN_DIVMODBITINT:
      *n_stored = 2;
      *n_loaded = 2;
      return true;
    case IFN_FLOATTOBITINT:
      *n_stored = 1;
      *n_loaded = 0;
      return true;
    case IFN_BITINTTOFLOAT:
      *n_stored = 0;
      *n_loaded = 1;
      return true;
#endif
    default:
      (void) n_stored;
      (void) n_loaded;
      return false;
    }
}

/* Return the name of the source FILE as written in notes files (.gcno).  */
static inline const char *
compat_profile_filename (const char *file)
{
#if GCCPLUGIN_VERSION >= 12000
  return remap_profile_filename (file);
#else
  return file;
#endif
}

/* The discriminator of LOCATION, and that of STATEMENT, for which LOCATION may
   be used instead of its own.  Before GCC 13, blocks had discriminators and
   locations had none.  */
static inline unsigned
compat_location_discriminator (location_t location ATTRIBUTE_UNUSED)
{
#if GCCPLUGIN_VERSION >= 13000
  return get_discriminator_from_loc (location);
#else
  return 0;
#endif
}

static inline unsigned
compat_discriminator (gimple *statement ATTRIBUTE_UNUSED, location_t location)
{
#if GCCPLUGIN_VERSION >= 13000
  return compat_location_discriminator (location);
#else
  (void) location;
  return gimple_bb (statement)->discriminator;
#endif
}

/* If CALL, which is indirect, is of a virtual function, set *TYPE to the class
   of the function's declaration and *INDEX to its index in the tables, and
   return true.  */
static inline bool
compat_virtual_call (const cgraph_edge *call, tree *type, HOST_WIDE_INT *index)
{
#if GCCPLUGIN_VERSION >= 16000
  const cgraph_polymorphic_indirect_info *info
    = dyn_cast<cgraph_polymorphic_indirect_info *> (call->indirect_info);
  if (!info || !info->usable_p ())
    return false;
#else
  const cgraph_indirect_call_info *info = call->indirect_info;
  if (!info->polymorphic)
    return false;
#endif
  *type = info->otr_type;
  *index = info->otr_token;
  return true;
}

/* Give NEW_BLOCK the discriminator of BLOCK.  */
static inline void
compat_copy_discriminator (basic_block block ATTRIBUTE_UNUSED,
			   basic_block new_block ATTRIBUTE_UNUSED)
{
#if GCCPLUGIN_VERSION < 13000
  new_block->discriminator = block->discriminator;
#endif
}

/* The start of struct array_descr_info, which is the same in all versions, with
   enough room for the rest.  Its header, dwarf2out.h, includes one that is not
   installed.  */
struct array_description
{
  int dimensions;
  int ordering;
  tree element_type;
  tree rest[120];
};

/* Return the type of the elements of arrays with a descriptor of TYPE,
   NULL_TREE if TYPE is none.  */
static inline tree
array_descriptor_element (const_tree type)
{
  array_description description = {};

  if (!lang_hooks.types.get_array_descr_info
      || !lang_hooks.types.get_array_descr_info (
	type, reinterpret_cast<array_descr_info *> (&description)))
    return NULL_TREE;
  return description.element_type;
}

#endif /* HEAPPROF_GCC_COMPAT_H */
