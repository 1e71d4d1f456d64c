/* Optimizing by a machine-level profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_USE_H
#define HEAPPROF_MIP_USE_H

/* The profile that the unit is optimized by, or NULL.  Lives as long as the
   compiler.  */
extern const char *mip_use_file;

/* Start doing that.  */
void mip_use_start (const char *plugin_name);

#endif /* HEAPPROF_MIP_USE_H */
