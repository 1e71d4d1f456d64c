/* Pointers that are stored in object files, or put there by relocations.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pointer-relocations.h"
#include <endian.h>
#include <stddef.h>
#include <string.h>

/* Not in every elf.h.  */
#ifndef EM_RISCV
#define EM_RISCV 243
#endif

struct machine
{
  GElf_Half number;
  struct pointer_relocations types;
};

/* R_MACHINE_RELATIVE, R_MACHINE_64 or whatever it is called,
   R_MACHINE_GLOB_DAT, and R_MACHINE_COPY.  RISC-V has the second in place of
   the third.  */
static const struct machine machines[]
  = { { EM_X86_64, { 8, 1, 6, 5 } },
      { EM_AARCH64, { 1027, 257, 1025, 1024 } },
      { EM_RISCV, { 3, 2, 2, 4 } },
      { EM_S390, { 12, 22, 10, 9 } } };

bool
pointer_relocations_of (Elf *elf, struct pointer_relocations *types)
{
  GElf_Ehdr header;
  *types = (struct pointer_relocations){ UINT32_MAX, UINT32_MAX, UINT32_MAX,
					 UINT32_MAX };
  if (gelf_getehdr (elf, &header) == NULL
      || header.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
    if (machines[i].number == header.e_machine)
      {
	*types = machines[i].types;
	return true;
      }
  return false;
}

uint64_t
pointer_stored_at (Elf *elf, const void *bytes)
{
  uint64_t value;
  const char *ident = elf_getident (elf, NULL);
  memcpy (&value, bytes, sizeof value);
  return ident != NULL && ident[EI_DATA] == ELFDATA2MSB ? be64toh (value)
							: le64toh (value);
}
