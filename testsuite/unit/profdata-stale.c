/* Unit tests of fitting sample profiles to a changed program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "common-subsequence.h"
#include "plain-name.h"
#include "sample-forms.h"
#include "stale-samples.h"
#include "unit-main.h"
#include <stdlib.h>
#include <string.h>

/* Fail unless BEFORE fitted to SHAPE is EXPECTED.  Return the report, without
   its renames; RENAMES is "OLD>NEW " for each, "OLD>part NEW " for split and
   "OLD>into NEW " for merged functions.  */
static struct stale_samples_report
fit (const char *before, const char *shape, const char *expected,
     const char *renames)
{
  struct sample_profile *old = sample_of_text (before);
  struct sample_profile *new = sample_of_text (shape);
  struct stale_samples_report report;
  char found[1000] = "";
  ck_assert_msg (old != NULL && new != NULL, "%s", sample_error.cause);
  struct sample_profile *fitted
    = stale_samples_fit (old, new, &report, &sample_error);
  ck_assert_msg (fitted != NULL, "%s", sample_error.cause);
  for (size_t i = 0; i < report.rename_count; i++)
    {
      strcat (strcat (found, report.renames[i].before),
	      report.renames[i].kind == STALE_SPLIT    ? ">part "
	      : report.renames[i].kind == STALE_MERGED ? ">into "
						       : ">");
      strcat (strcat (found, report.renames[i].after), " ");
    }
  ck_assert_str_eq (found, renames);
  sample_expect_text (fitted, expected);
  struct stale_samples_report counts = report;
  stale_samples_report_release (&report);
  sample_profile_free (old);
  sample_profile_free (new);
  return counts;
}

/* A shape with more code than the profile has samples of.  */
#define WORK_SHAPE                                                             \
  "work:0:0\n"                                                                 \
  " 0: 0\n"                                                                    \
  " 1: 0 first:1\n"                                                            \
  " 2: 0\n"                                                                    \
  " 3: 0 second:1\n"                                                           \
  " 5: 0\n"                                                                    \
  " 7: 0 second:1\n"                                                           \
  " 8: 0\n"                                                                    \
  "first:0:0\n 1: 0\nsecond:0:0\n 1: 0\n"

START_TEST (what_is_the_same_stays)
{
  /* The later of two calls of a function, the earlier did not run.  */
  static const char profile[] = "work:30:1\n"
				" 2: 10\n"
				" 5: 10\n"
				" 7: 10 second:10\n"
				"second:7:7\n"
				" 1: 7\n";
  struct stale_samples_report report = fit (profile, WORK_SHAPE, profile, "");
  ck_assert_uint_eq (report.counts, 37);
  ck_assert_uint_eq (report.same, 37);
  ck_assert_uint_eq (report.matched, 37);
  ck_assert_uint_eq (report.functions, 2);
  ck_assert_uint_eq (report.changed, 0);
  ck_assert_uint_eq (report.gone, 0);
}
END_TEST

START_TEST (lines_move_with_calls)
{
  /* Two lines were inserted after the first call, one was removed after the
     second.  */
  struct stale_samples_report report = fit ("work:60:1\n"
					    " 1: 10 first:10\n"
					    " 2: 10\n"
					    " 4: 10\n"
					    " 5: 10 second:10\n"
					    " 7: 10\n"
					    " 8: 10 third:10\n",
					    "work:0:0\n"
					    " 1: 0 first:1\n"
					    " 2: 0\n"
					    " 3: 0\n"
					    " 6: 0\n"
					    " 7: 0 second:1\n"
					    " 8: 0\n"
					    " 9: 0 third:1\n",
					    "work:60:1\n"
					    " 1: 10 first:10\n"
					    " 2: 10\n"
					    " 6: 10\n"
					    " 7: 10 second:10\n"
					    " 8: 10\n"
					    " 9: 10 third:10\n",
					    "");
  ck_assert_uint_eq (report.matched, 60);
  ck_assert_uint_eq (report.same, 40);
  ck_assert_uint_eq (report.changed, 1);
}
END_TEST

