/* Advice on recording for profgen on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_RECORD_ADVICE_H
#define HEAPPROF_RECORD_ADVICE_H

/* Print the commands on standard output.  */
void record_advice_print (void);

#endif /* HEAPPROF_RECORD_ADVICE_H */
