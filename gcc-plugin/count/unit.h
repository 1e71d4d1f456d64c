/* What a translation unit gets once: start-up of the run-time library, the
   folder for raw profiles, and the guard of LTO objects.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_UNIT_H
#define HEAPPROF_UNIT_H

/* Register what has to be done before the IPA passes and at the end of the
   unit.  */
void unit_register_callbacks (const char *plugin_name);

/* Set the options that the run-time library needs: frames that it can walk,
   and no frame missing.  Call before the compiler acts on its options.  */
void unit_force_options (void);

/* Note that a function with N accesses to the heap was instrumented.  */
void unit_note_function (unsigned n_accesses);

#endif /* HEAPPROF_UNIT_H */
