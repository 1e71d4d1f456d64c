/* Orders of functions and static data as text, for linkers and other programs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_ORDER_TEXT_H
#define HEAPPROF_MIP_ORDER_TEXT_H

#include "mip-data.h"
#include "mip-profile.h"

enum mip_order_format
{
  MIP_ORDER_SYMBOLS,   /* symbols, one per line */
  MIP_ORDER_SECTIONS,  /* sections, one per line */
  MIP_ORDER_LD_SCRIPT, /* parts of output sections, for GNU ld */
  MIP_ORDER_LD_INSERT, /* a linker script that is added to GNU ld's own */
  MIP_ORDER_SORTED,    /* options of objcopy that rename sections */
  MIP_ORDER_JSON
};

/* What to print.  */
struct mip_order
{
  const struct mip_profile *profile;
  const uint32_t *functions; /* in the new order */
  size_t count;
  bool has_functions;	       /* print them */
  const struct mip_data *data; /* print it; NULL: none */
};

/* Print ORDER in FORMAT, and a warning about names that the format cannot
   express.  Return false if memory is exhausted.  */
bool mip_order_print (const struct mip_order *order,
		      enum mip_order_format format);

#endif /* HEAPPROF_MIP_ORDER_TEXT_H */
