/* Passes that keep calls of one function apart where contexts differ.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CALL_APART_H
#define HEAPPROF_CALL_APART_H

/* Add the passes to the compiler's.  */
void call_apart_register (const char *plugin_name);

#endif /* HEAPPROF_CALL_APART_H */
