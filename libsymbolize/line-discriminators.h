/* Discriminators that are too large for libdw's line tables.
   SPDX-License-Identifier: GPL-3.0-or-later

   libdw 0.188 stores a discriminator in 24 bits, and rejects a line table with
   a greater one: clang's, when it packs three numbers into one, and those of
   pseudo-probes.  So libdw gets line tables with small numbers that stand for
   these.  */

#ifndef HEAPPROF_LINE_DISCRIMINATORS_H
#define HEAPPROF_LINE_DISCRIMINATORS_H

#include "byte-reader.h"
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros is the state for a file without large discriminators.  */
struct line_discriminators
{
  uint8_t *tables;  /* the section as libdw sees it */
  uint32_t *values; /* by number of the stand-in */
  size_t count;
  size_t capacity;
};

/* Examine the line tables of DWARF, none of which may have been used yet, and
   put stand-ins into them where needed; *DISCRIMINATORS must then outlive
   DWARF.  Damaged tables are left for libdw to detect.  Return false if memory
   is exhausted.  */
bool line_discriminators_replace (struct line_discriminators *discriminators,
				  Dwarf *dwarf);

/* Return the discriminator that NUMBER, which libdw read from a line table, is
   or stands for.  */
uint32_t
line_discriminators_value (const struct line_discriminators *discriminators,
			   uint32_t number);

void line_discriminators_release (struct line_discriminators *discriminators);

/* Return true if no discriminator of one TABLE, which starts at the version,
   needs a replacement.  Tables of 64 bits are not for this.  */
bool line_discriminators_are_small (struct byte_reader *table);

#endif /* HEAPPROF_LINE_DISCRIMINATORS_H */
