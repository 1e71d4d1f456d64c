/* A heap access of the program, as the counting passes represent it.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is instrumented in these steps:

     access-walk.cc, access-calls.cc,  find the accesses of each statement that
     access-text.cc		       is not dead
     access-record.cc		       list them, unless access-place.cc finds
				       that they cannot be to the heap
     access-merge.cc		       merge those that share a counter
     access-loop.cc		       count outside of loops where possible
     merge-paths.cc		       merge along the paths between blocks
     merge-address.cc		       find the address that each update uses
     access-emit.cc		       emit the remaining counter updates

   access-count.cc contains the passes and runs these steps.  */

#ifndef HEAPPROF_HEAP_ACCESS_H
#define HEAPPROF_HEAP_ACCESS_H

/* How many accesses count, and at which addresses.  */
enum access_shape
{
  /* WEIGHT accesses at the address: a scalar, a complex number, a vector.  */
  ACCESS_SINGLE,
  /* ceil (BYTES / 8) accesses at the address, 8 bytes apart.  */
  ACCESS_RANGE,
  /* One access per active lane of MASK, all at the address.  */
  ACCESS_MASKED,
  /* LENGTH accesses at the address.  */
  ACCESS_LENGTH,
  /* One access for each active lane I of MASK, or for each lane if MASK is
     NULL, at the address + OFFSETS[I] * SCALE.  */
  ACCESS_INDEXED,
  /* Those of a library function on texts, which the run-time library counts:
     TEXT.  */
  ACCESS_TEXT
};

/* Bytes that one access of a memory operation covers, see abi.h.  */
static const unsigned range_step_bytes = 8;

enum access_kind
{
  ACCESS_LOAD,
  ACCESS_STORE,
  ACCESS_ATOMIC
};

/* Where an address may point to.  */
enum access_place
{
  /* The heap cannot be excluded.  */
  PLACE_HEAP,
  PLACE_STACK,
  PLACE_GLOBAL,
  /* Literals, code, integers as addresses, the constant pool.  */
  PLACE_CONSTANT,
  /* A named address space: such addresses have no counter.  */
  PLACE_OTHER_ADDRESS_SPACE,
  PLACE_LAST = PLACE_OTHER_ADDRESS_SPACE
};

/* A call of __heapprof_access_text, see abi.h.  */
struct text_access
{
  /* The texts, gimple values; B is NULL if there is one only.  */
  tree a;
  tree b;
  /* Gimple values; NULL: no limit, and a NUL.  */
  tree limit;
  tree stop;
  unsigned operation;
  /* Count after the statement, whose result A is.  */
  bool is_after;
};

struct heap_access
{
  /* The statement that makes the access; counters go before it, except those of
     texts that are its result.  */
  gimple *statement;
  access_kind kind;
  access_shape shape;
  /* The accessed memory: a memory reference, or if that is NULL, the memory
     that the gimple value POINTER points to.  */
  tree reference;
  tree pointer;
  /* ACCESS_SINGLE: how many accesses it counts as, including those merged into
     it.  ACCESS_MASKED and ACCESS_INDEXED: the number of lanes.  */
  unsigned weight;
  /* ACCESS_SINGLE: how many granules after that of the address the counter
     is.  */
  unsigned granules_further;
  /* Its place among the accesses of its block: see merge-address.cc.  */
  unsigned order;
  /* ACCESS_RANGE: the size in bytes, a gimple value.  */
  tree bytes;
  /* ACCESS_LENGTH: the number of active lanes, and a constant to be added to it
     or NULL.  */
  tree length;
  tree length_bias;
  /* ACCESS_MASKED, ACCESS_INDEXED.  */
  tree mask;
  tree offsets;
  tree scale;
  /* ACCESS_TEXT.  */
  text_access text;
};

