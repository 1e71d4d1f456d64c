/* Accesses made by calls that the compiler knows.
   SPDX-License-Identifier: GPL-3.0-or-later

   Four families: memory operations of the C library, atomic operations,
   internal functions made by the vectorizer, and the target's built-ins for
   moves, masked moves, gathers and scatters.  The C library's functions on
   texts are in access-text.cc.  The first parameter of each function below is
   the list that accesses are added to.  */

#include "gcc-compat.h"
#include "heap-access.h"

/* The argument numbers of the destination, source and size of a memory
   operation; -1 if it has none.  */
struct memory_operation
{
  built_in_function code;
  const char *name;
  int destination;
  int source;
  int bytes;
};

static const memory_operation memory_operations[] = {
  { BUILT_IN_MEMCPY, "memcpy", 0, 1, 2 },
  { BUILT_IN_MEMCPY_CHK, "__memcpy_chk", 0, 1, 2 },
  { BUILT_IN_MEMMOVE, "memmove", 0, 1, 2 },
  { BUILT_IN_MEMMOVE_CHK, "__memmove_chk", 0, 1, 2 },
  { BUILT_IN_MEMPCPY, "mempcpy", 0, 1, 2 },
  { BUILT_IN_MEMPCPY_CHK, "__mempcpy_chk", 0, 1, 2 },
  { BUILT_IN_MEMSET, "memset", 0, -1, 2 },
  { BUILT_IN_MEMSET_CHK, "__memset_chk", 0, -1, 2 },
  { BUILT_IN_BCOPY, "bcopy", 1, 0, 2 },
  { BUILT_IN_BZERO, "bzero", 0, -1, 1 },
};

/* Return the operation that CALL performs, or NULL.  */
static const memory_operation *
find_memory_operation (const gcall *call)
{
  const memory_operation *found = NULL;

  for (const memory_operation &operation : memory_operations)
    if (library_call_p (call, operation.code, operation.name))
      found = &operation;
  if (!found || !argument_fits_p (call, found->destination, false)
      || !argument_fits_p (call, found->source, false)
      || !argument_fits_p (call, found->bytes, true))
    return NULL;
  return found;
}

static bool
record_memory_operation (function_accesses *accesses, gcall *call)
{
  const memory_operation *operation = find_memory_operation (call);

  if (!operation)
    return false;
  tree bytes = gimple_call_arg (call, operation->bytes);
  if (operation->source >= 0)
    record_range (accesses, call, ACCESS_LOAD,
		  gimple_call_arg (call, operation->source), bytes);
  record_range (accesses, call, ACCESS_STORE,
		gimple_call_arg (call, operation->destination), bytes);
  return true;
}

static void
record_pointer (function_accesses *accesses, gcall *call, access_kind kind,
		unsigned argument)
{
  tree pointer = gimple_call_arg (call, argument);

  if (POINTER_TYPE_P (TREE_TYPE (pointer)))
    record_access (accesses, make_access (call, kind, ACCESS_SINGLE, pointer));
}

/* The generic forms, for example __atomic_load (SIZE, OBJECT, RESULT, ORDER),
   take the object and up to two plain buffers of the same size.  LOADS and
   STORES are masks of the arguments that are buffers read and written.  */
static void
record_generic_atomic (function_accesses *accesses, gcall *call, unsigned loads,
		       unsigned stores)
{
  tree bytes = gimple_call_arg (call, 0);

  record_pointer (accesses, call, ACCESS_ATOMIC, 1);
  for (unsigned i = 2; i < gimple_call_num_args (call); i++)
    {
      if (loads & (1U << i))
	record_range (accesses, call, ACCESS_LOAD, gimple_call_arg (call, i),
		      bytes);
      if (stores & (1U << i))
	record_range (accesses, call, ACCESS_STORE, gimple_call_arg (call, i),
		      bytes);
    }
}

/* Every __sync_ and __atomic_ operation on memory counts once for the object.
   The expected value of a compare-and-swap is in memory too and counts as read;
   the write to it on failure does not count.  */
