/* Identification of functions in another build, by hashes of source and shape.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_HASH_H
#define HEAPPROF_MIP_HASH_H

/* Compute the source hashes of all functions of the unit.  Call it before any
   optimization across functions.  */
void mip_hash_collect (void);

/* Return the source hash of DECL, or of the function it is a copy of; 0 if
   unknown.  */
uint64_t mip_source_hash (tree decl);

/* Return the hash of the blocks and edges of the current function.  */
uint64_t mip_shape_hash (void);

#endif /* HEAPPROF_MIP_HASH_H */
