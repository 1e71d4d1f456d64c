/* Building blocks of counter updates.
   SPDX-License-Identifier: GPL-3.0-or-later

   Addresses, weights and counts are values of type sizetype.  */

#ifndef HEAPPROF_COUNTER_EMIT_H
#define HEAPPROF_COUNTER_EMIT_H

/* A sequence of statements under construction.  */
struct counter_emitter
{
  gimple_seq seq;
  location_t location;
  /* The result of make_base.  */
  tree base;
};

/* Return a value of type counter_pointer_type that stands for the base of the
   shadow until place_base is called.  */
tree make_base (void);

/* Load the base of the shadow for all statements that use BASE.  */
void place_base (function *fun, tree base);

tree size_constant (HOST_WIDE_INT value);

/* Emit LEFT CODE RIGHT.  RIGHT of a shift is an integer constant.  */
tree emit_binary (counter_emitter *emitter, tree_code code, tree left,
		  tree right);

/* Convert VALUE, a gimple value of another type, to sizetype.  */
tree emit_to_size (counter_emitter *emitter, tree value);

/* Convert any expression VALUE to a sizetype value.  */
tree emit_value (counter_emitter *emitter, tree value);

/* Emit the address of ACCESS.  */
tree emit_address (counter_emitter *emitter, const heap_access &access);

/* Add WEIGHT to the counter of the granule of ADDRESS, and for histograms also
   to the counter of the 8 bytes.  */
void emit_increment (counter_emitter *emitter, tree address, tree weight);

/* Add WEIGHT to only one of these counters, that of the granule FURTHER
   granules after that of ADDRESS, or that of the 8 bytes.  */
void emit_granule_increment (counter_emitter *emitter, tree address,
			     unsigned further, tree weight);
void emit_histogram_increment (counter_emitter *emitter, tree address,
			       tree weight);

/* Add WEIGHT to the counters of ADDRESS.  If WEIGHT is 0, ADDRESS may be any
   value.  */
void emit_increment_if_any (counter_emitter *emitter, tree address,
			    tree weight);

/* True if accesses that are less than a granule apart, and so in at most two
   granules, may count in either, if both get a count.  */
bool may_count_in_neighbour_p (void);

/* Insert the emitted statements before STATEMENT.  */
void emit_before (counter_emitter *emitter, gimple *statement);

/* Insert them after STATEMENT, which does not end its block.  */
void emit_after (counter_emitter *emitter, gimple *statement);

/* Insert them at the start of BLOCK, or on the edge WHERE.  */
void emit_at_start (counter_emitter *emitter, basic_block block);
void emit_on_edge (counter_emitter *emitter, edge where);

/* Split the block of STATEMENT before it and return the new edge.  */
edge edge_before (gimple *statement);

/* Return VALUE, by an empty asm, as one of which the compiler knows nothing.
   Tests must be of such a value if it comes from the program's variables:
   otherwise the compiler would infer their ranges in the branches, make copies
   of the program's code for them, and warn about what can only happen in those:
   that memcpy (&byte, p, n) writes 64 bytes where n was compared with 64.  */
tree emit_opaque (counter_emitter *emitter, tree value);

/* Make the blocks of "if (CONDITION) ...; else ..."  on the edge WHERE, where
   CONDITION is LEFT CODE RIGHT, computed by the statements in EMITTER.  Store
   the blocks for the two cases in *THEN and *OTHERWISE.  */
void emit_branches (counter_emitter *emitter, edge where, tree_code code,
		    tree left, tree right, basic_block *then,
		    basic_block *otherwise);

#endif /* HEAPPROF_COUNTER_EMIT_H */