static bool
record_atomic (function_accesses *accesses, gcall *call)
{
  if (!gimple_call_builtin_p (call, BUILT_IN_NORMAL))
    return false;

  const built_in_function code = DECL_FUNCTION_CODE (gimple_call_fndecl (call));
  if (code < BUILT_IN_SYNC_FETCH_AND_ADD_N
      || code > BUILT_IN_ATOMIC_FETCH_OR_16)
    return false;
  switch (code)
    {
    case BUILT_IN_SYNC_SYNCHRONIZE:
      return true;
    case BUILT_IN_ATOMIC_LOAD:
      record_generic_atomic (accesses, call, 0, 1 << 2);
      return true;
    case BUILT_IN_ATOMIC_STORE:
      record_generic_atomic (accesses, call, 1 << 2, 0);
      return true;
    case BUILT_IN_ATOMIC_EXCHANGE:
      record_generic_atomic (accesses, call, 1 << 2, 1 << 3);
      return true;
    case BUILT_IN_ATOMIC_COMPARE_EXCHANGE:
      record_generic_atomic (accesses, call, 1 << 2 | 1 << 3, 0);
      return true;
    case BUILT_IN_ATOMIC_COMPARE_EXCHANGE_N:
    case BUILT_IN_ATOMIC_COMPARE_EXCHANGE_1:
    case BUILT_IN_ATOMIC_COMPARE_EXCHANGE_2:
    case BUILT_IN_ATOMIC_COMPARE_EXCHANGE_4:
    case BUILT_IN_ATOMIC_COMPARE_EXCHANGE_8:
    case BUILT_IN_ATOMIC_COMPARE_EXCHANGE_16:
      record_pointer (accesses, call, ACCESS_ATOMIC, 0);
      record_pointer (accesses, call, ACCESS_LOAD, 1);
      return true;
    default:
      record_pointer (accesses, call, ACCESS_ATOMIC, 0);
      return true;
    }
}

static unsigned
vector_lanes (tree vector)
{
  return constant_lower_bound (TYPE_VECTOR_SUBPARTS (TREE_TYPE (vector)));
}

/* Return the vector that the internal load or store CALL moves.  */
static tree
moved_vector (gcall *call, internal_fn function)
{
  int stored = internal_fn_stored_value_index (function);

  return stored >= 0 ? gimple_call_arg (call, stored) : gimple_call_lhs (call);
}

/* Record a gather or scatter of LANES at BASE + OFFSETS * SCALE, where OFFSETS
   is a vector.  MASK may be NULL.  */
static void
record_gather (function_accesses *accesses, gcall *call, access_kind kind,
	       tree base, tree offsets, tree scale, tree mask, unsigned lanes)
{
  heap_access access = make_access (call, kind, ACCESS_INDEXED, base);

  access.offsets = offsets;
  access.scale = scale;
  access.mask = mask;
  access.weight = lanes;
  record_access (accesses, access);
}

/* Record a masked or partial vector move by an internal function.  Its address
   is argument 0.  */
static void
record_partial_move (function_accesses *accesses, gcall *call,
		     internal_fn function, access_kind kind)
{
  const int mask = internal_fn_mask_index (function);
  const int length = compat_length_argument (function);
  const int bias = compat_length_bias_argument (function);
  heap_access access
    = make_access (call, kind, ACCESS_SINGLE, gimple_call_arg (call, 0));

  if (length >= 0)
    {
      access.shape = ACCESS_LENGTH;
      access.length = gimple_call_arg (call, length);
      if (bias >= 0)
	access.length_bias = gimple_call_arg (call, bias);
    }
  else if (mask >= 0)
    {
      access.shape = ACCESS_MASKED;
      access.mask = gimple_call_arg (call, mask);
      access.weight = vector_lanes (access.mask);
    }
  record_access (accesses, access);
}

/* Record that CALL computes with N_STORED + N_LOADED integers in memory, the
   first N_STORED of which are its results.  Numbers of bits are negative for
   signed integers.  */
static void
record_wide_integers (function_accesses *accesses, gcall *call,
		      unsigned n_stored, unsigned n_loaded)
{
  for (unsigned i = 0; i < n_stored + n_loaded; i++)
    {
      const HOST_WIDE_INT bits
	= tree_to_shwi (gimple_call_arg (call, 2 * i + 1));
      record_range (accesses, call, i < n_stored ? ACCESS_STORE : ACCESS_LOAD,
		    gimple_call_arg (call, 2 * i),
		    size_int (CEIL (absu_hwi (bits), BITS_PER_UNIT)));
    }
}

