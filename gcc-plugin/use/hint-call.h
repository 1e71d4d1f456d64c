/* Allocation calls that carry a hint.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HINT_CALL_H
#define HEAPPROF_HINT_CALL_H

/* Register the pass that replaces placeholders by calls.  */
void hint_call_register (const char *plugin_name);

#endif /* HEAPPROF_HINT_CALL_H */
