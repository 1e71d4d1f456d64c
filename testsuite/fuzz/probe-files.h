/* Make valid sections of pseudo probes, to be damaged.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROBE_FILES_H
#define HEAPPROF_PROBE_FILES_H

#include "byte-writer.h"
#include "pseudo-probes.h"

/* The symbols of the program; `foo' is in two units.  */
#define PROBE_FILE_SYMBOLS 4
void
probe_files_symbols (struct pseudo_probe_symbol symbols[PROBE_FILE_SYMBOLS]);

/* Return the number of bytes of the section of functions, in 4 bytes, both
   sections: with distances between probes, or with an address first.  */
struct byte_writer probe_files_sections (bool has_address);

#endif /* HEAPPROF_PROBE_FILES_H */
