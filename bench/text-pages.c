/* Count the code pages that a program touches.
   SPDX-License-Identifier: GPL-3.0-or-later

   This shared object is preloaded.  Before the program's constructors run, it
   makes all code pages inaccessible; when a page faults, it counts the page and
   makes it accessible.  So the number does not depend on the kernel's
   read-ahead, and is the same in each run.  At the end, the number and that of
   all pages are written to the file that TEXT_PAGES names.  The program cannot
   install its own handler for SIGSEGV.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE_BYTES ((uintptr_t) 4096)

static uintptr_t first, end; /* of the code segment */
static unsigned int touched;

typedef int set_action (int, const struct sigaction *, struct sigaction *);
typedef sighandler_t set_handler (int, sighandler_t);

int
sigaction (int number, const struct sigaction *action, struct sigaction *old)
{
  set_action *next = (set_action *) dlsym (RTLD_NEXT, "sigaction");
  return number == SIGSEGV ? 0 : next (number, action, old);
}

sighandler_t
signal (int number, sighandler_t handler)
{
  set_handler *next = (set_handler *) dlsym (RTLD_NEXT, "signal");
  return number == SIGSEGV ? SIG_DFL : next (number, handler);
}

static void
on_fault (int number, siginfo_t *info, void *context)
{
  const uintptr_t address = (uintptr_t) info->si_addr;
  (void) context;
  (void) number;
  if (address < first || address >= end)
    abort ();
  touched++;
  mprotect ((void *) (address & -PAGE_BYTES), PAGE_BYTES,
	    PROT_READ | PROT_EXEC);
}

/* The program is the first of the modules.  */
static int
take_program (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  (void) data;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      if (header->p_type != PT_LOAD || (header->p_flags & PF_X) == 0)
	continue;
      first = (info->dlpi_addr + header->p_vaddr) & -PAGE_BYTES;
      end = info->dlpi_addr + header->p_vaddr + header->p_memsz;
    }
  return 1;
}

static void __attribute__ ((constructor)) begin (void)
{
  static char stack[65536];
  const stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
  const struct sigaction action
    = { .sa_sigaction = on_fault,
	.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
  dl_iterate_phdr (take_program, NULL);
  sigaltstack (&alternate, NULL);
  ((set_action *) dlsym (RTLD_NEXT, "sigaction")) (SIGSEGV, &action, NULL);
  mprotect ((void *) first, end - first, PROT_NONE);
}

static void __attribute__ ((destructor)) finish (void)
{
  FILE *out = fopen (getenv ("TEXT_PAGES"), "w");
  if (out == NULL)
    return;
  fprintf (out, "%u %lu\n", touched,
	   (unsigned long) ((end - first + PAGE_BYTES - 1) / PAGE_BYTES));
  fclose (out);
}
