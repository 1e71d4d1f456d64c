/* Passes that keep calls of one function separate where contexts differ.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CALL_APART_H
#define HEAPPROF_CALL_APART_H

/* Register the passes.  */
void call_apart_register (const char *plugin_name);

#endif /* HEAPPROF_CALL_APART_H */
