/* Optimization with a sample profile: virtual calls.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_USE_H
#define HEAPPROF_SAMPLE_USE_H

/* Register the promotion of virtual calls by the profile that the user
   named.  */
void sample_use_start (const char *plugin_name);

#endif /* HEAPPROF_SAMPLE_USE_H */
