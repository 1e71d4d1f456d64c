/* Functions with names of the C library's that are none of them: their arguments
   are not texts, and must not be read.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>

/* Not declared by a header here, so that the types below do not conflict.  */
extern "C" void *new_block (unsigned long size);
extern "C" uint64_t take_count (const void *data, unsigned long size);
extern "C" int puts (const char *text);

struct page;
extern "C" unsigned long rindex (const page *where, int which);
extern "C" int strpbrk (page *where, int which);

namespace other
{
int strcmp (const char *a, const char *b);
const char *index (const char *where, int which);
}

/* An address at which nothing can be read.  */
#define NOWHERE (1L << 40)

int
main ()
{
  char *volatile nowhere = (char *) NOWHERE;
  unsigned long sum = rindex ((page *) nowhere, 1);

  sum += strpbrk ((page *) nowhere, 2);
  sum += other::strcmp (nowhere, nowhere);
  sum += other::index (nowhere, 3) == nowhere;
  puts (sum == 1 + 2 + 4 + 1 ? "ok" : "wrong");
  return 0;
}
