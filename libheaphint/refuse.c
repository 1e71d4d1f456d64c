/* Errors that end the program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "refuse.h"
#include "bytes.h"
#include "system.h"

void
hint_refuse (const char *what)
{
  static const char head[] = "heaphint: ";
  hint_print (head, sizeof head - 1);
  hint_print (what, own_strlen (what));
  hint_print ("\n", 1);
  hint_abort ();
}
