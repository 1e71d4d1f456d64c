/* Discriminators of line tables that libdw has no room for.
   SPDX-License-Identifier: GPL-3.0-or-later

   libdw 0.188 keeps a discriminator in 24 bits, and refuses a line table with
   a greater one: clang's, when it packs three numbers into one, and those of
   pseudo-probes.  libdw is given line tables where small numbers stand in place
   of these.  */

#ifndef HEAPPROF_LINE_DISCRIMINATORS_H
#define HEAPPROF_LINE_DISCRIMINATORS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is what a file without great discriminators has.  */
struct line_discriminators
{
  uint8_t *tables;  /* the section as libdw is to see it */
  uint32_t *values; /* what the stand-ins stand for */
  size_t count;
  size_t capacity;
};

/* Look through the line tables of DWARF, none of which has been asked for yet,
   and put stand-ins into them where that is needed; *DISCRIMINATORS must then
   outlive DWARF.  What is damaged in them is left for libdw to find.  False if
   memory is exhausted.  */
bool line_discriminators_replace (struct line_discriminators *discriminators,
				  Dwarf *dwarf);

/* The discriminator that NUMBER, which libdw has read in a line table,
   is or stands for.  */
uint32_t
line_discriminators_value (const struct line_discriminators *discriminators,
			   uint32_t number);

void line_discriminators_release (struct line_discriminators *discriminators);

#endif /* HEAPPROF_LINE_DISCRIMINATORS_H */
