/* An executable, shared object or separate debug file on disk.
   SPDX-License-Identifier: GPL-3.0-or-later

   libdwfl opens the file and what belongs to it: the separate debug file, which
   debug-file.c helps to find, dwz's common file, and the compressed symbol
   table of Fedora's stripped binaries.  BFD does less of this and hides the
   sizes of symbols; without them an address in a stripped library would get the
   name of any exported function that precedes it.  */

#include "object-file.h"
#include "debug-file.h"
#include "elf-section.h"
#include "split-units.h"
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In binutils 2.40, but not in every elf.h.  */
#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

#define DEFAULT_DEBUG_DIRECTORY "/usr/lib/debug"

struct symbol
{
  uint64_t start;
  uint64_t end;	  /* after the last byte */
  uint64_t reach; /* greatest END up to here, in sorted order */
  const char *name;
  bool is_global;
};

struct code_range
{
  uint64_t start;
  uint64_t end;
};

struct object_file
{
  char *path;
  struct debug_search search; /* CALLBACKS.debuginfo_path points at its text */
  Dwfl_Callbacks callbacks;
  Dwfl *dwfl;
  Dwfl_Module *module;
  const uint8_t *build_id;
  size_t build_id_bytes;
  struct code_range *code;
  size_t code_count;
  struct symbol *symbols;
  size_t symbol_count;
  bool has_read_symbols;
  Dwarf *dwarf; /* NULL: none, or not opened yet */
  Dwarf_Addr dwarf_bias;
  struct split_units *split_units;
  const char *debug_problem;
};

const char *
object_file_path (const struct object_file *file)
{
  return file->path;
}

const uint8_t *
object_file_build_id (const struct object_file *file, size_t *size)
{
  *size = file->build_id_bytes;
  return file->build_id;
}

bool
object_file_is_code (const struct object_file *file, uint64_t address)
{
  for (size_t i = 0; i < file->code_count; i++)
    if (address >= file->code[i].start && address < file->code[i].end)
      return true;
  return false;
}

void
object_file_close (struct object_file *file)
{
  if (file == NULL)
    return;
  split_units_close (file->split_units);
  if (file->dwfl != NULL)
    dwfl_end (file->dwfl);
  free (file->symbols);
  free (file->code);
  debug_content_close (file->search.content);
  free (file->search.directories);
  free (file->path);
  free (file);
}

/* Read the executable segments of ELF.  Return false if memory is
   exhausted.  */
static bool
read_segments (struct object_file *file, Elf *elf)
{
  size_t count;
  if (elf_getphdrnum (elf, &count) != 0)
    return true;
  file->code = calloc (count > 0 ? count : 1, sizeof *file->code);
  if (file->code == NULL)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      GElf_Phdr header;
      if (gelf_getphdr (elf, (int) i, &header) == NULL
	  || header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0)
	continue;
      struct code_range *range = &file->code[file->code_count++];
      range->start = header.p_vaddr;
      range->end = header.p_vaddr + header.p_memsz;
    }
  return true;
}

/* Return false and set *ERR if DESCRIPTOR is not an ELF file that can be
   loaded.  */
static bool
check_kind (const char *path, int descriptor, struct profile_error *err)
{
  elf_version (EV_CURRENT);
  Elf *elf = elf_begin (descriptor, ELF_C_READ_MMAP, NULL);
  GElf_Ehdr header;
  bool is_elf = elf != NULL && elf_kind (elf) == ELF_K_ELF
		&& gelf_getehdr (elf, &header) != NULL;
  elf_end (elf);
  if (!is_elf)
    return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			      "not an ELF file");
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
    return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
			      "neither an executable nor a shared object");
  return true;
}

/* Pass DESCRIPTOR to libdwfl, with a load bias of 0.  Return false and set *ERR
   if it rejects the file.  */
