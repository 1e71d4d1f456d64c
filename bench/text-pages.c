/* Count the code pages that a program touches, and its page faults.
   SPDX-License-Identifier: GPL-3.0-or-later

   This shared object is preloaded.  What it does before the program's
   constructors run depends on TEXT_PAGES_MODE:

   touch, the default
	All code pages are made inaccessible; when a page faults, it is counted
	and made accessible.  So the number does not depend on the kernel's
	read-ahead, and is the same in each run.  The program cannot install its
	own handler for SIGSEGV.
   warm
	All code pages are in the page cache, but not mapped.
   mapped
	All code pages are mapped.
   ahead
	No code page is in the page cache; a fault reads what the kernel thinks
	best, by the read-ahead of the disk.

   At the end, the file that TEXT_PAGES names gets five numbers: code pages
   touched (in other modes: those in the page cache), all code pages; major
   faults and minor faults of the whole process since then, not only of code;
   code pages that could not be removed from the page cache in mode "ahead".  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define PAGE_BYTES ((uintptr_t) 4096)

/* The addresses of the code segment.  */
static uintptr_t first, end;
static unsigned long touched, kept;
static struct rusage at_begin;
static int is_touch_mode;

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

static unsigned long
count_pages (void)
{
  return (end - first + PAGE_BYTES - 1) / PAGE_BYTES;
}

static void
fail (const char *what)
{
  perror (what);
  _exit (125);
}

/* The number of code pages in the page cache.  */
static unsigned long
count_cached (void)
{
  const unsigned long n = count_pages ();
  unsigned char *pages = malloc (n);
  unsigned long result = 0;
  if (pages == NULL || mincore ((void *) first, end - first, pages) != 0)
    fail ("text-pages: mincore");
  for (unsigned long i = 0; i < n; i++)
    result += pages[i] & 1;
  free (pages);
  return result;
}

/* Unmap the pages of code and constants, which come back when they fault.  */
static int
unmap_program (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  (void) data;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      const uintptr_t start = (info->dlpi_addr + header->p_vaddr) & -PAGE_BYTES;
      if (header->p_type != PT_LOAD || (header->p_flags & PF_W) != 0)
	continue;
      if (madvise ((void *) start,
		   info->dlpi_addr + header->p_vaddr + header->p_memsz - start,
		   MADV_DONTNEED)
	  != 0)
	fail ("text-pages: madvise");
    }
  return 1;
}

/* Remove the code from the page cache.  The file must be on its disk, and no
   other process may have mapped it.  A large unit of the cache goes only if
   none of its pages is mapped, so constants are unmapped as well; data must
   stay.  */
static void
drop (void)
{
  const int fd = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    fail ("/proc/self/exe");
  dl_iterate_phdr (unmap_program, NULL);
  posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED);
  close (fd);
  kept = count_cached ();
}

static void
map_pages (void)
{
  for (uintptr_t page = first; page < end; page += PAGE_BYTES)
    (void) *(const volatile char *) page;
}

static void
protect (void)
{
  static char stack[65536];
  const stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
  const struct sigaction action
    = { .sa_sigaction = on_fault,
	.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
  sigaltstack (&alternate, NULL);
  ((set_action *) dlsym (RTLD_NEXT, "sigaction")) (SIGSEGV, &action, NULL);
  mprotect ((void *) first, end - first, PROT_NONE);
}

static void __attribute__ ((constructor)) begin (void)
{
  const char *mode = getenv ("TEXT_PAGES_MODE");

  dl_iterate_phdr (take_program, NULL);
  is_touch_mode = mode == NULL || strcmp (mode, "touch") == 0;
  if (is_touch_mode)
    protect ();
  else if (strcmp (mode, "warm") == 0)
    madvise ((void *) first, end - first, MADV_DONTNEED);
  else if (strcmp (mode, "mapped") == 0)
    map_pages ();
  else if (strcmp (mode, "ahead") == 0)
    drop ();
  else
    {
      fprintf (stderr, "text-pages: TEXT_PAGES_MODE: invalid mode %s\n", mode);
      _exit (2);
    }
  getrusage (RUSAGE_SELF, &at_begin);
}

static void __attribute__ ((destructor)) finish (void)
{
  struct rusage now;
  getrusage (RUSAGE_SELF, &now);
  FILE *out = fopen (getenv ("TEXT_PAGES"), "w");
  if (out == NULL)
    return;
  fprintf (out, "%lu %lu %ld %ld %lu\n",
	   is_touch_mode ? touched : count_cached (), count_pages (),
	   now.ru_majflt - at_begin.ru_majflt,
	   now.ru_minflt - at_begin.ru_minflt, kept);
  fclose (out);
}
