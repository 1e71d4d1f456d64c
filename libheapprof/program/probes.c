/* Probes in the form that debuggers, SystemTap and the kernel's tools read:
   notes of version 3 in the section .note.stapsdt.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A note has the address of the nop, that of the section .stapsdt.base, whose
   address in memory tells by how much a tool like prelink has moved the others,
   and that of the number of listeners; then the names of provider and probe,
   and for each argument its size and operand.  Each probe is a function of its
   own, and its nop the first instruction: so its arguments are also where those
   of a function are, for profilers that read only registers.  */

#include "probes.h"
#include "probe-arguments.h"

#define LISTENERS __attribute__ ((section (".probes")))

uint16_t rt_probe_alloc_users LISTENERS = 0;
uint16_t rt_probe_free_users LISTENERS = 0;

#define PROBE(function, users, name, arguments)                                \
  __asm__(".text\n"                                                            \
	  ".globl " function "\n"                                              \
	  ".hidden " function "\n"                                             \
	  ".type " function ", %function\n" function ":\n"                     \
	  "	.cfi_startproc\n"                                                  \
	  "990:	nop\n" MACHINE_PROBE_RETURN "	.cfi_endproc\n"                  \
	  ".size " function ", . - " function "\n"                             \
	  ".pushsection .note.stapsdt, \"\", @note\n"                          \
	  "	.balign 4\n"                                                       \
	  "	.4byte 992f - 991f, 994f - 993f, 3\n"                              \
	  "991:	.asciz \"stapsdt\"\n"                                          \
	  "992:	.balign 4\n"                                                   \
	  "993:	.8byte 990b, _.stapsdt.base, " users "\n"                      \
	  "	.asciz \"otel_memory\", \"" name "\", \"" arguments "\"\n"     \
	  "994:	.balign 4\n"                                                   \
	  ".popsection\n")

__asm__(".pushsection .stapsdt.base, \"aG\", @progbits, .stapsdt.base, comdat\n"
	".weak _.stapsdt.base\n"
	".hidden _.stapsdt.base\n"
	"_.stapsdt.base:\n"
	"	.space 1\n"
	".size _.stapsdt.base, 1\n"
	".popsection\n");

PROBE ("rt_probe_alloc", "rt_probe_alloc_users", "alloc",
       MACHINE_PROBE_ARGUMENTS_3);
PROBE ("rt_probe_free", "rt_probe_free_users", "free",
       MACHINE_PROBE_ARGUMENTS_1);