static bool
report_module (struct object_file *file, const char *path, int descriptor,
	       struct profile_error *err)
{
  file->callbacks.find_elf = dwfl_build_id_find_elf;
  file->callbacks.find_debuginfo = debug_file_find;
  file->callbacks.section_address = dwfl_offline_section_address;
  file->callbacks.debuginfo_path = &file->search.directories;
  file->dwfl = dwfl_begin (&file->callbacks);
  if (file->dwfl != NULL)
    {
      dwfl_report_begin (file->dwfl);
      file->module
	= dwfl_report_elf (file->dwfl, path, path, descriptor, 0, true);
      dwfl_report_end (file->dwfl, NULL, NULL);
    }
  if (file->module != NULL)
    {
      void **userdata;
      dwfl_module_info (file->module, &userdata, NULL, NULL, NULL, NULL, NULL,
			NULL);
      *userdata = &file->search;
      return true;
    }
  const char *why = dwfl_errmsg (-1);
  return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET, "%s",
			    why != NULL ? why : "cannot read as ELF");
}

/* Return the folders to search for debug files: the file's own, its .debug
   folder, then DIRECTORIES.  A relative one of these is below the current
   folder, not below the file's as in libdw.  */
static char *
make_search_path (const char *directories)
{
  char *path = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&path, &size);
  if (out == NULL)
    return NULL;
  fputs (":.debug", out);
  while (*directories != '\0')
    {
      int length = (int) strcspn (directories, ":");
      char *given = strndup (directories, (size_t) length);
      char *whole = given != NULL ? realpath (given, NULL) : NULL;
      if (whole != NULL)
	fprintf (out, ":%s", whole);
      else if (*directories == '/')
	fprintf (out, ":%.*s", length, directories);
      free (whole);
      free (given);
      directories += length;
      directories += *directories == ':';
    }
  if (fclose (out) == 0)
    return path;
  free (path);
  return NULL;
}

/* Copy the strings that the file must keep.  */
static bool
copy_strings (struct object_file *file, const char *path,
	      const char *debug_directories)
{
  file->path = strdup (path);
  file->search.directories
    = make_search_path (debug_directories != NULL ? debug_directories
						  : DEFAULT_DEBUG_DIRECTORY);
  return file->path != NULL && file->search.directories != NULL;
}

/* Read what object_file_open promises to know.  */
static bool
read_identity (struct object_file *file)
{
  GElf_Addr where;
  int size = dwfl_module_build_id (file->module, &file->build_id, &where);
  file->build_id_bytes = size > 0 ? (size_t) size : 0;
  GElf_Addr bias;
  Elf *elf = dwfl_module_getelf (file->module, &bias);
  return elf == NULL || read_segments (file, elf);
}

struct object_file *
object_file_open (const char *path, const char *debug_directories,
		  struct profile_error *err)
{
  /* Profiles name files: a pipe must not block.  */
  int descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    {
      profile_error_set_errno (err, path, "cannot open", errno);
      return NULL;
    }
  struct object_file *file = NULL;
  if (!check_kind (path, descriptor, err))
    goto fail;
  file = calloc (1, sizeof *file);
  if (file == NULL || !copy_strings (file, path, debug_directories))
    {
      profile_error_set_memory (err, path);
      goto fail;
    }
  if (!report_module (file, path, descriptor, err))
    goto fail;
  descriptor = -1;
  if (read_identity (file))
    return file;
  profile_error_set_memory (err, path);

fail:
  object_file_close (file);
  if (descriptor >= 0)
    close (descriptor);
  return NULL;
}

/* Return why libdw cannot read the debug information of ELF; NULL if it has
   none.  */
static const char *
find_unreadable (Elf *elf)
{
  GElf_Shdr header;
  GElf_Chdr compression;
  Elf_Scn *section = elf_section_find (elf, ".debug_info", &header);
  if (section == NULL)
    return NULL;
  if ((header.sh_flags & SHF_COMPRESSED) == 0
      || gelf_getchdr (section, &compression) == NULL
      || compression.ch_type == ELFCOMPRESS_ZLIB)
    return "its debug information cannot be read";
  if (compression.ch_type == ELFCOMPRESS_ZSTD)
    return "its debug information is compressed with zstd, which the installed "
	   "libdw cannot read";
  return "its debug information is compressed with an unknown method";
}

