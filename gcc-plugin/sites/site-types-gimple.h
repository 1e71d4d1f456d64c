/* Data types of allocation sites in languages other than those of C.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SITE_TYPES_GIMPLE_H
#define HEAPPROF_SITE_TYPES_GIMPLE_H

/* Register the pass that examines functions when they have become GIMPLE and
   adds their sites to those of site-types.h.  */
void site_types_gimple_register (const char *plugin_name);

#endif /* HEAPPROF_SITE_TYPES_GIMPLE_H */
