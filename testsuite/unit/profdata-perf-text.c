/* Unit tests of reading the text of recordings fast.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "branch-text.h"
#include "hex-number.h"
#include "perf-progress.h"
#include "perf-recording.h"
#include "unit-main.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t
next_random (void)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state ^ state >> 29;
}

/* ---- Numbers.  */

/* Every character that may follow, and every length.  */
START_TEST (numbers_end_at_other_characters)
{
  for (unsigned int digits = 1; digits <= 16; digits++)
    for (unsigned int next = 0; next < 256; next++)
      {
	char text[40];
	uint64_t number = next_random () >> (64 - 4 * digits);
	uint64_t value = 0;
	int bytes = snprintf (text, sizeof text,
			      next % 2 == 0 ? "%0*" PRIx64 : "0x%0*" PRIX64,
			      (int) digits, number);
	const char *at = text;
	text[bytes] = (char) next;
	text[bytes + 1] = '7';
	bool is_digit
	  = strchr ("0123456789abcdefABCDEF", (int) next) != NULL && next != 0;
	if (is_digit)
	  continue;
	/* There may be more text, or not.  */
	ck_assert (hex_number_take (&at, text + bytes + next % 3 * 10, &value));
	ck_assert_uint_eq (value, number);
	ck_assert_ptr_eq (at, text + bytes);
      }
}
END_TEST

static bool
is_number (const char *text, uint64_t expected)
{
  const char *at = text;
  uint64_t value;
  return hex_number_take (&at, text + strlen (text), &value)
	 && value == expected;
}

START_TEST (numbers_have_limits)
{
  const char *at = "g";
  uint64_t value;
  ck_assert (is_number ("ffffffffffffffff", UINT64_MAX));
  ck_assert (is_number ("0x0000000000000000000ffffffffffffffff", UINT64_MAX));
  ck_assert (is_number ("0000000000000000000012", 0x12));
  ck_assert (is_number ("0", 0));
  ck_assert (!is_number ("0xg", 0));
  ck_assert (is_number ("0x", 0));
  ck_assert (!is_number ("", 0));
  ck_assert (!is_number ("10000000000000000", 0));
  ck_assert (!is_number ("123456789abcdef01", 0));
  ck_assert (!is_number ("fffffffffffffffff", 0));
  ck_assert (!hex_number_take (&at, at + 1, &value));
  ck_assert_int_eq (*at, 'g');
}
END_TEST

/* ---- Branches.  */

#define LINES 4000
#define DEPTH 32

/* A branch, and whether it happened, that depends on NUMBER only.  */
static struct perf_branch
make_branch (uint64_t number, bool *has_happened)
{
  uint64_t mixed = (number + 1) * UINT64_C (0xd1342543de82ef95);
  unsigned int shift = mixed % 5 == 0 ? 16 : 40; /* long and short addresses */
  *has_happened = number % 7 != 0;
  return (struct perf_branch){ mixed >> shift, (mixed ^ number) >> shift,
			       number % 3 };
}

static int
print_branch (char *text, size_t size, uint64_t number)
{
  static const char *const flags[] = { "-/-/-/1/", "M/-/-/12/", "P/X/A/0" };
  bool has_happened;
  struct perf_branch branch = make_branch (number, &has_happened);
  return snprintf (text, size, "%#" PRIx64 "/%#" PRIx64 "/%s%s", branch.from,
		   branch.to, flags[branch.flags],
		   !has_happened      ? "/COND/SPEC_WRONG_PATH"
		   : number % 11 == 0 ? "/COND/SPEC_CORRECT_PATH"
				      : "");
}

/* Branches that are seen again and again, more than are remembered, and some
   that others are the beginning of.  */
