/* Unit tests of context tokens: which calls have one, and which contexts they
   decide.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-lookup.h"
#include "indexed-profile.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_CONTEXTS 500
#define MOST_FRAMES 8

static const char path[] = "stack-tokens.profdata";
static struct profile_error err;

static struct heap_profile *
new_profile (void)
{
  struct heap_profile *profile = heap_profile_new ();
  struct heap_totals *totals = heap_profile_totals (profile);
  totals->runs = 1;
  totals->duration_ns = UINT64_C (10000000000);
  return profile;
}

/* Return the context of the call at LINE of GUID, called from CALLER.  A LINE
   of 0 is unknown.  */
static uint32_t
add_call (struct heap_profile *profile, uint32_t caller, uint64_t guid,
	  uint32_t line)
{
  const struct heap_frame frame = { .function_guid = guid,
				    .line_offset = line,
				    .column = line == 0 ? 0 : 3 };
  return heap_profile_add_context (profile, caller,
				   heap_profile_add_frame (profile, &frame));
}

/* Let CONTEXT allocate BYTES, which live through half of the run and are
   accessed ACCESSES times.  */
static void
add_living (struct heap_profile *profile, uint32_t context, uint64_t bytes,
	    uint64_t accesses, uint64_t ns)
{
  const struct memory_info info = { .alloc_count = 1,
				    .access_count.total = accesses,
				    .size_bytes.total = bytes,
				    .lifetime_ns = { ns, ns, ns } };
  ck_assert (heap_profile_add_info (profile, context, &info));
}

static void
add_blocks (struct heap_profile *profile, uint32_t context, uint64_t bytes,
	    uint64_t accesses)
{
  add_living (profile, context, bytes, accesses, UINT64_C (5000000000));
}

static void
add_temporary (struct heap_profile *profile, uint32_t context, uint64_t bytes,
	       uint64_t accesses)
{
  add_living (profile, context, bytes, accesses, 1000);
}

static struct heap_lookup *
write_and_open (struct heap_profile *profile)
{
  const struct profile whole = { .heap = profile };
  const struct indexed_profile_options options
    = { .full_schema = true, .keep_columns = true };
  ck_assert_msg (indexed_profile_write (path, &whole, &options, &err), "%s",
		 err.cause);
  struct heap_lookup *lookup = heap_lookup_open (path, &err);
  ck_assert_msg (lookup != NULL, "%s", err.cause);
  heap_profile_free (profile);
  return lookup;
}

static enum placement_class
token_at (const struct heap_lookup *lookup, uint64_t guid, uint32_t line)
{
  const struct heap_lookup_frame frame
    = { .function = guid, .line_offset = line, .column = 3 };
  return heap_lookup_token (lookup, &frame);
}

/* ---- By hand.  */

enum
{
  MAIN = 1,
  KEEP,
  WORK,
  XMALLOC
};

/* The callers of a wrapper differ.  */
START_TEST (callers_of_a_wrapper)
{
  struct heap_profile *profile = new_profile ();
  const uint32_t start = add_call (profile, 0, MAIN, 7);
  uint32_t call = add_call (profile, start, KEEP, 1);
  add_blocks (profile, add_call (profile, call, XMALLOC, 1), 5000, 1);
  call = add_call (profile, start, WORK, 2);
  add_blocks (profile, add_call (profile, call, XMALLOC, 1), 100, 10000);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_int_eq (token_at (lookup, KEEP, 1), PLACEMENT_COLD);
  ck_assert_int_eq (token_at (lookup, WORK, 2), PLACEMENT_HOT);
  ck_assert_int_eq (token_at (lookup, MAIN, 7), PLACEMENT_UNKNOWN);
  ck_assert_int_eq (token_at (lookup, XMALLOC, 1), PLACEMENT_UNKNOWN);
  heap_lookup_close (lookup);
  unlink (path);
}
END_TEST

/* If the contexts of an allocation agree, its own call has the token, unless it
   is where no compiler can reach it: then the innermost call with a place.  */
START_TEST (allocation_without_a_place)
{
  struct heap_profile *profile = new_profile ();
  const uint32_t start = add_call (profile, 0, MAIN, 7);
  uint32_t call = add_call (profile, start, KEEP, 1);
  add_blocks (profile, add_call (profile, call, XMALLOC, _i), 5000, 1);
  add_blocks (profile, add_call (profile, start, WORK, 1), 100, 10000);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_int_eq (token_at (lookup, KEEP, 1),
		    _i == 0 ? PLACEMENT_COLD : PLACEMENT_UNKNOWN);
  ck_assert_int_eq (token_at (lookup, XMALLOC, 1),
		    _i == 0 ? PLACEMENT_UNKNOWN : PLACEMENT_COLD);
  ck_assert_int_eq (token_at (lookup, WORK, 1), PLACEMENT_HOT);
  heap_lookup_close (lookup);
  unlink (path);
}
END_TEST

