/* Promotion of virtual calls when a program is linked with LTO.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_VIRTUAL_LINK_H
#define HEAPPROF_VIRTUAL_LINK_H

#include "virtual-undecided.h"

/* Return an undecided call for CALL, which has N_TESTS comparisons now: it has
   the tables in TABLES that have a reason, of which the profile has TOTAL.  The
   caller adds the targets.  */
undecided_call *virtual_link_leave (gcall *call, const virtual_place &place,
				    const vec<promoted_table> &tables,
				    uint64_t total, unsigned n_tests);

/* Register the passes.  */
void virtual_link_start (const char *plugin_name);

#endif /* HEAPPROF_VIRTUAL_LINK_H */