START_TEST (lines_show_which_call_it_is)
{
  /* Four lines before the loop were removed.  The call behind the loop, of the
     same function, did not run.  By its own distance, line 10 could be 8.  */
  struct stale_samples_report report = fit ("work:60:1\n"
					    " 0: 1\n"
					    " 2: 1 leaf:1\n"
					    " 7: 10\n"
					    " 9: 10\n"
					    " 10: 10 leaf:10\n"
					    " 13: 1\n",
					    "work:0:0\n"
					    " 0: 0\n"
					    " 2: 0 leaf:1\n"
					    " 3: 0\n"
					    " 5: 0\n"
					    " 6: 0 leaf:1\n"
					    " 8: 0 leaf:1\n"
					    " 9: 0\n"
					    " 10: 0\n",
					    "work:60:1\n"
					    " 0: 1\n"
					    " 2: 1 leaf:1\n"
					    " 3: 10\n"
					    " 5: 10\n"
					    " 6: 10 leaf:10\n"
					    " 9: 1\n",
					    "");
  ck_assert_uint_eq (report.matched, 33);
}
END_TEST

START_TEST (virtual_tables_move)
{
  /* They may be at lines without a count.  */
  fit ("work:20:1\n"
       " 1: 10 first:10\n"
       " 3: 10 second:10\n"
       " 2: vtables _ZTV1a:7 _ZTV1b:3 \n",
       "work:0:0\n"
       " 1: 0 first:1\n"
       " 4: 0\n"
       " 5: 0 second:1\n",
       "work:20:1\n"
       " 1: 10 first:10\n"
       " 5: 10 second:10\n"
       " 4: vtables _ZTV1a:7 _ZTV1b:3 \n",
       "");
}
END_TEST

START_TEST (inlined_code_moves_alike)
{
  /* The inlined copy of the function changed as the function did, and its call
     moved.  Discriminators come from the shape's calls.  */
  fit ("work:30:1\n"
       " 2: leaf:30\n"
       "  1: 10 deep:10\n"
       "  2: 20 deep:20\n"
       "leaf:6:2\n"
       " 1: 2 deep:2\n"
       " 2: 4 deep:4\n",
       "work:0:0\n"
       " 4.3: leaf:0\n"
       "  1: 0 deep:1\n"
       "  5: 0 deep:1\n"
       "leaf:0:0\n"
       " 1: 0 deep:1\n"
       " 4: 0 other:1\n"
       " 5: 0 deep:1\n",
       "work:30:1\n"
       " 4.3: leaf:30\n"
       "  1: 10 deep:10\n"
       "  5: 20 deep:20\n"
       "leaf:6:2\n"
       " 1: 2 deep:2\n"
       " 5: 4 deep:4\n",
       "");
}
END_TEST

START_TEST (renamed_by_its_calls)
{
  /* Nothing but what it calls says that it is the same function.  */
  fit ("old:30:3\n"
       " 1: 10 a:10\n"
       " 2: 10 b:10\n"
       " 3: 10 c:10\n"
       "gone:5:5\n"
       " 1: 5\n",
       "fresh:0:0\n"
       " 1: 0 a:1\n"
       " 2: 0 b:1\n"
       " 4: 0 c:1\n",
       "fresh:30:3\n"
       " 1: 10 a:10\n"
       " 2: 10 b:10\n"
       " 4: 10 c:10\n"
       "gone:5:5\n"
       " 1: 5\n",
       "old>fresh ");
}
END_TEST

START_TEST (renamed_by_its_callers)
{
  fit ("main:20:1\n"
       " 1: 10 a:10\n"
       " 2: 10 leaf:10\n"
       "leaf:40:10\n"
       " 0: 10\n"
       " 1: 30\n",
       "main:0:0\n"
       " 1: 0 a:1\n"
       " 2: 0 petal:1\n"
       " 3: 0 b:1\n"
       "petal:0:0\n"
       " 0: 0\n"
       " 1: 0\n"
       "b:0:0\n"
       " 7: 0\n",
       "petal:40:10\n"
       " 0: 10\n"
       " 1: 30\n"
       "main:20:1\n"
       " 1: 10 a:10\n"
       " 2: 10 petal:10\n",
       "leaf>petal ");
}
END_TEST

/* Both look the same, and have the same caller: they are paired in its order,
   not in that of the profile.  */