/* The columns of the summary of a function.  */
enum access_column
{
  COLUMN_LOADS,
  COLUMN_STORES,
  COLUMN_ATOMICS,
  COLUMN_VECTORS,
  COLUMN_RANGES,
  COLUMN_MASKED,
  COLUMN_GATHERS,
  COLUMN_TEXTS,
  COLUMN_LAST = COLUMN_TEXTS
};

/* The accesses of a function and what was decided about them.  */
struct function_accesses
{
  auto_vec<heap_access> heap;
  unsigned counted[COLUMN_LAST + 1];
  unsigned skipped[PLACE_LAST + 1];
  /* How many of the counted ones share another one's update.  */
  unsigned merged;
};

struct known_addresses;

/* Return the place that the memory reference REFERENCE is in.  */
access_place reference_place (tree reference);

/* Return the place that the gimple value POINTER points to.  */
access_place pointer_place (tree pointer);

/* Release the data that the functions above collected about the function.  */
void access_place_finish (void);

/* Add ACCESS to ACCESSES unless it cannot be to the heap.  Update the
   statistics and dump the decision.  */
void record_access (function_accesses *accesses, const heap_access &access);

/* Return an access for record_access with the fields that all shapes have.  */
heap_access make_access (gimple *statement, access_kind kind,
			 access_shape shape, tree pointer);

/* True if OPERAND of a statement is in memory.  */
bool memory_operand_p (tree operand);

/* Record the access of STATEMENT to the memory reference REFERENCE, unless it
   is not in memory.  */
void record_reference (function_accesses *accesses, gimple *statement,
		       access_kind kind, tree reference);

/* Record the ceil (BYTES / 8) accesses of a memory operation.  */
void record_range (function_accesses *accesses, gimple *statement,
		   access_kind kind, tree pointer, tree bytes);

/* Record the accesses that STATEMENT makes to texts.  */
void record_text (function_accesses *accesses, gimple *statement,
		  text_access text);

/* If CALL calls a library function on texts, or one that reads memory up to a
   certain byte, record its accesses and return true.  */
bool record_text_call (function_accesses *accesses, gcall *call);

/* True if CALL calls the external function that has CODE or, with -fno-builtin,
   NAME.  A function of that name that the program itself defines
   is instrumented, so it must not be counted here as well.  */
bool library_call_p (const gcall *call, built_in_function code,
		     const char *name);

/* True if ARGUMENT of CALL is -1, or exists and is a pointer, or an integer if
   IS_INTEGER.  */
bool argument_fits_p (const gcall *call, int argument, bool is_integer);

/* If CALL calls a function that the compiler knows (built-in, internal, or a
   built-in of the target), record the accesses that it makes through its
   arguments.  */
void record_known_call (function_accesses *accesses, gcall *call);

/* List all accesses of FUN.  */
void collect_accesses (function *fun, function_accesses *accesses);

/* Merge accesses in one block that share a granule and always happen together:
   the first one stays in ACCESSES with the weight of all.  */
void merge_accesses (function *fun, function_accesses *accesses);

/* Count accesses in loops outside of the loops where possible, and remove these
   from ACCESSES.  BASE is what make_base returned.  */
void count_loop_accesses (function *fun, function_accesses *accesses,
			  tree base);

/* Reduce the cost of the updates for accesses to the same window on the paths
   between blocks.  KNOWN are the addresses that updates can use, BASE is what
   make_base returned.  */
void merge_paths (function *fun, function_accesses *accesses,
		  const known_addresses &known, tree base);

/* Emit the counter updates for ACCESSES, each before its statement and with an
   address of KNOWN where possible.  BASE is what make_base returned.  */
void emit_counters (function_accesses *accesses, const known_addresses &known,
		    tree base);

/* Prefetch the counters of the addresses that FUN prefetches.  BASE is what
   make_base returned.  */
void prefetch_counters (function *fun, tree base);

/* Return the column of the summary that counts ACCESS.  */
access_column access_column_of (const heap_access &access);

#endif /* HEAPPROF_HEAP_ACCESS_H */
