/* Prefetches of counters where the program prefetches its own data.
   SPDX-License-Identifier: GPL-3.0-or-later

   A program that prefetches the data it is going to access hides the latency of
   memory.  The counter of that address is just as far away, so without a
   prefetch the program would wait for the counter instead.  */

#include "gcc-compat.h"
#include "heapprof/abi.h"
#include "heap-access.h"
#include "counter-emit.h"
#include "runtime-decls.h"

/* Prefetch the counter of the address that CALL prefetches, for writing.  */
static void
prefetch_counter (gcall *call, tree base)
{
  counter_emitter emitter = { NULL, gimple_location (call), base };
  const unsigned n_arguments = gimple_call_num_args (call);
  tree locality = n_arguments > 2 ? gimple_call_arg (call, 2)
				  : build_int_cst (integer_type_node, 3);

  if (dump_file && (dump_flags & TDF_DETAILS))
    {
      fprintf (dump_file, "heapprof: fetch the counter of ");
      print_generic_expr (dump_file, gimple_call_arg (call, 0), TDF_SLIM);
      fprintf (dump_file, "\n");
    }
  tree offset = emit_to_size (&emitter, gimple_call_arg (call, 0));
  offset
    = emit_binary (&emitter, RSHIFT_EXPR, offset,
		   build_int_cst (integer_type_node, HEAPPROF_GRANULE_SHIFT));
  offset = emit_binary (&emitter, MULT_EXPR, offset,
			size_constant (HEAPPROF_COUNTER_BYTES));
  tree counter = make_ssa_name (counter_pointer_type ());
  gimple_seq_add_stmt (&emitter.seq,
		       gimple_build_assign (counter, POINTER_PLUS_EXPR, base,
					    offset));
  gimple_seq_add_stmt (&emitter.seq,
		       gimple_build_call (gimple_call_fndecl (call), 3, counter,
					  integer_one_node, locality));
  emit_before (&emitter, call);
}

void
prefetch_counters (function *fun, tree base)
{
  auto_vec<gcall *> calls;
  basic_block block;

  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gimple *statement = gsi_stmt (gsi);
	if (gimple_call_builtin_p (statement, BUILT_IN_PREFETCH)
	    && pointer_place (gimple_call_arg (statement, 0)) == PLACE_HEAP)
	  calls.safe_push (as_a<gcall *> (statement));
      }
  access_place_finish ();
  for (gcall *call : calls)
    prefetch_counter (call, base);
}