/* main calls work, whose blocks are cold there, but for what it allocates
   through strdup.  Temporary ones need a token of their own there, but not
   where main calls work for hot blocks.  Small ones belong with hot blocks
   then, as without a token; large ones do not.  */
START_TEST (inside_another_token)
{
  struct heap_profile *profile = new_profile ();
  const uint32_t start = add_call (profile, 0, MAIN, 7);
  const uint32_t other = add_call (profile, 0, MAIN, 8);
  const uint32_t keep = add_call (profile, start, WORK, 2);
  const uint32_t work = add_call (profile, other, WORK, 2);
  const uint32_t copy = add_call (profile, start, WORK, 4);
  const uint32_t lone = add_call (profile, other, WORK, 6);
  add_blocks (profile, add_call (profile, keep, XMALLOC, 1), 1000, 1);
  add_blocks (profile, add_call (profile, work, XMALLOC, 1), 1000, 100000);
  add_temporary (profile, add_call (profile, copy, XMALLOC, 1),
		 _i == 0 ? 4095 : 4097, 10);
  add_temporary (profile, add_call (profile, lone, XMALLOC, 1), 1000, 10);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_int_eq (token_at (lookup, MAIN, 7), PLACEMENT_COLD);
  ck_assert_int_eq (token_at (lookup, MAIN, 8), PLACEMENT_HOT);
  ck_assert_int_eq (token_at (lookup, WORK, 2), PLACEMENT_UNKNOWN);
  ck_assert_int_eq (token_at (lookup, WORK, 4),
		    _i == 0 ? PLACEMENT_HOT : PLACEMENT_TEMPORARY);
  ck_assert_int_eq (token_at (lookup, WORK, 6), PLACEMENT_UNKNOWN);
  heap_lookup_close (lookup);
  unlink (path);
}
END_TEST

/* Warm blocks are placed like hot ones.  */
START_TEST (warm_blocks)
{
  struct heap_profile *profile = new_profile ();
  const uint32_t start = add_call (profile, 0, MAIN, 7);
  for (uint32_t i = 0; i < 3; i++)
    add_blocks (profile,
		add_call (profile, add_call (profile, start, WORK, i + 1),
			  XMALLOC, 1),
		1000,
		i == 0	 ? 100000
		: i == 1 ? 4000
			 : 1);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_int_eq (token_at (lookup, WORK, 1), PLACEMENT_HOT);
  ck_assert_int_eq (token_at (lookup, WORK, 2), PLACEMENT_HOT);
  ck_assert_int_eq (token_at (lookup, WORK, 3), PLACEMENT_COLD);
  heap_lookup_close (lookup);
  unlink (path);
}
END_TEST

/* A call that decides about almost nothing gets no token, and its contexts are
   not decided.  */
START_TEST (light_calls)
{
  struct heap_profile *profile = new_profile ();
  const uint32_t start = add_call (profile, 0, MAIN, 7);
  static const struct
  {
    uint64_t bytes;
    uint64_t accesses;
  } blocks[] = { { 1000, 100000 }, { 9, 900 }, { 1000, 4000 },
		 { 10000, 1 },	   { 200, 0 }, { 90, 0 } };
  for (uint32_t i = 0; i < 6; i++)
    add_blocks (profile,
		add_call (profile, add_call (profile, start, WORK, i + 1),
			  XMALLOC, 1),
		blocks[i].bytes, blocks[i].accesses);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_int_eq (token_at (lookup, WORK, 1), PLACEMENT_HOT);
  ck_assert_int_eq (token_at (lookup, WORK, 2), PLACEMENT_UNKNOWN);
  ck_assert_int_eq (token_at (lookup, WORK, 3), PLACEMENT_HOT);
  ck_assert_int_eq (token_at (lookup, WORK, 4), PLACEMENT_COLD);
  ck_assert_int_eq (token_at (lookup, WORK, 5), PLACEMENT_COLD);
  ck_assert_int_eq (token_at (lookup, WORK, 6), PLACEMENT_UNKNOWN);
  heap_lookup_close (lookup);
  unlink (path);
}
END_TEST

/* Temporary blocks may be where hot and other ones are, but not where cold ones
   are.  */
