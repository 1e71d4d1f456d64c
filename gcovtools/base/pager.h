/* Output on a terminal, page by page, by the rules of git.
   SPDX-License-Identifier: GPL-3.0-or-later

   The pager is HEAPPROF_PAGER, else PAGER, else `less'; if that is empty or
   `cat', or standard output is not a terminal, there is none.  Standard output
   and error, if that is a terminal, go to it.  The command's exit status stays
   what it is, also if the reader does not read everything: what is printed then
   is lost, and the command goes on.  It ends when the pager has ended.  */

#ifndef HEAPPROF_PAGER_H
#define HEAPPROF_PAGER_H

/* Never start a pager.  */
void pager_disable (void);

/* Start the pager, if there is to be one and none is running.  Call this before
   anything is printed on standard output.  */
void pager_start (void);

#endif /* HEAPPROF_PAGER_H */