START_TEST (branches_are_read_again)
{
  struct branch_texts *texts = calloc (1, sizeof *texts);
  ck_assert_ptr_nonnull (texts);
  ck_assert (branch_texts_init (texts, SIZE_MAX));
  for (unsigned int i = 0; i < LINES; i++)
    {
      char text[DEPTH * 100];
      size_t used = 0;
      size_t expected = 0;
      size_t count;
      uint64_t numbers[DEPTH];
      struct perf_branch branches[DEPTH];
      for (unsigned int k = 0; k < DEPTH; k++)
	{
	  numbers[k] = next_random () >> 20;
	  numbers[k] %= k % 2 == 0 ? 500 : 100000;
	  used += (size_t) print_branch (text + used, sizeof text - used,
					 numbers[k]);
	  used += (size_t) snprintf (text + used, sizeof text - used, "%s",
				     k + 1 == DEPTH ? ""
				     : k % 5	    ? " "
						    : " \t ");
	}
      const char *end = text + used;
      text[used] = '\n';
      ck_assert (branch_texts_take (texts, text, end,
				    i % 2 == 0 ? end : text + sizeof text,
				    branches, DEPTH, &count));
      for (unsigned int k = 0; k < DEPTH; k++)
	{
	  bool has_happened;
	  struct perf_branch branch = make_branch (numbers[k], &has_happened);
	  if (!has_happened)
	    continue;
	  ck_assert_uint_lt (expected, count);
	  ck_assert_mem_eq (&branches[expected], &branch, sizeof branch);
	  expected++;
	}
      ck_assert_uint_eq (count, expected);
    }
  branch_texts_free (texts);
  free (texts);
}
END_TEST

/* ---- Mappings alone.  */

static bool
add_order (void *closure, const struct perf_mapping *mapping,
	   struct profile_error *err)
{
  uint64_t *sum = closure;
  (void) err;
  *sum = *sum * 31 + mapping->order;
  return true;
}

static bool
ignore_sample (void *closure, const struct perf_sample *sample,
	       struct profile_error *err)
{
  (void) closure;
  (void) sample;
  (void) err;
  return true;
}

/* Return a number that depends on all mappings in the SIZE bytes of text at
   DATA.  */
static uint64_t
sum_mappings (const char *data, size_t size, bool has_samples)
{
  struct profile_error err;
  uint64_t sum = 0;
  const struct perf_handler handler
    = { .closure = &sum,
	.mapping = add_order,
	.sample = has_samples ? ignore_sample : NULL };
  struct perf_recording *recording
    = perf_recording_of_memory ("memory", data, size, PERF_FORM_SCRIPT, &err);
  ck_assert_ptr_nonnull (recording);
  ck_assert (perf_recording_read (recording, &handler, &err));
  perf_recording_close (recording);
  return sum;
}

static size_t
add_text (char *text, size_t used, const char *more)
{
  size_t bytes = strlen (more);
  memcpy (text + used, more, bytes);
  return used + bytes;
}

/* Samples are passed over, piece by piece, if only mappings are wanted: there
   is a mapping at the end of each piece, and across it.  */
START_TEST (mappings_among_samples_are_found)
{
  static const char mapping[]
    = "PERF_RECORD_MMAP2 7/7: [0x1000(0x10) @ 0 fe:00 1 0]: r-xp /x\n";
  static const char sample[] = "\t4010\n 0x1/0x2/P/-/-/1/\n";
  char *text = malloc (3 * PERF_PROGRESS_BYTES);
  ck_assert_ptr_nonnull (text);
  for (unsigned int before = 0; before < 16; before++)
    {
      size_t used = add_text (text, 0, sample);
      for (unsigned int piece = 0; piece < 2; piece++)
	{
	  size_t end = used + PERF_PROGRESS_BYTES - before;
	  while (used + sizeof sample < end)
	    used = add_text (text, used, sample);
	  while (used < end)
	    used = add_text (text, used, "\n");
	  used = add_text (text, used, mapping);
	}
      uint64_t sum = sum_mappings (text, used, false);
      ck_assert_uint_ne (sum, 0);
      ck_assert_uint_eq (sum, sum_mappings (text, used, true));
    }
  free (text);
}
END_TEST

UNIT_MAIN ("perf-text", numbers_end_at_other_characters, numbers_have_limits,
	   branches_are_read_again, mappings_among_samples_are_found)