START_TEST (temporary_blocks)
{
  struct heap_profile *profile = new_profile ();
  const uint32_t start = add_call (profile, 0, MAIN, 7);
  uint32_t calls[5];
  for (uint32_t i = 0; i < 5; i++)
    calls[i]
      = add_call (profile,
		  add_call (profile, add_call (profile, start, WORK, i + 1),
			    KEEP, i < 2 ? 1 : i + 1),
		  XMALLOC, 1);
  add_blocks (profile, calls[0], 1000, 100000);
  add_temporary (profile, calls[1], 500, 10);
  add_blocks (profile, calls[2], 100000, 1);
  add_temporary (profile, calls[3], 500, 10);
  add_blocks (profile, calls[4], 1000, 4000);
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_int_eq (token_at (lookup, KEEP, 1), PLACEMENT_HOT);
  ck_assert_int_eq (token_at (lookup, WORK, 1), PLACEMENT_UNKNOWN);
  ck_assert_int_eq (token_at (lookup, KEEP, 3), PLACEMENT_COLD);
  ck_assert_int_eq (token_at (lookup, KEEP, 4), PLACEMENT_UNKNOWN);
  ck_assert_int_eq (token_at (lookup, KEEP, 5), PLACEMENT_HOT);
  heap_lookup_close (lookup);
  unlink (path);
}
END_TEST

/* Blocks of several kinds come through one call, as on a line without columns.
   Temporary ones must not be cold, and agree there; but a token for them would
   keep the others from those of outer calls.  It remains only if they matter
   less, because there are more of them elsewhere.  */
START_TEST (token_in_the_way)
{
  struct heap_profile *profile = new_profile ();
  const uint32_t cold
    = add_call (profile, add_call (profile, 0, MAIN, 7), WORK, 1);
  const uint32_t hot
    = add_call (profile, add_call (profile, 0, MAIN, 8), WORK, 1);
  add_blocks (profile, add_call (profile, cold, XMALLOC, 1), 5000, 1);
  add_blocks (profile, add_call (profile, hot, XMALLOC, 1), 100, 100000);
  const uint32_t callers[] = { cold, hot };
  for (int i = 0; i < 2; i++)
    add_temporary (profile,
		   add_call (profile, add_call (profile, callers[i], KEEP, 0),
			     XMALLOC, 1),
		   50, 10);
  if (_i == 1)
    {
      add_blocks (profile, add_call (profile, 0, MAIN, 9), 1000, 900000);
      add_blocks (profile, add_call (profile, 0, MAIN, 10), 45000, 1);
    }
  struct heap_lookup *lookup = write_and_open (profile);
  ck_assert_int_eq (token_at (lookup, WORK, 1),
		    _i == 0 ? PLACEMENT_UNKNOWN : PLACEMENT_HOT);
  ck_assert_int_eq (token_at (lookup, MAIN, 7), PLACEMENT_COLD);
  ck_assert_int_eq (token_at (lookup, MAIN, 8), PLACEMENT_HOT);
  heap_lookup_close (lookup);
  unlink (path);
}
END_TEST

/* ---- Random profiles, against a search of all pairs of contexts.  */

struct context
{
  struct heap_lookup_frame frames[MOST_FRAMES];
  size_t count;
  uint64_t bytes;
  double weight; /* accesses if hot; bytes if temporary, which all live as long;
		    bytes times their lifetime */
  enum placement_class kind; /* PLACEMENT_HOT stands for warm, too */
  bool by_token;
  size_t place; /* of the frame that decides; COUNT: none */
};

struct contexts
{
  struct context all[MOST_CONTEXTS];
  size_t count;
};

/* Functions call those with smaller numbers.  Some calls have no place.  */
static struct heap_profile *
random_profile (unsigned int seed)
{
  static const uint64_t accesses[] = { 0, 1, 20, 3000, 3100, 100000 };
  struct heap_profile *profile = new_profile ();
  srand (seed);
  for (int i = 0; i < 200; i++)
    {
      uint32_t context = 0;
      const uint64_t top = 4 + (uint64_t) rand () % (MOST_FRAMES - 3);
      for (uint64_t guid = top; guid > 0;
	   guid -= 1 + (guid > 2 && rand () % 3 == 0))
	context
	  = add_call (profile, context, guid,
		      guid == 2 && seed % 2 == 0 ? 0
						 : 1 + (uint32_t) rand () % 2);
      if (heap_profile_info (profile, context) != NULL)
	continue;
      /* One after the other, so that each compiler makes the same profile.  */
      const bool is_temporary = rand () % 4 == 0;
      const uint64_t access_count = accesses[rand () % 6];
      const uint64_t blocks = 1 + (uint64_t) rand () % 1000;
      (is_temporary ? add_temporary : add_blocks) (profile, context, blocks,
						   access_count);
    }
  return profile;
}

