/* Optimization with a machine-level profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_USE_H
#define HEAPPROF_MIP_USE_H

/* Register the optimization of the unit with the profile that ARGUMENTS
   name.  */
void mip_use_start (const char *plugin_name);

#endif /* HEAPPROF_MIP_USE_H */
