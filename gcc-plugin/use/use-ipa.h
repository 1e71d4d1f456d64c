/* The pass that decides on the hints of allocations.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_USE_IPA_H
#define HEAPPROF_USE_IPA_H

/* Register the pass.  It works on units whose calls carry the attributes of a
   heap profile, and at the link on objects made from such units.  */
void use_ipa_register (const char *plugin_name);

#endif /* HEAPPROF_USE_IPA_H */
