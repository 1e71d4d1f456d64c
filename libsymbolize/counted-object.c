/* How many values GCC counts in the functions of an object file.
   SPDX-License-Identifier: GPL-3.0-or-later

   __gcov_.NAME is a struct gcov_fn_info: a pointer, then the three numbers that
   identify a function, of 32 bits each.  */

#include "counted-object.h"
#include <endian.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "__gcov"

/* A site has this many numbers in memory.  */
#define SITE_NUMBERS 3

#define COUNTER_BYTES sizeof (int64_t)

/* No function has more of a kind.  */
#define MOST_COUNTERS ((uint64_t) 1 << 22)

/* A symbol of the function NAME.  */
struct entry
{
  const char *name;
  int kind; /* -1: what identifies it */
  uint32_t counters;
  uint32_t numbers[3];
};

/* Return the content at SYMBOL, of BYTES bytes; NULL if there is none.  */
static const uint8_t *
content_at (Elf *elf, const GElf_Sym *symbol, uint64_t bytes)
{
  GElf_Shdr header;
  Elf_Scn *section = elf_getscn (elf, symbol->st_shndx);
  Elf_Data *data = section != NULL ? elf_rawdata (section, NULL) : NULL;
  if (data == NULL || data->d_buf == NULL
      || gelf_getshdr (section, &header) == NULL)
    return NULL;
  /* In an object file, sections are at 0.  */
  uint64_t offset = symbol->st_value - header.sh_addr;
  return symbol->st_value >= header.sh_addr && bytes <= data->d_size
	     && offset <= data->d_size - bytes
	   ? (const uint8_t *) data->d_buf + offset
	   : NULL;
}

/* Set *ENTRY from SYMBOL, called NAME.  Return false if it is another
   symbol.  */
static bool
read_entry (struct entry *entry, Elf *elf, const GElf_Sym *symbol,
	    const char *name)
{
  size_t pointer_bytes = gelf_getclass (elf) == ELFCLASS32 ? 4 : 8;
  if (strncmp (name, PREFIX, strlen (PREFIX)) != 0
      || GELF_ST_TYPE (symbol->st_info) != STT_OBJECT)
    return false;
  const char *part = name + strlen (PREFIX);
  if (strncmp (part, "_.", 2) == 0)
    {
      const uint8_t *bytes
	= content_at (elf, symbol, pointer_bytes + sizeof entry->numbers);
      if (bytes == NULL)
	return false;
      *entry = (struct entry){ .name = part + 2, .kind = -1 };
      memcpy (entry->numbers, bytes + pointer_bytes, sizeof entry->numbers);
      return true;
    }
  if (part[0] < '0' || part[0] > '9' || part[1] != '.')
    return false;
  enum gcov_kind kind = (enum gcov_kind) (part[0] - '0');
  uint64_t count = symbol->st_size / COUNTER_BYTES;
  if (gcov_kind_has_sites (kind))
    count /= SITE_NUMBERS;
  if (count > MOST_COUNTERS)
    return false;
  *entry = (struct entry){ .name = part + 2,
			   .kind = (int) kind,
			   .counters = (uint32_t) count };
  return true;
}

static int
compare_entries (const void *element1, const void *element2)
{
  const struct entry *a = element1;
  const struct entry *b = element2;
  int order = strcmp (a->name, b->name);
  return order != 0 ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

/* Make *COUNTS of the sorted ENTRIES, of which there are COUNT: what identifies
   a function comes first.  */
static bool
join_entries (struct gcov_value_counts **counts, size_t *n,
	      const struct entry *entries, size_t count)
{
  struct gcov_value_counts *made = calloc (count + 1, sizeof *made);
  size_t made_count = 0;
  if (made == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      const struct entry *entry = &entries[i];
      bool is_known = i > 0 && strcmp (entry->name, entries[i - 1].name) == 0;
      if (entry->kind < 0)
	made[made_count++]
	  = (struct gcov_value_counts){ .ident = entry->numbers[0],
					.lineno_checksum = entry->numbers[1],
					.cfg_checksum = entry->numbers[2] };
      else if (is_known && made_count > 0)
	made[made_count - 1].counters[entry->kind] = entry->counters;
    }
  if (made_count > 0)
    qsort (made, made_count, sizeof *made, gcov_value_counts_compare);
  *counts = made;
  *n = made_count;
  return true;
}

/* Read the symbols of ELF, listed in SECTION.  */
static bool
read_symbols (struct gcov_value_counts **counts, size_t *n, Elf *elf,
	      Elf_Scn *section, const GElf_Shdr *header)
{
  Elf_Data *symbols = elf_getdata (section, NULL);
  size_t all = symbols != NULL && header->sh_entsize > 0
		 ? header->sh_size / header->sh_entsize
		 : 0;
  struct entry *entries = calloc (all + 1, sizeof *entries);
  size_t count = 0;
  if (entries == NULL)
    return false;
  for (size_t i = 0; i < all && i <= INT32_MAX; i++)
    {
      GElf_Sym symbol;
      const char *name = gelf_getsym (symbols, (int) i, &symbol) != NULL
			   ? elf_strptr (elf, header->sh_link, symbol.st_name)
			   : NULL;
      count += name != NULL && read_entry (&entries[count], elf, &symbol, name);
    }
  qsort (entries, count, sizeof *entries, compare_entries);
  bool is_done = join_entries (counts, n, entries, count);
  free (entries);
  return is_done;
}

bool
counted_object_read (const char *path, struct gcov_value_counts **counts,
		     size_t *n)
{
  const unsigned char order
    = __BYTE_ORDER == __BIG_ENDIAN ? ELFDATA2MSB : ELFDATA2LSB;
  *counts = NULL;
  *n = 0;
  int descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return true;
  elf_version (EV_CURRENT);
  bool is_done = true;
  Elf *elf = elf_begin (descriptor, ELF_C_READ_MMAP, NULL);
  GElf_Ehdr file;
  Elf_Scn *section = NULL;
  if (elf != NULL && elf_kind (elf) == ELF_K_ELF
      && gelf_getehdr (elf, &file) != NULL && file.e_ident[EI_DATA] == order)
    while ((section = elf_nextscn (elf, section)) != NULL)
      {
	GElf_Shdr header;
	if (gelf_getshdr (section, &header) == NULL
	    || header.sh_type != SHT_SYMTAB)
	  continue;
	is_done = read_symbols (counts, n, elf, section, &header);
	break;
      }
  elf_end (elf);
  close (descriptor);
  return is_done;
}
