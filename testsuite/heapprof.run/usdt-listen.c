/* Listen to a program's probes with the kernel's help: usdt-listen HOW FILE
   PROGRAM ARGUMENT...
   SPDX-License-Identifier: GPL-3.0-or-later

   Runs PROGRAM and prints what passes the probes of FILE meanwhile, in two
   lists: alloc POINTER SIZE WEIGHTED, then free POINTER.  HOW is users, or deaf,
   which does not count as a listener.  Exits with status 77 and prints a reason
   if the kernel offers no such events.  */

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define RING_PAGES 1024
#define PAGE_BYTES 4096

/* Bits of linux/perf_regs' registers.  */
enum
{
  REGISTER_DX = 3,
  REGISTER_SI = 4,
  REGISTER_DI = 5
};

struct probe
{
  const char *name;
  const char *arguments;
  uint64_t offset; /* in the file; 0: not found */
  uint64_t users_offset;
  int fd;
  char *ring;
};

static struct probe probes[] = { { "alloc", "8@%rdi 8@%rsi 8@%rdx", 0, 0, 0, 0 },
				 { "free", "8@%rdi", 0, 0, 0, 0 } };

static _Noreturn void
stop (int status, const char *what)
{
  fprintf (stderr, "%s: %s\n", what, strerror (errno));
  exit (status);
}

/* Return the place in the file that is loaded at ADDRESS.  */
static uint64_t
offset_of (const char *elf, uint64_t address)
{
  const Elf64_Ehdr *header = (const Elf64_Ehdr *) elf;
  const Elf64_Phdr *segments = (const Elf64_Phdr *) (elf + header->e_phoff);
  for (int i = 0; i < header->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD && address >= segments[i].p_vaddr
	&& address - segments[i].p_vaddr < segments[i].p_filesz)
      return address - segments[i].p_vaddr + segments[i].p_offset;
  return 0;
}

static const Elf64_Shdr *
section_of (const char *elf, const char *name)
{
  const Elf64_Ehdr *header = (const Elf64_Ehdr *) elf;
  const Elf64_Shdr *sections = (const Elf64_Shdr *) (elf + header->e_shoff);
  const char *names = elf + sections[header->e_shstrndx].sh_offset;
  for (int i = 0; i < header->e_shnum; i++)
    if (strcmp (names + sections[i].sh_name, name) == 0)
      return &sections[i];
  return NULL;
}

static void
take_note (const char *elf, const char *data, uint64_t base)
{
  uint64_t words[3];
  memcpy (words, data, sizeof words);
  const char *provider = data + sizeof words;
  const char *name = provider + strlen (provider) + 1;
  const char *arguments = name + strlen (name) + 1;
  if (strcmp (provider, "otel_memory") != 0)
    return;
  for (int i = 0; i < 2; i++)
    if (strcmp (name, probes[i].name) == 0
	&& strcmp (arguments, probes[i].arguments) == 0)
      {
	probes[i].offset = offset_of (elf, words[0] + base - words[1]);
	probes[i].users_offset = offset_of (elf, words[2] + base - words[1]);
      }
}