START_TEST (renamed_in_order)
{
  fit ("two:30:10\n"
       " 0: 10\n"
       " 1: 20\n"
       "main:20:1\n"
       " 1: 10 one:10\n"
       " 2: 10 two:10\n"
       "one:15:5\n"
       " 0: 5\n"
       " 1: 10\n",
       "main:0:0\n"
       " 3: 0 eins:1\n"
       " 5: 0 zwei:1\n"
       "eins:0:0\n"
       " 0: 0\n"
       " 1: 0\n"
       "zwei:0:0\n"
       " 0: 0\n"
       " 1: 0\n",
       "zwei:30:10\n"
       " 0: 10\n"
       " 1: 20\n"
       "main:20:1\n"
       " 3: 10 eins:10\n"
       " 5: 10 zwei:10\n"
       "eins:15:5\n"
       " 0: 5\n"
       " 1: 10\n",
       "two>zwei one>eins ");
}
END_TEST

/* In a profile that has only calls, one call that moved to a new function,
   which is called in its place, is enough.  */
START_TEST (one_call_moves_out)
{
  struct sample_profile *old = sample_of_text ("work:3:1\n"
					       " 1: 1 first:1\n"
					       " 4: 1 second:1\n"
					       " 9: 1 third:1\n");
  struct sample_profile *new = sample_of_text ("work:0:0\n"
					       " 1: 0 first:1\n"
					       " 4: 0 fresh:1\n"
					       " 5: 0 third:1\n"
					       "fresh:0:0\n"
					       " 2: 0 second:1\n");
  struct stale_samples_report report;
  struct stale_place place;
  struct stale_fit *found = stale_fit_new (old, new, true, &report);
  ck_assert_ptr_nonnull (found);
  ck_assert_uint_eq (report.split, 1);
  ck_assert (stale_fit_find (found, sample_profile_function (old, 0)->name,
			     (struct sample_location){ 4, 0 }, &place));
  ck_assert_str_eq (sample_profile_name (new, place.name), "fresh");
  ck_assert_uint_eq (place.location.line, 2);
  ck_assert (place.is_called && place.has_code);
  ck_assert_uint_eq (place.call.line, 4);
  ck_assert (stale_fit_find (found, sample_profile_function (old, 0)->name,
			     (struct sample_location){ 9, 0 }, &place));
  ck_assert_uint_eq (place.location.line, 5);
  ck_assert (!place.is_called);
  stale_fit_free (found);
  stale_samples_report_release (&report);
  sample_profile_free (old);
  sample_profile_free (new);
}
END_TEST

/* The compiler numbered the code of some lines anew: in line 2, in the same
   order; in line 3, code that never ran has the first number; in line 4, two
   blocks are one, as frequent as the more frequent.  Line 5 has all its
   numbers, although there are more, and line 6 has a call whose partner is
   known.  */
START_TEST (numbered_anew)
{
  fit ("work:99:1\n"
       " 2: 1\n"
       " 2.2: 2\n"
       " 3.4: 4\n"
       " 3.6: 6\n"
       " 4: 7\n"
       " 4.1: 9\n"
       " 5.2: 3\n"
       " 6.1: 5 first:5\n"
       " 6.2: 8\n",
       "work:0:0\n"
       " 2.5: 0\n"
       " 2.7: 0\n"
       " 3.1: 0\n"
       " 3.4: 0\n"
       " 3.8: 0\n"
       " 4: 0\n"
       " 5.1: 0\n"
       " 5.2: 0\n"
       " 6.3: 0 first:1\n"
       " 6.4: 0\n",
       "work:99:1\n"
       " 2.5: 1\n"
       " 2.7: 2\n"
       " 3.4: 4\n"
       " 3.8: 6\n"
       " 4: 9\n"
       " 5.2: 3\n"
       " 6.3: 5 first:5\n"
       " 6.4: 8\n",
       "");
}
END_TEST

START_TEST (new_parameters)
{
  fit ("_Z4scanPKc:20:10\n 0: 10\n 3: 10\n",
       "_ZN3lib4scanEPKcm:0:0\n 0: 0\n 3: 0\n 4: 0\n",
       "_ZN3lib4scanEPKcm:20:10\n 0: 10\n 3: 10\n",
       "_Z4scanPKc>_ZN3lib4scanEPKcm ");
}
END_TEST