static void
record_internal_call (function_accesses *accesses, gcall *call)
{
  const internal_fn function = gimple_call_internal_fn (call);
  const access_kind kind
    = (internal_load_fn_p (function) ? ACCESS_LOAD : ACCESS_STORE);
  unsigned n_stored, n_loaded;

  if (compat_wide_integer_fn_p (function, &n_stored, &n_loaded))
    {
      record_wide_integers (accesses, call, n_stored, n_loaded);
      return;
    }
  if (compat_atomic_internal_fn_p (function))
    record_pointer (accesses, call, ACCESS_ATOMIC, 0);
  else if (!internal_load_fn_p (function) && !internal_store_fn_p (function))
    return;
  else if (internal_gather_scatter_fn_p (function))
    {
      const int mask = internal_fn_mask_index (function);
      const int offsets = compat_gather_offset_argument (function);
      tree offset_vector = gimple_call_arg (call, offsets);
      record_gather (accesses, call, kind, gimple_call_arg (call, 0),
		     offset_vector,
		     gimple_call_arg (call,
				      compat_gather_scale_argument (function)),
		     mask < 0 ? NULL_TREE : gimple_call_arg (call, mask),
		     vector_lanes (offset_vector));
    }
  else if (moved_vector (call, function))
    record_partial_move (accesses, call, function, kind);
}

static bool
is_vector (tree value)
{
  return VECTOR_TYPE_P (TREE_TYPE (value));
}

/* True if BASE can be that of a gather or scatter: a pointer, or an integer, to
   which the vectorizer of GCC 14 and later converts it.  */
static bool
gather_base_p (tree base)
{
  tree type = TREE_TYPE (base);

  return (POINTER_TYPE_P (type)
	  || (INTEGRAL_TYPE_P (type) && TYPE_PRECISION (type) == POINTER_SIZE));
}

/* __builtin_ia32_gather* (SOURCE, BASE, OFFSETS, MASK, SCALE).  The forms with
   "alt" in the name use the lower half of the wider vector.  */
static void
record_target_gather (function_accesses *accesses, gcall *call)
{
  if (gimple_call_num_args (call) != 5 || !is_vector (gimple_call_arg (call, 0))
      || !gather_base_p (gimple_call_arg (call, 1))
      || !is_vector (gimple_call_arg (call, 2)))
    return;
  tree offsets = gimple_call_arg (call, 2);
  record_gather (accesses, call, ACCESS_LOAD, gimple_call_arg (call, 1),
		 offsets, gimple_call_arg (call, 4), gimple_call_arg (call, 3),
		 MIN (vector_lanes (gimple_call_arg (call, 0)),
		      vector_lanes (offsets)));
}

/* __builtin_ia32_scatter* (BASE, MASK, OFFSETS, VALUES, SCALE).  */
static void
record_target_scatter (function_accesses *accesses, gcall *call)
{
  if (gimple_call_num_args (call) != 5
      || !gather_base_p (gimple_call_arg (call, 0))
      || !is_vector (gimple_call_arg (call, 2))
      || !is_vector (gimple_call_arg (call, 3)))
    return;
  tree offsets = gimple_call_arg (call, 2);
  record_gather (accesses, call, ACCESS_STORE, gimple_call_arg (call, 0),
		 offsets, gimple_call_arg (call, 4), gimple_call_arg (call, 1),
		 MIN (vector_lanes (gimple_call_arg (call, 3)),
		      vector_lanes (offsets)));
}

/* __builtin_ia32_maskload* (ADDRESS, MASK) and
   __builtin_ia32_maskstore* (ADDRESS, MASK, VALUES).  */
static void
record_target_masked (function_accesses *accesses, gcall *call,
		      access_kind kind)
{
  if (gimple_call_num_args (call) < 2
      || !POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, 0)))
      || !is_vector (gimple_call_arg (call, 1)))
    return;
  heap_access access
    = make_access (call, kind, ACCESS_MASKED, gimple_call_arg (call, 0));
  access.mask = gimple_call_arg (call, 1);
  access.weight = vector_lanes (access.mask);
  record_access (accesses, access);
}