static enum placement_class kind_of (enum placement_class class)
{
  ck_assert_int_ne (class, PLACEMENT_UNKNOWN);
  return class == PLACEMENT_WARM ? PLACEMENT_HOT : class;
}

/* True if a context of KIND may have TOKEN.  */
static bool
accepts (enum placement_class kind, enum placement_class token)
{
  return kind == PLACEMENT_TEMPORARY ? token != PLACEMENT_COLD : token == kind;
}

static void
find_all (struct contexts *contexts, struct heap_lookup *lookup)
{
  struct heap_lookup_record record;
  contexts->count = 0;
  ck_assert_int_eq (heap_lookup_find (lookup, 1, &record, &err), INDEXED_FOUND);
  for (size_t i = 0; i < record.allocation_count; i++)
    {
      const struct heap_lookup_allocation *from = &record.allocations[i];
      struct context *to = &contexts->all[contexts->count++];
      ck_assert_uint_le (from->stack.count, MOST_FRAMES);
      memcpy (to->frames, from->stack.frames,
	      from->stack.count * sizeof *to->frames);
      to->count = from->stack.count;
      to->bytes = from->info.size_bytes.total;
      to->kind
	= kind_of (heap_lookup_class (lookup, &from->stack, &to->by_token));
      to->weight = to->kind == PLACEMENT_HOT
		     ? (double) from->info.access_count.total
		   : to->kind == PLACEMENT_TEMPORARY
		     ? (double) from->info.size_bytes.total
		     : (double) from->info.size_bytes.total
			 * (double) from->info.lifetime_ns.total;
    }
}

static bool
same_call (const struct heap_lookup_frame *a, const struct heap_lookup_frame *b)
{
  return (a->function == b->function && a->line_offset == b->line_offset
	  && a->column == b->column);
}

/* Return how many frames A and B have in common, from the allocation on.  */
static size_t
common (const struct context *a, const struct context *b)
{
  size_t n = 0;
  while (n < a->count && n < b->count
	 && same_call (&a->frames[n], &b->frames[n]))
    n++;
  return n;
}

/* True if there is a token that all contexts with the frames of CONTEXT up to
   the one with index LAST accept.  */
static bool
agree_from (const struct contexts *contexts, const struct context *context,
	    size_t last)
{
  static const enum placement_class tokens[]
    = { PLACEMENT_HOT, PLACEMENT_TEMPORARY, PLACEMENT_COLD };
  bool agree = false;
  for (size_t i = 0; i < 3 && !agree; i++)
    {
      agree = true;
      for (size_t j = 0; j < contexts->count; j++)
	agree &= common (context, &contexts->all[j]) <= last
		 || accepts (contexts->all[j].kind, tokens[i]);
    }
  return agree;
}

static void
find_places (struct contexts *contexts)
{
  for (size_t i = 0; i < contexts->count; i++)
    {
      struct context *context = &contexts->all[i];
      context->place = 0;
      while (context->place < context->count
	     && !agree_from (contexts, context, context->place))
	context->place++;
      while (context->place < context->count
	     && context->frames[context->place].line_offset == 0)
	context->place++;
    }
}

/* Return the bytes of the contexts of KIND that are decided at FRAME.  */
static uint64_t
bytes_at (const struct contexts *contexts,
	  const struct heap_lookup_frame *frame, enum placement_class kind)
{
  uint64_t bytes = 0;
  for (size_t i = 0; i < contexts->count; i++)
    {
      const struct context *context = &contexts->all[i];
      if (context->place < context->count && context->kind == kind
	  && same_call (&context->frames[context->place], frame))
	bytes += context->bytes + 1;
    }
  return bytes;
}

/* Return the kind of the contexts with most bytes at FRAME.  */
static enum placement_class
majority_at (const struct contexts *contexts,
	     const struct heap_lookup_frame *frame)
{
  const uint64_t hot = bytes_at (contexts, frame, PLACEMENT_HOT);
  const uint64_t cold = bytes_at (contexts, frame, PLACEMENT_COLD);
  const uint64_t temporary = bytes_at (contexts, frame, PLACEMENT_TEMPORARY);
  if (hot > 0 && hot >= cold)
    return PLACEMENT_HOT;
  return cold > hot && cold > temporary ? PLACEMENT_COLD : PLACEMENT_TEMPORARY;
}

/* Tokens are those of majorities, but may be missing, or left to temporary
   blocks, which all are small and belong with hot ones.  */