/* A function with calls around a loop, and the loop in a function of its own.
 */
#define WHOLE                                                                  \
  "work:0:0\n 1: 0 first:1\n 2: 0\n 3: 0\n 4: 0\n 5: 0 inner:1\n 6: 0\n"       \
  " 8: 0\n 9: 0 second:1\n"
#define SPLIT                                                                  \
  "work:0:0\n 1: 0 first:1\n 2: 0\n 3: 0 loop:1\n 5: 0\n 6: 0 second:1\n"
#define LOOP "loop:0:0\n 1: 0\n 2: 0\n 3: 0 inner:1\n 4: 0\n 6: 0\n"

static const char whole_profile[] = "work:240:1\n"
				    " 1: 1 first:1\n"
				    " 2: 1\n"
				    " 3: 2\n"
				    " 4: 77\n"
				    " 5: 78 inner:78\n"
				    " 6: 79\n"
				    " 8: 1\n"
				    " 9: 1 second:1\n";

START_TEST (split_functions)
{
  struct stale_samples_report report = fit (whole_profile, SPLIT LOOP,
					    "loop:236:2\n"
					    " 1: 2\n"
					    " 2: 77\n"
					    " 3: 78 inner:78\n"
					    " 4: 79\n"
					    "work:4:1\n"
					    " 1: 1 first:1\n"
					    " 2: 1\n"
					    " 3: 2 loop:2\n"
					    " 5: 1\n"
					    " 6: 1 second:1\n",
					    "work>part loop ");
  ck_assert_uint_eq (report.matched, 240);
  ck_assert_uint_eq (report.split, 1);
  ck_assert_uint_eq (report.merged, 0);
  /* Inlined everywhere: the counts stay inside.  */
  fit (whole_profile,
       "work:0:0\n 1: 0 first:1\n 2: 0\n 3: loop:0\n  1: 0\n  2: 0\n"
       "  3: 0 inner:1\n  4: 0\n  6: 0\n 5: 0\n 6: 0 second:1\n",
       "work:240:1\n"
       " 1: 1 first:1\n"
       " 2: 1\n"
       " 3: 2\n"
       " 5: 1\n"
       " 6: 1 second:1\n"
       " 3: loop:236\n"
       "  1: 2\n"
       "  2: 77\n"
       "  3: 78 inner:78\n"
       "  4: 79\n",
       "work>part loop ");
}
END_TEST

START_TEST (a_new_call_is_no_split)
{
  /* All old code is still there.  */
  fit (whole_profile,
       "work:0:0\n 1: 0 first:1\n 2: 0 loop:1\n 3: 0\n 4: 0\n 5: 0\n"
       " 6: 0 inner:1\n 7: 0\n 9: 0\n 10: 0 second:1\n" LOOP,
       "work:240:1\n"
       " 1: 1 first:1\n"
       " 3: 1\n"
       " 4: 2\n"
       " 5: 77\n"
       " 6: 78 inner:78\n"
       " 7: 79\n"
       " 9: 1\n"
       " 10: 1 second:1\n",
       "");
}
END_TEST

START_TEST (merged_functions)
{
  struct stale_samples_report report = fit ("loop:236:2\n"
					    " 1: 2\n"
					    " 2: 77\n"
					    " 3: 78 inner:78\n"
					    " 4: 79\n"
					    "work:6:1\n"
					    " 1: 1 first:1\n"
					    " 2: 1\n"
					    " 3: 2 loop:2\n"
					    " 5: 1\n"
					    " 6: 1 second:1\n",
					    WHOLE,
					    "work:242:1\n"
					    " 1: 1 first:1\n"
					    " 2: 1\n"
					    " 3: 2\n"
					    " 4: 77\n"
					    " 5: 78 inner:78\n"
					    " 6: 79\n"
					    " 8: 1\n"
					    " 9: 1 second:1\n",
					    "loop>into work ");
  ck_assert_uint_eq (report.merged, 1);
  ck_assert_uint_eq (report.gone, 0);
  /* An inlined copy.  */
  fit ("work:240:1\n"
       " 1: 1 first:1\n"
       " 6: 1 second:1\n"
       " 3: loop:236\n"
       "  1: 2\n"
       "  2: 77\n"
       "  3: 78 inner:78\n",
       WHOLE,
       "work:240:1\n"
       " 1: 1 first:1\n"
       " 3: 2\n"
       " 4: 77\n"
       " 5: 78 inner:78\n"
       " 9: 1 second:1\n",
       "loop>into work ");
}
END_TEST

