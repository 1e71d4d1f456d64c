/* Sections of ELF files by name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "elf-section.h"
#include <string.h>

Elf_Scn *
elf_section_find (Elf *elf, const char *name, GElf_Shdr *header)
{
  size_t names;
  Elf_Scn *section = NULL;
  if (elf == NULL || elf_getshdrstrndx (elf, &names) != 0)
    return NULL;
  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      if (gelf_getshdr (section, header) == NULL
	  || header->sh_type == SHT_NOBITS)
	continue;
      const char *found = elf_strptr (elf, names, header->sh_name);
      if (found != NULL && strcmp (found, name) == 0)
	return section;
    }
  return NULL;
}

Elf_Data *
elf_section_data (Elf *elf, const char *name)
{
  GElf_Shdr header;
  Elf_Scn *section = elf_section_find (elf, name, &header);
  Elf_Data *data = section != NULL ? elf_getdata (section, NULL) : NULL;
  return data != NULL && data->d_buf != NULL ? data : NULL;
}

void
elf_section_replace (Elf *elf, const char *name, void *bytes, size_t count)
{
  GElf_Shdr header;
  Elf_Scn *section = elf_section_find (elf, name, &header);
  /* libelf has two descriptions of the same bytes.  libdw 0.188 reads the
     first, 0.196 the second.  */
  Elf_Data *all[] = { section != NULL ? elf_getdata (section, NULL) : NULL,
		      section != NULL ? elf_rawdata (section, NULL) : NULL };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] != NULL)
      {
	all[i]->d_buf = bytes;
	all[i]->d_size = count;
      }
}
