/* Sections of ELF files by name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ELF_SECTION_H
#define HEAPPROF_ELF_SECTION_H

#include <gelf.h>

/* Return the section NAME of ELF, which may be NULL, and fill *HEADER.  NULL if
   it has none with content.  */
Elf_Scn *elf_section_find (Elf *elf, const char *name, GElf_Shdr *header);

/* Return the content of that section; NULL if there is none.  */
Elf_Data *elf_section_data (Elf *elf, const char *name);

/* Let libelf, and a libdw that has not read it yet, take the COUNT bytes at
   BYTES for the content of that section.  */
void elf_section_replace (Elf *elf, const char *name, void *bytes,
			  size_t count);

#endif /* HEAPPROF_ELF_SECTION_H */
