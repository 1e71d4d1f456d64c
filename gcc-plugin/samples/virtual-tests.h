/* Comparisons for a virtual call.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_VIRTUAL_TESTS_H
#define HEAPPROF_VIRTUAL_TESTS_H

/* What was done about a virtual table at a call.  */
struct promoted_table
{
  uint64_t guid;
  const char *name;		 /* NULL if only the GUID is known */
  uint64_t count;		 /* from the profile */
  tree table;			 /* the variable; NULL if it is unknown */
  unsigned HOST_WIDE_INT offset; /* of pointers to the table, in it */
  tree target;			 /* the function called; NULL: none */
  const char *function;		 /* its name if it is unknown; NULL: a table is
				    known */
  const char *reason;		 /* why it was not promoted; NULL: it was */
  bool is_slot_test; /* compares the function's address, not the table's */
};

/* Tables that one comparison identifies, all with the same target.  */
struct table_test
{
  auto_vec<promoted_table *> tables;
  uint64_t count;
};

/* Store in *TESTS a test for each target in TABLES, except those with a reason
   against them, by descending count.  The caller deletes them.  */
void table_tests_make (vec<promoted_table> &tables, vec<table_test *> *tests);

/* Return the reason against a test that COUNT of REST calls, of ALL, pass,
   after N other tests; NULL if it should be made.  */
const char *table_test_reason (uint64_t count, uint64_t rest, uint64_t all,
			       unsigned n);

/* Return the probability that COUNT of REST calls pass.  Calls that were not
   sampled may still happen.  */
profile_probability table_test_likelihood (uint64_t count, uint64_t rest);

#endif /* HEAPPROF_VIRTUAL_TESTS_H */
