/* Count the pages of variables that a program made its own.
   SPDX-License-Identifier: GPL-3.0-or-later

   This shared object is preloaded.  At the end of the program, the file that
   DATA_PAGES names gets the number of pages in the program's writable segments
   that are mapped and do not belong to a file: those that it, or the dynamic
   linker for it, wrote, and zeros that it read.  */

#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PAGE_BYTES ((uintptr_t) 4096)

/* Bits of an entry of /proc/self/pagemap.  */
#define IS_MAPPED (UINT64_C (1) << 63)
#define IS_OF_FILE (UINT64_C (1) << 61)

static int page_map;

/* The program is the first of the modules.  */
static int
count_program (struct dl_phdr_info *info, size_t size, void *data)
{
  unsigned long *count = data;
  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      uintptr_t begin = info->dlpi_addr + header->p_vaddr;
      if (header->p_type != PT_LOAD || (header->p_flags & PF_W) == 0)
	continue;
      for (uintptr_t page = begin / PAGE_BYTES;
	   page * PAGE_BYTES < begin + header->p_memsz; page++)
	{
	  uint64_t entry;
	  off_t place = (off_t) (page * sizeof entry);
	  if (pread (page_map, &entry, sizeof entry, place) == sizeof entry)
	    *count += (entry & (IS_MAPPED | IS_OF_FILE)) == IS_MAPPED;
	}
    }
  return 1;
}

static void __attribute__ ((destructor)) finish (void)
{
  const char *path = getenv ("DATA_PAGES");
  unsigned long count = 0;
  page_map = open ("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  FILE *out = path != NULL ? fopen (path, "w") : NULL;
  if (page_map < 0 || out == NULL)
    return;
  dl_iterate_phdr (count_program, &count);
  fprintf (out, "%lu\n", count);
  fclose (out);
}
