/* Making advice: all rules, then what is large enough, sorted.
   SPDX-License-Identifier: GPL-3.0-or-later

   advice-rules.c decides what there is to say about contexts, advice-types.c
   looks at data types, advice-remarks.c at what the compiler could not place,
   and advice-reasons.c says why a program has little to gain.  */

#ifndef HEAPPROF_ADVICE_MAKE_H
#define HEAPPROF_ADVICE_MAKE_H

#include "advice.h"

/* Find all advice about the contexts that REPORT includes, which must outlive
   *ADVICE.  Return false if memory is exhausted; release *ADVICE in any
   case.  */
bool advice_make (struct advice_list *advice, const struct heap_report *report,
		  const struct advice_options *options);

/* ---- For the parts.  */

/* Add advice on contexts; on types; on the placement of hot blocks; on remarks.
   These and the next return
   false if memory is exhausted.  */
bool advice_add_sites (struct advice_list *advice);
bool advice_add_types (struct advice_list *advice);
bool advice_add_groups (struct advice_list *advice);
bool advice_add_remarks (struct advice_list *advice);

/* Set the evidence and action of ITEM, which is about a site.  */
bool advice_word_site (const struct advice_list *advice, struct advice *item);

/* Find out what limits the gain, and what the profile does not tell.  */
bool advice_add_limits (struct advice_list *advice);

#endif /* HEAPPROF_ADVICE_MAKE_H */
