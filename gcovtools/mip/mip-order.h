/* The order in which a linker should place functions, so that those that a
   program needs when it starts are on few pages.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_ORDER_H
#define HEAPPROF_MIP_ORDER_H

#include "mip-profile.h"

enum mip_order_by
{
  MIP_ORDER_FIRST, /* the least place in any run */
  MIP_ORDER_MEAN,  /* in more runs first, then the mean place */
  MIP_ORDER_BP	   /* balanced partitioning over the traces */
};

/* Fill *ORDER, which the caller frees, with the functions of PROFILE that ran,
   as indexes; *COUNT is how many.  False if memory is exhausted.  */
bool mip_order_make (const struct mip_profile *profile, enum mip_order_by by,
		     uint32_t **order, size_t *count);

/* Order the COUNT functions at ORDER so that those of the same traces, and of
   the same beginnings of them, are close together.  At first they are in an
   order that is good already.  False if memory is exhausted.  */
bool mip_partition (const struct mip_profile *profile, uint32_t *order,
		    size_t count);

/* How many pages of code the runs of the traces touch, on average.  */
struct mip_pages
{
  double now;	  /* as the program is linked */
  double ordered; /* with the functions in the new order */
  double ideal;	  /* if each run had its functions alone */
};

/* Find that for the COUNT functions at ORDER.  False if memory is exhausted. */
bool mip_order_evaluate (const struct mip_profile *profile,
			 const uint32_t *order, size_t count,
			 struct mip_pages *pages);

#endif /* HEAPPROF_MIP_ORDER_H */
