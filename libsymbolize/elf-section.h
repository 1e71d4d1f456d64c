/* Sections of ELF files by name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_ELF_SECTION_H
#define HEAPPROF_ELF_SECTION_H

#include <gelf.h>

/* Return the section NAME of ELF, which may be NULL, and fill *HEADER.  NULL if
   it has none with content.  */
Elf_Scn *elf_section_find (Elf *elf, const char *name, GElf_Shdr *header);

/* Return the content of that section: libelf's own, which libdw uses, too.
   NULL if there is none.  */
Elf_Data *elf_section_data (Elf *elf, const char *name);

#endif /* HEAPPROF_ELF_SECTION_H */