START_TEST (merged_into_several_callers)
{
  /* In proportion to the calls.  */
  fit ("loop:80:8\n 1: 8\n 2: 40\n 3: 32 inner:32\n"
       "one:6:1\n 1: 1 first:1\n 2: 6 loop:6\n 3: 1 second:1\n"
       "two:2:1\n 1: 1 first:1\n 2: 2 loop:2\n 3: 1 second:1\n",
       "one:0:0\n 1: 0 first:1\n 2: 0\n 3: 0\n 4: 0 inner:1\n 5: 0 second:1\n"
       "two:0:0\n 1: 0 first:1\n 4: 0\n 5: 0\n 6: 0 inner:1\n 7: 0 second:1\n",
       "one:66:1\n 1: 1 first:1\n 2: 6\n 3: 30\n 4: 24 inner:24\n"
       " 5: 1 second:1\n"
       "two:22:1\n 1: 1 first:1\n 4: 2\n 5: 10\n 6: 8 inner:8\n"
       " 7: 1 second:1\n",
       "loop>into one loop>into two ");
}
END_TEST

START_TEST (too_little_alike)
{
  /* One call in common; functions without calls and few lines; a name that is
     alike, but nothing else.  */
  static const char profile[] = "one:10:1\n"
				" 1: 5 a:5\n"
				" 2: 5 b:5\n"
				"two:4:1\n"
				" 1: 4\n"
				"_Z3onev:3:1\n"
				" 9: 3\n";
  struct stale_samples_report report
    = fit (profile,
	   "first:0:0\n 1: 0 a:1\n 2: 0 c:1\nsecond:0:0\n 1: 0\n"
	   "_ZN1n3oneEv:0:0\n 1: 0\n 2: 0\n 3: 0\n",
	   profile, "");
  ck_assert_uint_eq (report.gone, 3);
  ck_assert_uint_eq (report.matched, 0);
}
END_TEST

START_TEST (probes_are_refused)
{
  struct sample_profile *profile = sample_of_text (sample_probes);
  struct sample_profile *shape = sample_profile_new ();
  struct stale_samples_report report;
  ck_assert_ptr_null (stale_samples_fit (profile, shape, &report,
					 &sample_error));
  ck_assert_str_eq (sample_error.cause,
		    "probe-based samples cannot be matched by lines");
  stale_samples_report_release (&report);
  sample_profile_free (profile);
  sample_profile_free (shape);
}
END_TEST

START_TEST (everything_else_is_kept)
{
  /* Contexts, virtual tables and attributes of a profile fitted to itself.  */
  const char *texts[] = { sample_nested, sample_contexts };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
      struct sample_profile *profile = sample_of_text (texts[i]);
      struct sample_profile *shape = sample_of_text (texts[i]);
      struct stale_samples_report report;
      struct sample_profile *fitted
	= stale_samples_fit (profile, shape, &report, &sample_error);
      ck_assert_msg (fitted != NULL, "%s", sample_error.cause);
      ck_assert_uint_eq (report.same, report.counts);
      char *text = sample_to_text (profile);
      sample_expect_text (fitted, text);
      free (text);
      stale_samples_report_release (&report);
      sample_profile_free (profile);
      sample_profile_free (shape);
    }
}
END_TEST

/* ---- Subsequences, compared with the best of all chains.  */

#define MOST_CALLS 24

static unsigned int
pair_score (const struct subsequence_call *a, const struct subsequence_call *b)
{
  return 4 + (a->discriminator == b->discriminator ? 1 : 0);
}

/* Return the score of the best of all chains.  */
static unsigned int
best_score (const struct subsequence_call *a, size_t n,
	    const struct subsequence_call *b, size_t m)
{
  unsigned int scores[MOST_CALLS][MOST_CALLS];
  unsigned int best = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++)
      {
	int shift = b[j].line - a[i].line;
	scores[i][j] = 0;
	if (a[i].name != b[j].name)
	  continue;
	unsigned int before = shift == 0 ? 2 : 0;
	for (size_t k = 0; k < i; k++)
	  for (size_t l = 0; l < j; l++)
	    if (scores[k][l] > 0)
	      {
		unsigned int sum
		  = scores[k][l] + (b[l].line - a[k].line == shift ? 2 : 0);
		if (sum > before)
		  before = sum;
	      }
	scores[i][j] = before + pair_score (&a[i], &b[j]);
	if (scores[i][j] > best)
	  best = scores[i][j];
      }
  return best;
}

