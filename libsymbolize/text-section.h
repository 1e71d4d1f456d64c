/* Sections of texts that the compiler plugin stored next to the debug
   information.
   SPDX-License-Identifier: GPL-3.0-or-later

   Such a section is a sequence of entries, each a string with tabs between its
   fields.  Damaged entries are skipped.  */

#ifndef HEAPPROF_TEXT_SECTION_H
#define HEAPPROF_TEXT_SECTION_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return the content, uncompressed, of the section NAME of ELF, or OLD_NAME if
   it is compressed in the old form; NULL if there is none that can be read.
   Valid as long as ELF, which may be NULL.  */
const Elf_Data *text_section_find (Elf *elf, const char *name,
				   const char *old_name);

/* Return the number of 0-terminated texts in the BYTES bytes at TEXT.  */
size_t text_section_count (const char *text, size_t bytes);

/* Parse all of TEXT as a number to BASE into *VALUE.  */
bool text_section_number (const char *text, int base, uint32_t *value);

#endif /* HEAPPROF_TEXT_SECTION_H */
