/* Printing of advice on standard output.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ADVISE_H
#define HEAPPROF_ADVISE_H

#include "advice.h"
#include "findings.h"
#include <stdbool.h>
#include <stddef.h>

struct advise_print
{
  const char *path; /* of the profile */
  size_t limit;	    /* 0: print all advice */
  const char *base; /* for findings: the folder of the source */
};

/* Return how much of ADVICE is printed.  */
size_t advise_shown (const struct advice_list *advice,
		     const struct advise_print *print);

/* Print ADVICE as text, as JSON.  Return false if memory is exhausted.  */
bool advise_print_text (const struct advice_list *advice,
			const struct advise_print *print);
bool advise_print_json (const struct advice_list *advice,
			const struct advise_print *print);

/* Make *LIST of what is printed of ADVICE, which must outlive it.  Return false
   if memory is exhausted; release *LIST in any case.  */
bool advise_find (struct finding_list *list, const struct advice_list *advice,
		  const struct advise_print *print);

#endif /* HEAPPROF_ADVISE_H */