/* Return the score of PARTNERS, which must be a common subsequence of LENGTH.
 */
static unsigned int
score_of (const struct subsequence_call *a, size_t n,
	  const struct subsequence_call *b, size_t m, const uint32_t *partners,
	  size_t length)
{
  unsigned int score = 0;
  size_t found = 0;
  int last_shift = 0;
  uint32_t last = SUBSEQUENCE_NONE;
  for (size_t i = 0; i < n; i++)
    {
      uint32_t partner = partners[i];
      if (partner == SUBSEQUENCE_NONE)
	continue;
      ck_assert_uint_lt (partner, m);
      ck_assert_uint_eq (a[i].name, b[partner].name);
      ck_assert (last == SUBSEQUENCE_NONE || partner > last);
      int shift = b[partner].line - a[i].line;
      score += pair_score (&a[i], &b[partner]) + (shift == last_shift ? 2 : 0);
      last = partner;
      last_shift = shift;
      found++;
    }
  ck_assert_uint_eq (found, length);
  return score;
}

static size_t
random_calls (struct subsequence_call *calls)
{
  size_t count = (size_t) rand () % (MOST_CALLS + 1);
  int line = 0;
  for (size_t i = 0; i < count; i++)
    {
      /* A line with several calls may hide the best chain.  */
      line += 1 + rand () % 2;
      calls[i] = (struct subsequence_call){ (uint32_t) rand () % 4, line,
					    (uint32_t) rand () % 2 };
    }
  return count;
}

START_TEST (subsequences_are_the_best)
{
  const struct moved_lines lines = { 0 };
  srand (1);
  for (int round = 0; round < 3000; round++)
    {
      struct subsequence_call a[MOST_CALLS];
      struct subsequence_call b[MOST_CALLS];
      uint32_t partners[MOST_CALLS + 1];
      size_t length;
      size_t n = random_calls (a);
      size_t m = random_calls (b);
      ck_assert (common_subsequence (a, n, b, m, &lines, partners, &length));
      ck_assert_uint_eq (score_of (a, n, b, m, partners, length),
			 best_score (a, n, b, m));
    }
}
END_TEST

START_TEST (the_nearest_of_equal_calls)
{
  /* A call moved by three lines; another one is behind it.  */
  const struct subsequence_call a[] = { { 0, 2, 0 }, { 0, 6, 0 } };
  const struct subsequence_call b[]
    = { { 0, 2, 0 }, { 0, 9, 0 }, { 0, 11, 0 } };
  /* The same, with one before it.  */
  const struct subsequence_call c[]
    = { { 0, 2, 0 }, { 0, 20, 0 }, { 0, 25, 0 } };
  const struct subsequence_call d[] = { { 0, 2, 0 }, { 0, 29, 0 } };
  const struct moved_lines lines = { 0 };
  uint32_t partners[3];
  size_t length;
  ck_assert (common_subsequence (a, 2, b, 3, &lines, partners, &length));
  ck_assert_uint_eq (length, 2);
  ck_assert_uint_eq (partners[1], 1);
  ck_assert (common_subsequence (c, 3, d, 2, &lines, partners, &length));
  ck_assert_uint_eq (length, 2);
  ck_assert_uint_eq (partners[1], SUBSEQUENCE_NONE);
  ck_assert_uint_eq (partners[2], 1);
}
END_TEST

