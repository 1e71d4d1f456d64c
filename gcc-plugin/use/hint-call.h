/* Allocation calls that carry a hint.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_HINT_CALL_H
#define HEAPPROF_HINT_CALL_H

/* Register the pass that replaces placeholders by calls.  */
void hint_call_register (const char *plugin_name);

/* Return the group of the hot blocks that CALL, in FUNCTION, allocates by the
   function of C that PLACEHOLDER stands for; 0 if it has none.  Hints of
   operators have no room for groups: their type has 8 bits.  */
unsigned hint_call_group (const gcall *call, tree function, tree placeholder);

#endif /* HEAPPROF_HINT_CALL_H */
