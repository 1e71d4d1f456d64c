/* Sections of texts that the compiler plugin stored next to the debug
   information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "text-section.h"
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Larger sections, uncompressed, are not read.  Entries have about 100 bytes:
   no program has half a million such functions.  */
#define MAX_SECTION_BYTES ((size_t) 64 << 20)

bool
text_section_number (const char *text, int base, uint32_t *value)
{
  char *end;
  if (*text < '0') /* strtoull accepts blanks and signs */
    return false;
  unsigned long long number = strtoull (text, &end, base);
  if (*end != '\0' || number > UINT32_MAX)
    return false;
  *value = (uint32_t) number;
  return true;
}

size_t
text_section_count (const char *text, size_t bytes)
{
  size_t count = 0;
  for (size_t i = 0; i < bytes; i++)
    count += text[i] == '\0';
  return count;
}

/* Return true if SECTION's content, uncompressed, is not too large.  In the old
   form of compression, with a name that starts with ".z", the size follows four
   letters.  */
static bool
has_good_size (Elf_Scn *section, const GElf_Shdr *header, bool is_old_form)
{
  GElf_Chdr compression;
  uint64_t size = header->sh_size;
  if ((header->sh_flags & SHF_COMPRESSED) != 0)
    {
      if (gelf_getchdr (section, &compression) == NULL)
	return false;
      size = compression.ch_size;
    }
  else if (is_old_form)
    {
      const Elf_Data *data = elf_rawdata (section, NULL);
      if (data == NULL || data->d_buf == NULL || data->d_size < 12)
	return false;
      size = 0;
      for (size_t i = 4; i < 12; i++)
	size = size << 8 | ((const unsigned char *) data->d_buf)[i];
    }
  return size <= MAX_SECTION_BYTES;
}

/* Return the content of SECTION, uncompressed, if it has one of the two names
   and can be read; otherwise NULL.  */
static const Elf_Data *
texts_in_section (Elf *elf, Elf_Scn *section, size_t section_names,
		  const char *wanted, const char *old_wanted)
{
  GElf_Shdr header;
  if (gelf_getshdr (section, &header) == NULL || header.sh_type != SHT_PROGBITS)
    return NULL;
  const char *name = elf_strptr (elf, section_names, header.sh_name);
  if (name == NULL)
    return NULL;
  bool is_old_form = strcmp (name, old_wanted) == 0;
  if (!is_old_form && strcmp (name, wanted) != 0)
    return NULL;
  if (!has_good_size (section, &header, is_old_form))
    return NULL;
  if ((header.sh_flags & SHF_COMPRESSED) != 0
      && elf_compress (section, 0, 0) < 0)
    return NULL;
  if (is_old_form && elf_compress_gnu (section, 0, 0) < 0)
    return NULL;
  const Elf_Data *data = elf_getdata (section, NULL);
  return data != NULL && data->d_buf != NULL ? data : NULL;
}

const Elf_Data *
text_section_find (Elf *elf, const char *name, const char *old_name)
{
  size_t section_names;
  if (elf == NULL || elf_getshdrstrndx (elf, &section_names) != 0)
    return NULL;
  Elf_Scn *section = NULL;
  const Elf_Data *data = NULL;
  while (data == NULL && (section = elf_nextscn (elf, section)) != NULL)
    data = texts_in_section (elf, section, section_names, name, old_name);
  return data;
}