/* Return how many accesses CALL counts as, which moves MOVED_TYPE to or from
   the address in its first argument.  The declared type of that parameter
   describes the memory, often only a part of the vector.  If it is char *,
   count one access per 8 bytes, because __m128i and similar types have lanes of
   8 bytes.  */
static unsigned
moved_weight (gcall *call, tree moved_type)
{
  tree parameters = TYPE_ARG_TYPES (TREE_TYPE (gimple_call_fndecl (call)));
  tree type = TREE_TYPE (TREE_VALUE (parameters));

  if (VECTOR_TYPE_P (type))
    return constant_lower_bound (TYPE_VECTOR_SUBPARTS (type));
  if (SCALAR_FLOAT_TYPE_P (type) || !VECTOR_TYPE_P (moved_type))
    return 1;
  return CEIL (tree_to_uhwi (TYPE_SIZE_UNIT (moved_type)), range_step_bytes);
}

/* Other moves to and from memory, recognized by their parameters:
     load (ADDRESS), store (ADDRESS, VALUE)	non-temporal, unaligned
     load_mask (ADDRESS, OTHER, MASK), store_mask (ADDRESS, VALUE, MASK)
   MASK has one bit per lane.  The only scalar store is movnti.  */
static void
record_target_move (function_accesses *accesses, gcall *call, const char *name)
{
  const unsigned n = gimple_call_num_args (call);
  tree type = gimple_call_return_type (call);
  const bool is_load = VECTOR_TYPE_P (type);

  if (n < 1 || n > 3 || !POINTER_TYPE_P (TREE_TYPE (gimple_call_arg (call, 0)))
      || (!is_load && !VOID_TYPE_P (type)))
    return;
  if (n > 1 && !is_load)
    type = TREE_TYPE (gimple_call_arg (call, 1));
  heap_access access = make_access (call, is_load ? ACCESS_LOAD : ACCESS_STORE,
				    ACCESS_SINGLE, gimple_call_arg (call, 0));
  if (n == 3 && VECTOR_TYPE_P (type) && strstr (name, "_mask")
      && INTEGRAL_TYPE_P (TREE_TYPE (gimple_call_arg (call, 2))))
    {
      access.shape = ACCESS_MASKED;
      access.mask = gimple_call_arg (call, 2);
      access.weight = constant_lower_bound (TYPE_VECTOR_SUBPARTS (type));
    }
  else if (n == (is_load ? 1 : 2)
	   && (VECTOR_TYPE_P (type) || strstr (name, "_movnti")))
    access.weight = moved_weight (call, type);
  else
    return;
  record_access (accesses, access);
}

/* Record the target's built-in CALL.  Only gathers and scatters may have
   arguments whose types differ from the declared ones: gather_base_p.  */
static void
record_target_call (function_accesses *accesses, gcall *call)
{
  const char *name = IDENTIFIER_POINTER (DECL_NAME (gimple_call_fndecl (call)));

  if (startswith (name, "__builtin_ia32_gather"))
    record_target_gather (accesses, call);
  else if (startswith (name, "__builtin_ia32_scatter"))
    record_target_scatter (accesses, call);
  else if (!gimple_call_builtin_p (call, BUILT_IN_MD))
    return;
  else if (startswith (name, "__builtin_ia32_maskload"))
    record_target_masked (accesses, call, ACCESS_LOAD);
  else if (startswith (name, "__builtin_ia32_maskstore"))
    record_target_masked (accesses, call, ACCESS_STORE);
  else if (startswith (name, "__builtin_ia32_"))
    record_target_move (accesses, call, name);
}

void
record_known_call (function_accesses *accesses, gcall *call)
{
  if (gimple_call_internal_p (call))
    record_internal_call (accesses, call);
  else if (compat_target_builtin_p (call))
    record_target_call (accesses, call);
  else if (!record_atomic (accesses, call)
	   && !record_memory_operation (accesses, call))
    record_text_call (accesses, call);
}
