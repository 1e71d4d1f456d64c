/* The source positions of comparisons that GCC inserts.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_TEST_PLACES_H
#define HEAPPROF_TEST_PLACES_H

/* Register the pass that gives the comparisons of promoted virtual calls the
   position of the call.  */
void test_places_start (const char *plugin_name);

#endif /* HEAPPROF_TEST_PLACES_H */