static void
expect_majority (const struct contexts *contexts,
		 const struct heap_lookup_frame *frame,
		 enum placement_class token)
{
  const bool has_temporary
    = bytes_at (contexts, frame, PLACEMENT_TEMPORARY) > 0;
  ck_assert_int_ne (token, PLACEMENT_TEMPORARY);
  if (token != PLACEMENT_UNKNOWN && (token != PLACEMENT_HOT || !has_temporary))
    ck_assert_int_eq (token, majority_at (contexts, frame));
}

/* Return the kind that an ambiguous allocation finds in CONTEXT.  */
static enum placement_class
found_by (const struct heap_lookup *lookup, const struct context *context)
{
  for (size_t i = 1; i < context->count; i++)
    {
      const enum placement_class token
	= heap_lookup_token (lookup, &context->frames[i]);
      if (token != PLACEMENT_UNKNOWN)
	return token;
    }
  return PLACEMENT_TEMPORARY;
}

/* Return the kind that it would find if no token were dropped.  */
static enum placement_class
found_by_majority (const struct contexts *contexts,
		   const struct context *context)
{
  for (size_t i = 1; i < context->count; i++)
    {
      const struct heap_lookup_frame *frame = &context->frames[i];
      if (bytes_at (contexts, frame, PLACEMENT_HOT)
	    + bytes_at (contexts, frame, PLACEMENT_COLD)
	    + bytes_at (contexts, frame, PLACEMENT_TEMPORARY)
	  > 0)
	return majority_at (contexts, frame);
    }
  return PLACEMENT_TEMPORARY;
}

/* Dropping tokens costs at most a hundredth of the weight of hot and cold
   contexts each, where weights are shares of those of a kind.  */
static void
expect_placed (const struct contexts *contexts,
	       const struct heap_lookup *lookup)
{
  double all[PLACEMENT_CLASSES] = { 0 };
  double gain = 0;
  for (size_t i = 0; i < contexts->count; i++)
    all[contexts->all[i].kind] += contexts->all[i].weight;
  for (size_t i = 0; i < contexts->count; i++)
    {
      const struct context *context = &contexts->all[i];
      if (context->place > 0 && all[context->kind] > 0)
	gain
	  += (accepts (context->kind, found_by (lookup, context))
	      - accepts (context->kind, found_by_majority (contexts, context)))
	     * context->weight / all[context->kind];
    }
  ck_assert_double_ge (gain, -0.02);
}

static void
check_random (unsigned int seed)
{
  struct heap_lookup *lookup = write_and_open (random_profile (seed));
  struct contexts *contexts = malloc (sizeof *contexts);
  size_t decided = 0, undecided = 0;
  find_all (contexts, lookup);
  find_places (contexts);
  for (size_t i = 0; i < contexts->count; i++)
    {
      const struct context *context = &contexts->all[i];
      const bool has_place
	= context->place > 0 && context->place < context->count;
      for (size_t j = 0; j < context->count; j++)
	expect_majority (contexts, &context->frames[j],
			 heap_lookup_token (lookup, &context->frames[j]));
      ck_assert_int_eq (context->by_token,
			has_place
			  && accepts (context->kind,
				      found_by (lookup, context)));
      decided += context->by_token;
      undecided += !context->by_token && context->place > 0;
    }
  expect_placed (contexts, lookup);
  ck_assert_uint_gt (decided, 20);
  ck_assert_uint_gt (undecided, 0);
  heap_lookup_close (lookup);
  free (contexts);
  unlink (path);
}

#define SEEDS 300
#define TESTS 30

START_TEST (random_contexts)
{
  for (int seed = _i; seed < SEEDS; seed += TESTS)
    check_random ((unsigned int) seed);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("context tokens");
  TCase *by_hand = tcase_create ("by hand");
  TCase *random = tcase_create ("random");
  tcase_add_test (by_hand, callers_of_a_wrapper);
  tcase_add_loop_test (by_hand, allocation_without_a_place, 0, 2);
  tcase_add_loop_test (by_hand, inside_another_token, 0, 2);
  tcase_add_test (by_hand, warm_blocks);
  tcase_add_test (by_hand, light_calls);
  tcase_add_test (by_hand, temporary_blocks);
  tcase_add_loop_test (by_hand, token_in_the_way, 0, 2);
  tcase_add_loop_test (random, random_contexts, 0, TESTS);
  suite_add_tcase (suite, by_hand);
  suite_add_tcase (suite, random);
  return suite;
}

int
main (void)
{
  SRunner *runner = srunner_create (make_suite ());
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? 0 : 1;
}
