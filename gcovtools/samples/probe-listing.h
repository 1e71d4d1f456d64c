/* The pseudo probes of a program as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROBE_LISTING_H
#define HEAPPROF_PROBE_LISTING_H

#include "pseudo-probes.h"
#include <stdio.h>

/* Print PROBES to STREAM: the functions by GUID, then the probes by address. */
void probe_listing_print (const struct pseudo_probes *probes, FILE *stream);

#endif /* HEAPPROF_PROBE_LISTING_H */
