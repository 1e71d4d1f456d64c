/* How a program is loaded: what a library for LD_PRELOAD depends on.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "program-kind.h"
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

/* In the messages of the run-time library; its symbols may be stripped.  */
static const char runtime_text[] = "HEAPPROF_OPTIONS=NAME=VALUE";

/* Store the text of SIZE bytes at OFFSET of the file in KIND.  */
static void
take_loader (struct program_kind *kind, const char *file, size_t file_bytes,
	     uint64_t offset, uint64_t size)
{
  if (offset > file_bytes || size > file_bytes - offset
      || size >= sizeof kind->loader)
    return;
  memcpy (kind->loader, file + offset, size);
  kind->loader[size] = '\0';
}

static void
read_elf (struct program_kind *kind, Elf *elf)
{
  GElf_Ehdr header;
  size_t count = 0;
  size_t bytes = 0;
  const char *file = elf_rawfile (elf, &bytes);
  kind->is_elf = file != NULL && elf_kind (elf) == ELF_K_ELF
		 && gelf_getehdr (elf, &header) != NULL;
  if (!kind->is_elf)
    return;
  kind->is_32_bit = header.e_ident[EI_CLASS] == ELFCLASS32;
  kind->is_of_machine
    = !kind->is_32_bit && header.e_machine == HOST_ELF_MACHINE;
  if (elf_getphdrnum (elf, &count) != 0)
    count = 0;
  for (size_t i = 0; i < count; i++)
    {
      GElf_Phdr segment;
      if (gelf_getphdr (elf, (int) i, &segment) != NULL
	  && segment.p_type == PT_INTERP)
	take_loader (kind, file, bytes, segment.p_offset, segment.p_filesz);
    }
  kind->has_runtime
    = memmem (file, bytes, runtime_text, sizeof runtime_text - 1) != NULL;
}

bool
program_kind_read (struct program_kind *kind, const char *path,
		   struct profile_error *err)
{
  *kind = (struct program_kind){ 0 };
  int descriptor = open (path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return profile_error_set_errno (err, path, "cannot read", errno);
  elf_version (EV_CURRENT);
  Elf *elf = elf_begin (descriptor, ELF_C_READ_MMAP, NULL);
  if (elf != NULL)
    read_elf (kind, elf);
  elf_end (elf);
  close (descriptor);
  return true;
}
