/* The pseudo probes of an object file on disk.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "probe-object.h"
#include "elf-section.h"
#include "function-id.h"
#include "object-layout.h"
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

/* The symbols of code.  */
struct symbols
{
  struct pseudo_probe_symbol *symbols;
  size_t count;
  size_t capacity;
};

static bool
add_symbol (void *closure, const char *name, uint64_t address, uint64_t bytes,
	    bool is_code)
{
  struct symbols *symbols = closure;
  (void) bytes;
  if (!is_code)
    return true;
  if (symbols->count == symbols->capacity)
    {
      size_t capacity = symbols->capacity > 0 ? 2 * symbols->capacity : 256;
      void *grown
	= reallocarray (symbols->symbols, capacity, sizeof *symbols->symbols);
      if (grown == NULL)
	return false;
      symbols->symbols = grown;
      symbols->capacity = capacity;
    }
  symbols->symbols[symbols->count++]
    = (struct pseudo_probe_symbol){ function_guid (name, strlen (name)),
				    address };
  return true;
}

/* Return the content of the section NAME of FILE or of its debug file; NULL if
   there is none.  */
static Elf_Data *
find_section (struct object_file *file, const char *name)
{
  GElf_Addr bias;
  Elf_Data *data
    = elf_section_data (dwfl_module_getelf (object_file_module (file), &bias),
			name);
  if (data != NULL)
    return data;
  uint64_t debug_bias;
  Dwarf *dwarf = object_file_debug_info (file, &debug_bias);
  return dwarf != NULL ? elf_section_data (dwarf_getelf (dwarf), name) : NULL;
}

bool
probe_object_read (struct pseudo_probes *probes, struct object_file *file,
		   struct profile_error *err)
{
  struct symbols symbols = { 0 };
  const char *path = object_file_path (file);
  Elf_Data *functions = find_section (file, PSEUDO_PROBE_FUNCTIONS_SECTION);
  *probes = (struct pseudo_probes){ 0 };
  if (functions == NULL)
    return true;
  Elf_Data *data = find_section (file, PSEUDO_PROBE_SECTION);
  if (data == NULL)
    return true;
  bool is_done = object_visit_symbols (file, add_symbol, &symbols)
		 || profile_error_set_memory (err, path);
  if (is_done)
    {
      pseudo_probe_symbols_sort (symbols.symbols, symbols.count);
      is_done = pseudo_probes_read_functions (probes, path, functions->d_buf,
					      functions->d_size, err)
		&& pseudo_probes_read (probes, symbols.symbols, symbols.count,
				       path, data->d_buf, data->d_size, err);
    }
  free (symbols.symbols);
  if (!is_done)
    pseudo_probes_release (probes);
  return is_done;
}
