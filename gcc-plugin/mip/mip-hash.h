/* By what a function is known again in another build.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_HASH_H
#define HEAPPROF_MIP_HASH_H

/* Remember the hashes of all functions of the unit, before any is changed by
   an optimization across functions.  */
void mip_hash_collect (void);

/* The hash of the source of DECL, or of what it is a copy of; 0 if it is not
   known.  */
uint64_t mip_source_hash (tree decl);

/* The hash of the blocks and edges of the current function.  */
uint64_t mip_shape_hash (void);

#endif /* HEAPPROF_MIP_HASH_H */