START_TEST (lines_before_nearness)
{
  /* Of three calls of one function, the first is left, and the second or the
     third: it moved by 10 lines or by 5.  The lines around it tell which.  */
  const struct subsequence_call a[]
    = { { 0, 2, 0 }, { 0, 20, 0 }, { 0, 25, 0 } };
  const struct subsequence_call b[] = { { 0, 2, 0 }, { 0, 30, 0 } };
  int around_second[] = { 18, 20, 21, 23 };
  int around_third[] = { 23, 25, 26, 28 };
  bool after[] = { true, false, true, true, false, true };
  struct moved_lines lines = { around_second, 4, after, 6, 28 };
  uint32_t partners[3];
  size_t length;
  ck_assert (common_subsequence (a, 3, b, 2, &lines, partners, &length));
  ck_assert_uint_eq (length, 2);
  ck_assert_uint_eq (partners[1], 1);
  ck_assert_uint_eq (partners[2], SUBSEQUENCE_NONE);
  lines.before = around_third;
  ck_assert (common_subsequence (a, 3, b, 2, &lines, partners, &length));
  ck_assert_uint_eq (length, 2);
  ck_assert_uint_eq (partners[1], SUBSEQUENCE_NONE);
  ck_assert_uint_eq (partners[2], 1);
}
END_TEST

START_TEST (lines_fit)
{
  int before[] = { -3, 0, 1, 2, 4 };
  bool after[] = { true, false, true, true, true };
  const struct moved_lines lines = { before, 5, after, 5, -1 };
  const struct moved_lines none = { 0 };
  /* The line itself, and what is outside, are not there: 1 of 1 + 1 / 2 + 1 +
     1 / 2; 1 + 1 / 2 of 1 + 1 + 1 / 2 + 1 / 3; 1 + 1 / 3 + 1 of 1 + 1 / 2 + 1 /
     3 + 1 / 4 + 1.  */
  ck_assert_uint_eq (moved_lines_fit (&lines, 1, 0), MOVED_LINES_BEST / 3);
  ck_assert_uint_eq (moved_lines_fit (&lines, 0, 1), MOVED_LINES_BEST * 9 / 17);
  ck_assert_uint_eq (moved_lines_fit (&lines, 3, -1),
		     MOVED_LINES_BEST * 28 / 37);
  ck_assert_uint_eq (moved_lines_fit (&lines, 0, 40), 0);
  ck_assert_uint_eq (moved_lines_fit (&none, 0, 0), 0);
}
END_TEST

START_TEST (a_call_that_is_everywhere)
{
  enum
  {
    CALLS = 5000
  };
  const struct moved_lines lines = { 0 };
  struct subsequence_call *a = calloc (CALLS, sizeof *a);
  uint32_t *partners = calloc (CALLS, sizeof *partners);
  size_t length;
  ck_assert (a != NULL && partners != NULL);
  for (int i = 0; i < CALLS; i++)
    a[i].line = i;
  ck_assert (common_subsequence (a, CALLS, a, CALLS, &lines, partners,
				 &length));
  ck_assert_uint_eq (length, CALLS);
  free (a);
  free (partners);
}
END_TEST

START_TEST (plain_names)
{
  uint64_t scan = plain_name_hash ("_Z4scanPKc");
  ck_assert_uint_ne (scan, 0);
  ck_assert_uint_eq (plain_name_hash ("_ZN3lib4scanEPKcm"), scan);
  ck_assert_uint_eq (plain_name_hash ("_ZN3libIiE4scanIdEEvT_"), scan);
  ck_assert_uint_ne (plain_name_hash ("_Z5scanxPKc"), scan);
  ck_assert_uint_ne (plain_name_hash ("_ZN1aplERKS_"),
		     plain_name_hash ("_ZN1amiERKS_"));
  ck_assert_uint_eq (plain_name_hash ("_ZN1aplERKS_"),
		     plain_name_hash ("_ZN1bplERKS_"));
  ck_assert_uint_eq (plain_name_hash ("scan"), 0);
}
END_TEST

UNIT_MAIN ("stale profiles", what_is_the_same_stays, lines_move_with_calls,
	   lines_show_which_call_it_is, virtual_tables_move,
	   inlined_code_moves_alike, renamed_by_its_calls,
	   renamed_by_its_callers, renamed_in_order, one_call_moves_out,
	   numbered_anew, new_parameters, split_functions,
	   a_new_call_is_no_split, merged_functions,
	   merged_into_several_callers, too_little_alike, probes_are_refused,
	   everything_else_is_kept, subsequences_are_the_best,
	   the_nearest_of_equal_calls, lines_before_nearness, lines_fit,
	   a_call_that_is_everywhere, plain_names)
