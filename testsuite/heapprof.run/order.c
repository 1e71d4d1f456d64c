/* Twenty sites whose blocks differ in size and in accesses.
   SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>

__attribute__ ((noinline)) static void
use (int *volatile block, int accesses)
{
  for (int i = 0; i < accesses; i++)
    *(volatile int *) block = i;
  free (block);
}

/* About ACCESSES accesses to each block, which has SIZE bytes.  */
#define SITE(number, size, accesses)                                           \
  __attribute__ ((noinline)) static void site_##number (int i)                 \
  {                                                                            \
    use (malloc ((size_t) (size) + (size_t) i % 50),                           \
	 (accesses) + i * 7 % ((accesses) / 2 + 1));                           \
  }

SITE (1, 40, 2)
SITE (2, 900, 70)
SITE (3, 100, 12)
SITE (4, 300, 60)
SITE (5, 50, 20)
SITE (6, 700, 380)
SITE (7, 120, 90)
SITE (8, 64, 70)
SITE (9, 500, 800)
SITE (10, 90, 200)
SITE (11, 250, 800)
SITE (12, 150, 700)
SITE (13, 60, 450)
SITE (14, 400, 3900)
SITE (15, 80, 1300)
SITE (16, 200, 4500)
SITE (17, 110, 3600)
SITE (18, 70, 3900)
SITE (19, 90, 6800)
SITE (20, 45, 7600)

int
main (void)
{
  static void (*const sites[]) (int)
    = { site_1,	 site_2,  site_3,  site_4,  site_5,  site_6,  site_7,
	site_8,	 site_9,  site_10, site_11, site_12, site_13, site_14,
	site_15, site_16, site_17, site_18, site_19, site_20 };
  for (int i = 0; i < 3000; i++)
    for (int j = 0; j < 20; j++)
      sites[j] (i);
  return 0;
}
