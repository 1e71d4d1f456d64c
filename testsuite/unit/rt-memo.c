/* Unit tests of the run-time library's memo of walks, on stacks made by hand.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "context.h"
#include "rt-unit.h"
#include "walker.h"
#include <string.h>

/* The stack grows down from its end.  A frame has FRAME_WORDS words: the saved
   frame pointer, the return address, and the function's locals.  */
#define FRAME_WORDS 6u
#define DEPTH 20u

static uintptr_t stack[FRAME_WORDS * DEPTH + 2];
static struct rt_walker walker;

static uintptr_t
at (unsigned word)
{
  return (uintptr_t) &stack[word];
}

/* Make the words that a walk from the innermost of DEPTH frames reads, and the
   walk that it finds; frame LEVEL, counted from the outermost, has the return
   address FIRST_PC + LEVEL.  Return the address of the innermost frame.  */

static uintptr_t
make_walk (unsigned depth, uintptr_t first_pc)
{
  struct rt_walk *const walk = &walker.walk;
  for (unsigned level = 0; level < depth; level++)
    {
      const unsigned word = FRAME_WORDS * (depth - 1 - level);
      struct rt_frame *const frame = &walk->frames[level];
      stack[word] = at (word + FRAME_WORDS);
      stack[word + 1] = first_pc + level;
      *frame = (struct rt_frame){ .pc = stack[word + 1],
				  .sp = at (word + 2),
				  .fp = stack[word],
				  .fp_slot = at (word + FRAME_WORDS) };
    }
  walk->depth = walk->known = depth;
  walk->generation = rt_context_generation ();
  return at (0);
}

static void
begin (void)
{
  memset (&walker, 0, sizeof walker);
  memset (stack, 0, sizeof stack);
  walker.stack_low = at (0);
  walker.stack_high = at (sizeof stack / sizeof stack[0]);
}

/* Look up the walk from FRAME; if it is not found, record that it leads to
   MIB.  */

static uint32_t
find_or_keep (uintptr_t frame, uint32_t mib)
{
  const uint32_t found = rt_memo_find (&walker, frame);
  if (found == 0)
    rt_memo_keep (&walker, frame, mib);
  return found;
}

START_TEST (kept_when_seen_twice)
{
  begin ();
  const uintptr_t frame = make_walk (DEPTH, 1000);
  ck_assert_uint_eq (find_or_keep (frame, 7), 0);
  ck_assert_uint_eq (find_or_keep (frame, 7), 0);
  ck_assert_uint_eq (rt_memo_find (&walker, frame), 7);
  ck_assert_uint_eq (rt_memo_find (&walker, frame + 8), 0);
}
END_TEST

START_TEST (any_changed_word_is_noticed)
{
  begin ();
  const uintptr_t frame = make_walk (DEPTH, 1000);
  find_or_keep (frame, 7);
  find_or_keep (frame, 7);
  for (unsigned word = 0; word < FRAME_WORDS * DEPTH; word++)
    {
      const bool is_read = word % FRAME_WORDS < 2;
      stack[word]++;
      ck_assert_uint_eq (rt_memo_find (&walker, frame), is_read ? 0 : 7);
      stack[word]--;
      ck_assert_uint_eq (rt_memo_find (&walker, frame), 7);
    }
}
END_TEST

/* Code without frame pointers: every other frame saves none, and one saves it
   away from its return address.  The innermost frames have frame pointers:
   where to look depends on them.  */

START_TEST (any_changed_word_is_noticed_without_frame_pointers)
{
  begin ();
  const uintptr_t frame = make_walk (DEPTH, 1000);
  bool is_read[FRAME_WORDS * DEPTH] = { false };
  for (unsigned level = 1; level < DEPTH - 1; level++)
    {
      const unsigned word = FRAME_WORDS * (DEPTH - level);
      const unsigned kept = level == DEPTH / 2 ? word + 3 : word;
      struct rt_frame *const inner = &walker.walk.frames[level];
      inner->fp_slot = level % 2 ? 0 : at (kept);
      if (level % 2 == 0)
	{
	  stack[kept] = inner[-1].fp;
	  is_read[kept] = true;
	}
    }
  is_read[0] = is_read[FRAME_WORDS] = true;
  for (unsigned level = 0; level < DEPTH; level++)
    is_read[FRAME_WORDS * level + 1] = true;
  find_or_keep (frame, 7);
  find_or_keep (frame, 7);
  for (unsigned word = 0; word < FRAME_WORDS * DEPTH; word++)
    {
      stack[word]++;
      ck_assert_uint_eq (rt_memo_find (&walker, frame), is_read[word] ? 0 : 7);
      stack[word]--;
      ck_assert_uint_eq (rt_memo_find (&walker, frame), 7);
    }
}
END_TEST

START_TEST (forgotten_with_the_contexts)
{
  begin ();
  const uintptr_t frame = make_walk (DEPTH, 1000);
  find_or_keep (frame, 7);
  find_or_keep (frame, 7);
  ck_assert_uint_eq (rt_memo_find (&walker, frame), 7);
  rt_context_invalidate_walks ();
  ck_assert_uint_eq (rt_memo_find (&walker, frame), 0);
  /* A walk of the previous generation is not kept.  */
  rt_memo_keep (&walker, frame, 7);
  rt_memo_keep (&walker, frame, 7);
  ck_assert_uint_eq (rt_memo_find (&walker, frame), 0);
}
END_TEST

START_TEST (only_on_the_own_stack)
{
  begin ();
  const uintptr_t frame = make_walk (DEPTH, 1000);
  find_or_keep (frame, 7);
  find_or_keep (frame, 7);
  walker.stack_low = frame + 8;
  ck_assert_uint_eq (rt_memo_find (&walker, frame), 0);
  walker.stack_low = frame;
  walker.stack_high = frame;
  ck_assert_uint_eq (rt_memo_find (&walker, frame), 0);
}
END_TEST

/* More walks than there is room for: those found are correct, and room is
   reused.  */

START_TEST (room_is_used_again)
{
  begin ();
  unsigned found = 0;
  for (unsigned round = 0; round < 40; round++)
    for (unsigned i = 0; i < 200; i++)
      {
	const unsigned depth = 2 + i % (DEPTH - 2);
	const uintptr_t first_pc = 1000 + 100 * (i + 50 * (round / 8));
	const uintptr_t frame = make_walk (depth, first_pc);
	const uint32_t mib = (uint32_t) first_pc;
	const uint32_t known = find_or_keep (frame, mib);
	ck_assert (known == 0 || known == mib);
	found += known != 0;
      }
  ck_assert_uint_gt (found, 1000);
}
END_TEST

/* If paths never repeat, the memo is suspended, but not forever.  */

START_TEST (rests_when_it_does_not_help)
{
  begin ();
  for (unsigned i = 0; i < 2000; i++)
    find_or_keep (make_walk (DEPTH, 1000 + 100 * i), 5);
  const uintptr_t frame = make_walk (DEPTH, 99);
  find_or_keep (frame, 7);
  find_or_keep (frame, 7);
  ck_assert_uint_eq (rt_memo_find (&walker, frame), 0);
  unsigned misses = 0;
  while (find_or_keep (frame, 7) == 0)
    ck_assert_uint_lt (++misses, 100000);
}
END_TEST

RT_UNIT_MAIN (kept_when_seen_twice, any_changed_word_is_noticed,
	      any_changed_word_is_noticed_without_frame_pointers,
	      forgotten_with_the_contexts, only_on_the_own_stack,
	      room_is_used_again, rests_when_it_does_not_help)
