/* The functions of sampled code, and their names in the profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sampled-functions.h"
#include "local-marks.h"
#include <stdlib.h>
#include <string.h>

/* Return how many of the N bytes of NAME, from debug information, LLVM uses to
   look up functions.  */
static size_t
llvm_name_bytes (const char *name, size_t n)
{
  static const char *const suffixes[] = { ".llvm.", ".part." };
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    {
      size_t bytes = strlen (suffixes[i]);
      const char *last = memrchr (name, '.', n);
      if (last == NULL || (size_t) (last - name) + 1 < bytes)
	continue;
      const char *start = last + 1 - bytes;
      if (memcmp (start, suffixes[i], bytes) == 0)
	n = (size_t) (start - name);
    }
  return n;
}

/* Return the name number of the source file PATH: gcc compares the last parts
   of paths.  */
static uint32_t
add_file (const struct sampled_functions *functions, const char *path)
{
  const char *slash = strrchr (path, '/');
  const char *file = slash != NULL ? slash + 1 : path;
  return sample_profile_add_name (functions->profile, file, strlen (file));
}

/* Return the name number of the N bytes of NAME, a function declared in the
   source file DECLARED_IN, NULL if unknown.  */
static uint32_t
add_in_file (const struct sampled_functions *functions, const char *name,
	     size_t n, const char *declared_in)
{
  if (!functions->options->has_files || declared_in == NULL)
    return sample_profile_add_name (functions->profile, name, n);
  uint32_t file = add_file (functions, declared_in);
  if (file == SAMPLE_NO_NAME)
    return SAMPLE_NO_NAME;
  return sample_profile_add_name_in_file (functions->profile, name, n, file);
}

/* add_in_file of NAME without marks of local functions.  */
static uint32_t
add_unmarked (const struct sampled_functions *functions, const char *name,
	      size_t n, const char *declared_in)
{
  char *copy = local_marks_remove (name, &n);
  if (copy == NULL)
    return SAMPLE_NO_NAME;
  uint32_t number = add_in_file (functions, copy, n, declared_in);
  free (copy);
  return number;
}

uint32_t
sampled_functions_add_name (const struct sampled_functions *functions,
			    const char *function, size_t function_bytes,
			    const char *described, const char *declared_in)
{
  const char *symbol = function;
  size_t symbol_bytes = function_bytes;
  bool is_described = !functions->options->has_symbol_names || function == NULL;
  if (is_described)
    {
      function = described;
      function_bytes = llvm_name_bytes (described, strlen (described));
    }
  uint32_t number
    = functions->options->drops_local_marks
	  && local_marks_are_possible (function, function_bytes)
	? add_unmarked (functions, function, function_bytes, declared_in)
	: add_in_file (functions, function, function_bytes, declared_in);
  if (number != SAMPLE_NO_NAME && is_described
      && functions->options->joined != NULL
      && !joined_names_add (functions->options->joined, number, described,
			    symbol, symbol_bytes))
    return SAMPLE_NO_NAME;
  return number;
}

bool
sampled_functions_is_initializer_n (const char *name, size_t n)
{
  static const char *const starts[] = { "__cxx_global_var_init", "__tls_init" };
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (n >= strlen (starts[i])
	&& memcmp (name, starts[i], strlen (starts[i])) == 0)
      return true;
  return false;
}

bool
sampled_functions_is_initializer (const char *name)
{
  return sampled_functions_is_initializer_n (name, strlen (name));
}

bool
sampled_functions_find (const struct sampled_functions *functions,
			uint64_t address, struct symbolizer_function *function)
{
  return symbolizer_function_at (functions->image->symbolizer, address,
				 !functions->options->has_symbol_names,
				 function);
}

/* Add the complete function at ADDRESS to OVERLAY with count 0: parts of a
   sampled function without samples did not run.  */
static bool
add_function_ranges (const struct sampled_functions *functions,
		     struct range_overlay *overlay, uint64_t address)
{
  struct symbolizer_function function;
  if (!sampled_functions_find (functions, address, &function))
    return false;
  for (size_t i = 0; i < function.range_count; i++)
    if (!range_overlay_add (overlay, function.ranges[i].start,
			    function.ranges[i].end - 1, 0))
      return false;
  return true;
}

bool
sampled_functions_overlay (const struct sampled_functions *functions,
			   const struct address_pairs *pairs, uint32_t number,
			   bool has_ranges, struct range_overlay *overlay)
{
  for (uint32_t i = 0; i < pairs->count; i++)
    {
      const struct address_pair *pair = &pairs->slots[i];
      if (pair->space != number)
	continue;
      uint64_t last = has_ranges ? pair->second : pair->first;
      if (!range_overlay_add (overlay, pair->first, last, pair->count)
	  || !add_function_ranges (functions, overlay, pair->first))
	return false;
    }
  return true;
}

/* Return true if ADDRESS, in the code of FUNCTION, is its entry.  If a function
   is split, only one part has its symbol.  */
static bool
is_entry (const struct sampled_functions *functions,
	  const struct symbolizer_function *function, uint64_t address)
{
  bool is_start = false;
  for (size_t i = 0; i < function->range_count; i++)
    is_start |= function->ranges[i].start == address;
  if (!is_start || function->range_count == 1)
    return is_start;
  const char *symbol
    = object_file_symbol (functions->image->file, address, NULL);
  const char *name = function->described_name;
  if (symbol == NULL || name == NULL)
    return false;
  size_t bytes = llvm_name_bytes (symbol, strlen (symbol));
  if (strlen (name) == bytes && memcmp (symbol, name, bytes) == 0)
    return true;
  /* gcc's debug information lacks some linkage names.  */
  return functions->options->has_symbol_names
	 && function->function_bytes == strlen (symbol)
	 && memcmp (function->function, symbol, function->function_bytes) == 0;
}

/* Return the symbol of the thunk whose entry is ADDRESS; NULL if there is none.
   A virtual table may have a thunk, which adjusts the object's address, in
   place of the function.  gcc does not describe thunks in the debug
   information.  */
static const char *
find_thunk (const struct sampled_functions *functions, uint64_t address)
{
  const char *symbol
    = object_file_symbol (functions->image->file, address, NULL);
  if (symbol == NULL || strncmp (symbol, "_ZT", 3) != 0
      || (symbol[3] != 'h' && symbol[3] != 'v' && symbol[3] != 'c'))
    return NULL;
  const char *before
    = object_file_symbol (functions->image->file, address - 1, NULL);
  return before == NULL || strcmp (before, symbol) != 0 ? symbol : NULL;
}

bool
sampled_functions_find_callee (const struct sampled_functions *functions,
			       uint64_t address, uint32_t *name)
{
  struct symbolizer_function function;
  *name = SAMPLE_NO_NAME;
  if (!sampled_functions_find (functions, address, &function))
    return false;
  const char *thunk = NULL;
  if (function.described_name == NULL && functions->options->has_symbol_names)
    thunk = find_thunk (functions, address);
  if (thunk != NULL)
    {
      *name
	= sample_profile_add_name (functions->profile, thunk, strlen (thunk));
      return *name != SAMPLE_NO_NAME;
    }
  if (function.described_name == NULL
      || !is_entry (functions, &function, address))
    return true;
  *name = sampled_functions_add_name (functions, function.function,
				      function.function_bytes,
				      function.described_name,
				      function.declared_in);
  return *name != SAMPLE_NO_NAME;
}
