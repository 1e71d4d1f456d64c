/* Output for each translation unit: start-up of the run-time library, the
   folder for raw profiles, and the guard of LTO objects.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_UNIT_H
#define HEAPPROF_UNIT_H

/* Register the callbacks for the start of the IPA passes and the end of the
   unit.  */
void unit_register_callbacks (const char *plugin_name);

/* Add an instrumented function with N_ACCESSES heap accesses to the
   summary.  */
void unit_note_function (unsigned n_accesses);

#endif /* HEAPPROF_UNIT_H */