static void
find_probes (const char *path)
{
  struct stat info;
  int fd = open (path, O_RDONLY);
  if (fd < 0 || fstat (fd, &info) != 0)
    stop (1, path);
  const char *elf
    = mmap (NULL, (size_t) info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (elf == MAP_FAILED)
    stop (1, path);
  const Elf64_Shdr *notes = section_of (elf, ".note.stapsdt");
  const Elf64_Shdr *base = section_of (elf, ".stapsdt.base");
  if (notes == NULL || base == NULL)
    stop (1, "no notes");
  for (uint64_t at = 0; at < notes->sh_size;)
    {
      Elf64_Nhdr note;
      const char *data = elf + notes->sh_offset + at;
      memcpy (&note, data, sizeof note);
      data += sizeof note + (note.n_namesz + 3) / 4 * 4;
      if (note.n_type == 3)
	take_note (elf, data, base->sh_addr);
      at += sizeof note + (note.n_namesz + 3) / 4 * 4
	    + (note.n_descsz + 3) / 4 * 4;
    }
  for (int i = 0; i < 2; i++)
    if (probes[i].offset == 0 || probes[i].users_offset == 0)
      stop (1, "a probe is missing");
}

static uint32_t
uprobe_type (void)
{
  unsigned int type;
  FILE *file = fopen ("/sys/bus/event_source/devices/uprobe/type", "r");
  if (file == NULL || fscanf (file, "%u", &type) != 1)
    stop (77, "the kernel has no uprobes");
  fclose (file);
  return type;
}

static void
listen_to (struct probe *probe, const char *path, int counts, pid_t child)
{
  struct perf_event_attr event
    = { .type = uprobe_type (),
	.size = sizeof event,
	.config = counts ? probe->users_offset << 32 : 0,
	.uprobe_path = (uint64_t) (uintptr_t) path,
	.probe_offset = probe->offset,
	.sample_period = 1,
	.sample_type = PERF_SAMPLE_REGS_USER,
	.sample_regs_user
	= 1 << REGISTER_DX | 1 << REGISTER_SI | 1 << REGISTER_DI };
  probe->fd = (int) syscall (SYS_perf_event_open, &event, child, -1, -1, 0);
  if (probe->fd < 0)
    stop (77, "perf_event_open");
  probe->ring = mmap (NULL, (RING_PAGES + 1) * PAGE_BYTES,
		      PROT_READ | PROT_WRITE, MAP_SHARED, probe->fd, 0);
  if (probe->ring == MAP_FAILED)
    stop (77, "a ring of events");
}

static void
print_events (const struct probe *probe)
{
  const struct perf_event_mmap_page *page
    = (const struct perf_event_mmap_page *) probe->ring;
  const char *data = probe->ring + PAGE_BYTES;
  uint64_t head = __atomic_load_n (&page->data_head, __ATOMIC_ACQUIRE);
  if (head > RING_PAGES * PAGE_BYTES)
    stop (1, "too many events");
  for (uint64_t at = 0; at < head;)
    {
      const struct perf_event_header *header
	= (const struct perf_event_header *) (data + at);
      /* The ABI, then the registers in the order of their bits.  */
      const uint64_t *words = (const uint64_t *) (header + 1);
      if (header->type == PERF_RECORD_SAMPLE && probe == &probes[0])
	printf ("alloc 0x%lx %lu %lu\n", words[3], words[2], words[1]);
      else if (header->type == PERF_RECORD_SAMPLE)
	printf ("free 0x%lx\n", words[3]);
      else if (header->type == PERF_RECORD_LOST)
	stop (1, "lost events");
      at += header->size;
    }
}

int
main (int count, char **arguments)
{
  int ready[2], status;
  char byte;
  if (count < 4 || pipe (ready) != 0)
    return 2;
  int counts = strcmp (arguments[1], "users") == 0;
  find_probes (arguments[2]);
  pid_t child = fork ();
  if (child == 0)
    {
      int null = open ("/dev/null", O_WRONLY);
      close (ready[1]);
      if (read (ready[0], &byte, 1) != 1)
	_exit (1);
      if (getenv ("LISTEN_OUTPUT") != NULL)
	null = open (getenv ("LISTEN_OUTPUT"), O_WRONLY | O_CREAT | O_TRUNC,
		     0666);
      dup2 (null, 1);
      if (getenv ("LISTEN_PRELOAD") != NULL)
	setenv ("LD_PRELOAD", getenv ("LISTEN_PRELOAD"), 1);
      execv (arguments[3], arguments + 3);
      _exit (127);
    }
  for (int i = 0; i < 2; i++)
    listen_to (&probes[i], arguments[2], counts, child);
  if (write (ready[1], "x", 1) != 1 || waitpid (child, &status, 0) != child)
    return 1;
  for (int i = 0; i < 2; i++)
    print_events (&probes[i]);
  return status == 0 ? 0 : 1;
}
