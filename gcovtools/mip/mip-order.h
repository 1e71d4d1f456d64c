/* The order in which a linker should place functions, so that those needed at
   start-up are on few pages.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_ORDER_H
#define HEAPPROF_MIP_ORDER_H

#include "mip-profile.h"

enum mip_order_by
{
  MIP_ORDER_FIRST, /* lowest position in any run */
  MIP_ORDER_MEAN,  /* most runs first, then mean position */
  MIP_ORDER_BP,	   /* balanced partitioning over the traces */
  MIP_ORDER_CALLS  /* call-graph clustering over the edges */
};

/* Set *ORDER, which the caller frees, to the indexes of the *COUNT functions of
   PROFILE that ran.  Return false if memory is exhausted.  */
bool mip_order_make (const struct mip_profile *profile, enum mip_order_by by,
		     uint32_t **order, size_t *count);

/* Order the COUNT functions at ORDER so that functions of the same traces, and
   of the same starts of traces, are close together.  The initial order should
   be reasonable.  Return false if memory is exhausted.  */
bool mip_partition (const struct mip_profile *profile, uint32_t *order,
		    size_t count);

/* Order the COUNT functions at ORDER so that each is close behind its most
   frequent caller, by the edges of PROFILE, and the most frequent are together.
   Return false if memory is exhausted.  */
bool mip_cluster (const struct mip_profile *profile, uint32_t *order,
		  size_t count);

/* How many pages of code the traced runs touch on average.  */
struct mip_pages
{
  double now;	  /* as the program is linked */
  double ordered; /* with the functions in the new order */
  double ideal;	  /* if each run had only its own functions */
};

/* Compute *PAGES for the COUNT functions at ORDER.  Return false if memory is
   exhausted.  */
bool mip_order_evaluate (const struct mip_profile *profile,
			 const uint32_t *order, size_t count,
			 struct mip_pages *pages);

#endif /* HEAPPROF_MIP_ORDER_H */