/* The same for the separate debug file PATH.  */
static const char *
find_unreadable_file (const char *path)
{
  int descriptor = open (path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return NULL;
  Elf *elf = elf_begin (descriptor, ELF_C_READ_MMAP, NULL);
  const char *why = find_unreadable (elf);
  elf_end (elf);
  close (descriptor);
  return why;
}

/* Return why libdw cannot read the debug information of the file or its debug
   file; NULL if they have none.  */
static const char *
find_debug_problem (struct object_file *file)
{
  GElf_Addr bias;
  const char *debug_file = NULL;
  const char *why = find_unreadable (dwfl_module_getelf (file->module, &bias));
  dwfl_module_info (file->module, NULL, NULL, NULL, NULL, NULL, NULL,
		    &debug_file);
  if (why == NULL && debug_file != NULL)
    why = find_unreadable_file (debug_file);
  return why;
}

struct Dwfl_Module *
object_file_module (struct object_file *file)
{
  return file->module;
}

/* If there is a package PATH.dwp of split debug information, use it.  */
static void
try_package (struct object_file *file, const char *path)
{
  char *package;
  bool is_damaged = false;
  if (path == NULL || file->split_units != NULL
      || asprintf (&package, "%s.dwp", path) < 0)
    return;
  file->split_units = split_units_open (file->dwarf, package, &is_damaged);
  if (file->split_units != NULL)
    file->dwarf = split_units_dwarf (file->split_units);
  if (is_damaged)
    file->debug_problem = "its package of split debug information (.dwp) "
			  "cannot be read";
  free (package);
}

struct Dwarf *
object_file_partial_info (struct object_file *file, uint64_t *bias,
			  struct debug_content **content)
{
  if (file->dwarf == NULL)
    {
      const char *debug_file = NULL;
      file->dwarf = dwfl_module_getdwarf (file->module, &file->dwarf_bias);
      dwfl_module_info (file->module, NULL, NULL, NULL, NULL, NULL, NULL,
			&debug_file);
      if (file->dwarf == NULL)
	file->debug_problem = find_debug_problem (file);
      else
	{
	  try_package (file, debug_file);
	  try_package (file, file->path);
	}
    }
  *bias = file->dwarf_bias;
  *content = file->dwarf != NULL ? file->search.content : NULL;
  return file->dwarf;
}

struct Dwarf *
object_file_debug_info (struct object_file *file, uint64_t *bias)
{
  struct debug_content *content;
  struct Dwarf *dwarf = object_file_partial_info (file, bias, &content);
  if (content == NULL || debug_content_complete (content))
    return dwarf;
  file->debug_problem = "its debug information cannot be read";
  return NULL;
}

struct split_units *
object_file_split_units (struct object_file *file)
{
  return file->split_units;
}

const char *
object_file_debug_problem (const struct object_file *file)
{
  return file->debug_problem;
}

/* Return true if ELF has a section of TYPE.  */
static bool
has_section (Elf *elf, GElf_Word type)
{
  Elf_Scn *section = NULL;
  while (elf != NULL && (section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr header;
      if (gelf_getshdr (section, &header) != NULL && header.sh_type == type)
	return true;
    }
  return false;
}

bool
object_file_has_symbols (const struct object_file *file)
{
  GElf_Addr bias;
  Dwarf *dwarf = dwfl_module_getdwarf (file->module, &bias);
  return has_section (dwfl_module_getelf (file->module, &bias), SHT_SYMTAB)
	 || (dwarf != NULL && has_section (dwarf_getelf (dwarf), SHT_SYMTAB));
}

static int
compare_symbols (const void *a, const void *b)
{
  const struct symbol *x = a;
  const struct symbol *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->is_global != y->is_global)
    return x->is_global ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* A symbol without a size, as produced from assembler sources, ends where the
   next one starts.  If another symbol with a size starts at the same place, it
   is an empty function.  */
static void
size_symbols (struct symbol *symbols, size_t count)
{
  uint64_t next = UINT64_MAX;
  size_t end = count;
  while (end > 0)
    {
      size_t begin = end - 1;
      bool has_size = symbols[begin].end > symbols[begin].start;
      while (begin > 0 && symbols[begin - 1].start == symbols[begin].start)
	{
	  begin--;
	  has_size |= symbols[begin].end > symbols[begin].start;
	}
      for (size_t i = begin; i < end && !has_size; i++)
	symbols[i].end = next;
      next = symbols[begin].start;
      end = begin;
    }
}

static void
finish_symbols (struct object_file *file)
{
  struct symbol *symbols = file->symbols;
  size_t count = file->symbol_count;
  qsort (symbols, count, sizeof *symbols, compare_symbols);
  size_symbols (symbols, count);
  uint64_t reach = 0;
  for (size_t i = 0; i < count; i++)
    {
      if (symbols[i].end > reach)
	reach = symbols[i].end;
      symbols[i].reach = reach;
    }
}

/* Return true if SYMBOL, called NAME, only marks where code or data starts:
   assemblers for AArch64 and RISC-V write them.  */
static bool
is_mark (const char *name, const GElf_Sym *symbol)
{
  return name[0] == '$' && (name[1] == 'x' || name[1] == 'd')
	 && GELF_ST_TYPE (symbol->st_info) == STT_NOTYPE
	 && GELF_ST_BIND (symbol->st_info) == STB_LOCAL && symbol->st_size == 0;
}

/* Collect the function symbols.  If memory is exhausted there are none, and
   functions keep their names in the debug information.  */
static void
read_symbols (struct object_file *file)
{
  file->has_read_symbols = true;
  int count = dwfl_module_getsymtab (file->module);
  if (count <= 0)
    return;
  file->symbols = calloc ((size_t) count, sizeof *file->symbols);
  if (file->symbols == NULL)
    return;
  for (int i = 0; i < count; i++)
    {
      GElf_Sym symbol;
      GElf_Addr address;
      GElf_Word section;
      const char *name
	= dwfl_module_getsym_info (file->module, i, &symbol, &address, &section,
				   NULL, NULL);
      if (name == NULL || *name == '\0' || section == SHN_UNDEF
	  || section == SHN_ABS)
	continue;
      unsigned int type = GELF_ST_TYPE (symbol.st_info);
      if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
	continue;
      if (!object_file_is_code (file, address) || is_mark (name, &symbol))
	continue;
      struct symbol *s = &file->symbols[file->symbol_count++];
      s->start = address;
      s->end = address + symbol.st_size;
      s->name = name;
      s->is_global = GELF_ST_BIND (symbol.st_info) != STB_LOCAL;
    }
  finish_symbols (file);
}

/* Return true if NAME contains the first HINT_BYTES bytes of HINT.  */
static bool
holds_hint (const char *name, const char *hint, size_t hint_bytes)
{
  return memmem (name, strlen (name), hint, hint_bytes) != NULL;
}

/* Return true if NAME is that of a complete constructor, C1.  */
static bool
is_complete_constructor (const char *name)
{
  return strstr (name, "C1") != NULL
	 && is_gnu_v3_mangled_ctor (name) == gnu_v3_complete_object_ctor;
}

/* Return the best of the symbols from FIRST to before END, which all have the
   same start.  */
static const struct symbol *
choose_symbol (const struct symbol *first, const struct symbol *end,
	       uint64_t address, const char *hint)
{
  size_t hint_bytes = hint != NULL ? strcspn (hint, "<") : 0;
  const struct symbol *best = NULL;
  const struct symbol *complete = NULL;
  for (const struct symbol *s = first; s < end; s++)
    {
      if (s->end <= address)
	continue;
      bool fits = hint != NULL && holds_hint (s->name, hint, hint_bytes);
      if (fits && !is_complete_constructor (s->name))
	return s;
      if (fits)
	complete = s;
      else if (best == NULL || s->is_global == best->is_global)
	best = s;
    }
  return complete != NULL ? complete : best;
}

const char *
object_file_symbol (struct object_file *file, uint64_t address,
		    const char *hint)
{
  /* The last symbol may have no size, and would extend to the end.  */
  if (!object_file_is_code (file, address))
    return NULL;
  if (!file->has_read_symbols)
    read_symbols (file);
  const struct symbol *symbols = file->symbols;
  size_t low = 0;
  size_t high = file->symbol_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (symbols[middle].start <= address)
	low = middle + 1;
      else
	high = middle;
    }
  while (low > 0 && symbols[low - 1].reach > address)
    {
      size_t end = low;
      while (low > 0 && symbols[low - 1].start == symbols[end - 1].start)
	low--;
      const struct symbol *best
	= choose_symbol (&symbols[low], &symbols[end], address, hint);
      if (best != NULL)
	return best->name;
    }
  return NULL;
}
