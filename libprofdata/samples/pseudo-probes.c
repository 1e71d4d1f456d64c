/* The pseudo probes of an object file.
   SPDX-License-Identifier: GPL-3.0-or-later

   doc/pseudo-probes.md describes the sections.  Inlined copies are nested in
   the record of the copy around them; they are read without recursion, as
   their depth is up to the file.  */

#include "pseudo-probes.h"
#include "byte-reader.h"
#include "growing-array.h"
#include "number-sort.h"
#include "sample-profile.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the byte with the kind of a probe.  */
#define KIND 0x0f
#define SENTINEL 0x20
#define HAS_DISCRIMINATOR 0x40
#define IS_DISTANCE 0x80

/* The least bytes of a function, of a probe, and of an inlined copy.  */
#define FUNCTION_BYTES 17
#define PROBE_BYTES 3
#define COPY_BYTES 11

/* Names of what is read, for errors.  */
static const char in_functions[]
  = PSEUDO_PROBE_FUNCTIONS_SECTION ": a function";
static const char in_probes[] = PSEUDO_PROBE_SECTION ": a function";

struct probe_reading
{
  struct byte_reader reader;
  struct pseudo_probes *probes;
  const struct pseudo_probe_symbol *symbols;
  size_t symbol_count;
  size_t *taken;    /* of the symbols: how many records began at the first of a
		       name */
  uint64_t address; /* of the probe before */
  bool has_addresses; /* probes have their own: an old form */
  bool is_at_start;   /* the next distance is from the start of the function
			 with START_GUID */
  uint64_t start_guid;
  size_t copy_capacity;
  size_t probe_capacity;
  uint32_t open[SAMPLE_DEEPEST + 1]; /* by depth: inlined copies that follow */
};

static int
compare_symbols (const void *a, const void *b)
{
  const struct pseudo_probe_symbol *x = a;
  const struct pseudo_probe_symbol *y = b;
  if (x->guid != y->guid)
    return x->guid < y->guid ? -1 : 1;
  return (x->address > y->address) - (x->address < y->address);
}

void
pseudo_probe_symbols_sort (struct pseudo_probe_symbol *symbols, size_t count)
{
  if (count > 0)
    qsort (symbols, count, sizeof *symbols, compare_symbols);
}

/* Order functions of one GUID as they were read: their names are in DATA.  */
static int
compare_functions (const void *a, const void *b)
{
  const struct pseudo_probe_function *x = a;
  const struct pseudo_probe_function *y = b;
  if (x->guid != y->guid)
    return x->guid < y->guid ? -1 : 1;
  return (x->name > y->name) - (x->name < y->name);
}

/* Make room for one more element of BYTES in the array *ELEMENTS of COUNT.  */
static bool
reserve (struct byte_reader *reader, void *elements, uint32_t count,
	 size_t *capacity, size_t bytes)
{
  return growing_array_reserve (elements, count, capacity, 1, bytes)
	 || byte_reader_fail_memory (reader);
}

/* Remove functions that are described again: two units may have an inlined
   function in common.  */
static void
sort_functions (struct pseudo_probes *probes)
{
  uint32_t kept = 0;
  if (probes->function_count == 0)
    return;
  qsort (probes->functions, probes->function_count, sizeof *probes->functions,
	 compare_functions);
  for (uint32_t i = 1; i < probes->function_count; i++)
    if (probes->functions[i].guid != probes->functions[kept].guid)
      probes->functions[++kept] = probes->functions[i];
  probes->function_count = kept + 1;
}

bool
pseudo_probes_read_functions (struct pseudo_probes *probes, const char *path,
			      const void *data, size_t size,
			      struct profile_error *err)
{
  struct byte_reader reader;
  size_t capacity = 0;
  byte_reader_init (&reader, path, data, size, err);
  while (byte_reader_left (&reader) > 0)
    {
      struct pseudo_probe_function function;
      size_t start = reader.position;
      if (!byte_reader_need (&reader, 1, FUNCTION_BYTES, in_functions))
	return false;
      function.guid = byte_reader_u64 (&reader, in_functions);
      function.checksum = byte_reader_u64 (&reader, in_functions);
      function.name_bytes = byte_reader_uleb128_u32 (&reader, in_functions);
      function.name
	= byte_reader_bytes (&reader, function.name_bytes, in_functions);
      if (function.name == NULL)
	return false;
      if (function.name_bytes == 0
	  || memchr (function.name, 0, function.name_bytes) != NULL
	  || memchr (function.name, '\n', function.name_bytes) != NULL)
	return byte_reader_fail (&reader, start,
				 PSEUDO_PROBE_FUNCTIONS_SECTION
				 ": invalid name of a function");
      if (!reserve (&reader, &probes->functions, probes->function_count,
		    &capacity, sizeof function))
	return false;
      probes->functions[probes->function_count++] = function;
    }
  sort_functions (probes);
  return true;
}

/* Set *NUMBER to that of the function with GUID, read at START.  */
static bool
find_function (struct probe_reading *reading, uint64_t guid, size_t start,
	       uint32_t *number)
{
  const struct pseudo_probes *probes = reading->probes;
  uint32_t low = 0;
  uint32_t high = probes->function_count;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (probes->functions[middle].guid < guid)
	low = middle + 1;
      else
	high = middle;
    }
  *number = low;
  if (low < probes->function_count && probes->functions[low].guid == guid)
    return true;
  return byte_reader_fail (&reading->reader, start,
			   PSEUDO_PROBE_SECTION
			   ": the function with GUID %#" PRIx64
			   " is not described",
			   guid);
}

/* Set *ADDRESS to that of the symbol with GUID.  Of several symbols of one name
   take one after the other: records are in the order of the code.  Return false
   if there is none.  */
static bool
take_symbol (struct probe_reading *reading, uint64_t guid, uint64_t *address)
{
  const struct pseudo_probe_symbol *symbols = reading->symbols;
  size_t low = 0;
  size_t high = reading->symbol_count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (symbols[middle].guid < guid)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == reading->symbol_count || symbols[low].guid != guid)
    return false;
  size_t at = low + reading->taken[low];
  bool is_last
    = at + 1 == reading->symbol_count || symbols[at + 1].guid != guid;
  reading->taken[low] += !is_last;
  *address = symbols[at].address;
  return true;
}

/* Read the distance to the probe before: a signed LEB128 number.  */
static uint64_t
read_distance (struct byte_reader *reader)
{
  size_t start = reader->position;
  uint64_t value = 0;
  for (unsigned int shift = 0; shift < 64; shift += 7)
    {
      uint8_t byte = byte_reader_u8 (reader, PSEUDO_PROBE_SECTION ": a probe");
      uint64_t bits = byte & 0x7f;
      if (shift == 63 && bits != 0 && bits != 0x7f)
	break;
      value |= bits << shift;
      if (!(byte & 0x80))
	return shift < 57 && (byte & 0x40)
		 ? value | -(uint64_t) 1 << (shift + 7)
		 : value;
    }
  byte_reader_fail (reader, start,
		    PSEUDO_PROBE_SECTION ": a distance exceeds 64 bits");
  return 0;
}

/* Read one probe of COPY, or where its function's code begins.  */
static bool
read_probe (struct probe_reading *reading, uint32_t copy)
{
  static const char what[] = PSEUDO_PROBE_SECTION ": a probe";
  struct byte_reader *reader = &reading->reader;
  struct pseudo_probes *probes = reading->probes;
  size_t start = reader->position;
  struct pseudo_probe probe = { .copy = copy };
  probe.number = byte_reader_uleb128_u32 (reader, what);
  uint8_t flags = byte_reader_u8 (reader, what);
  bool is_sentinel = (flags & SENTINEL) != 0;
  probe.kind = flags & KIND;
  if (reading->is_at_start && !is_sentinel)
    take_symbol (reading, reading->start_guid, &reading->address);
  reading->is_at_start = false;
  if ((flags & IS_DISTANCE) != 0)
    reading->address += read_distance (reader);
  else
    {
      uint64_t value = byte_reader_u64 (reader, what);
      if (!is_sentinel || !take_symbol (reading, value, &reading->address))
	reading->address = value;
      reading->has_addresses |= !is_sentinel;
    }
  probe.address = reading->address;
  if ((flags & HAS_DISCRIMINATOR) != 0)
    probe.discriminator = byte_reader_uleb128_u32 (reader, what);
  if (reader->failed || is_sentinel)
    return !reader->failed;
  if (probe.kind >= PSEUDO_PROBE_KINDS)
    return byte_reader_fail (reader, start,
			     PSEUDO_PROBE_SECTION ": unknown probe type %u",
			     probe.kind);
  if (!reserve (reader, &probes->probes, probes->probe_count,
		&reading->probe_capacity, sizeof probe))
    return false;
  probes->probes[probes->probe_count++] = probe;
  return true;
}

/* Read the next copy, inlined into CALLER unless that is PSEUDO_PROBE_NO_COPY,
   without those that are inlined into it: set *INLINED to their number.  */
static bool
read_copy (struct probe_reading *reading, uint32_t caller, uint32_t *inlined)
{
  struct byte_reader *reader = &reading->reader;
  struct pseudo_probes *probes = reading->probes;
  struct pseudo_probe_copy copy = { .caller = caller };
  size_t start = reader->position;
  if (caller != PSEUDO_PROBE_NO_COPY)
    {
      copy.site = byte_reader_uleb128_u32 (reader, in_probes);
      copy.depth = probes->copies[caller].depth + 1;
    }
  uint64_t guid = byte_reader_u64 (reader, in_probes);
  uint32_t count = byte_reader_uleb128_u32 (reader, in_probes);
  *inlined = byte_reader_uleb128_u32 (reader, in_probes);
  if (!byte_reader_need (reader, count, PROBE_BYTES, in_probes)
      || !byte_reader_need (reader, *inlined, COPY_BYTES, in_probes)
      || !find_function (reading, guid, start, &copy.function))
    return false;
  if (copy.depth >= SAMPLE_DEEPEST)
    return byte_reader_fail (reader, start,
			     PSEUDO_PROBE_SECTION
			     ": functions are inlined more than %u deep",
			     SAMPLE_DEEPEST);
  if (caller == PSEUDO_PROBE_NO_COPY)
    {
      reading->is_at_start = !reading->has_addresses;
      reading->start_guid = guid;
    }
  uint32_t number = probes->copy_count;
  if (!reserve (reader, &probes->copies, number, &reading->copy_capacity,
		sizeof copy))
    return false;
  probes->copies[probes->copy_count++] = copy;
  for (uint32_t i = 0; i < count; i++)
    if (!read_probe (reading, number))
      return false;
  return true;
}

/* Read a function with everything that is inlined into it.  */
static bool
read_tree (struct probe_reading *reading)
{
  uint32_t copy = reading->probes->copy_count;
  uint32_t depth = 0;
  if (!read_copy (reading, PSEUDO_PROBE_NO_COPY, &reading->open[0]))
    return false;
  for (;;)
    {
      const struct pseudo_probe_copy *copies = reading->probes->copies;
      while (reading->open[depth] == 0)
	{
	  if (depth-- == 0)
	    return true;
	  copy = copies[copy].caller;
	}
      reading->open[depth]--;
      uint32_t next = reading->probes->copy_count;
      if (!read_copy (reading, copy, &reading->open[depth + 1]))
	return false;
      copy = next;
      depth++;
    }
}

/* Sort the probes by address and keep the order of those at one address.  */
static bool
sort_probes (struct probe_reading *reading)
{
  struct pseudo_probes *probes = reading->probes;
  size_t count = probes->probe_count;
  if (count == 0)
    return true;
  struct pseudo_probe *spare = malloc (count * sizeof *spare);
  if (spare == NULL)
    return byte_reader_fail_memory (&reading->reader);
  number_sort (probes->probes, spare, count, sizeof *spare);
  free (spare);
  return true;
}

bool
pseudo_probes_read (struct pseudo_probes *probes,
		    const struct pseudo_probe_symbol *symbols, size_t count,
		    const char *path, const void *data, size_t size,
		    struct profile_error *err)
{
  struct probe_reading *reading = calloc (1, sizeof *reading);
  size_t *taken = calloc (count > 0 ? count : 1, sizeof *taken);
  bool is_done = reading != NULL && taken != NULL;
  if (!is_done)
    profile_error_set_memory (err, path);
  else
    {
      *reading = (struct probe_reading){ .probes = probes,
					 .symbols = symbols,
					 .symbol_count = count,
					 .taken = taken };
      byte_reader_init (&reading->reader, path, data, size, err);
      while (is_done && byte_reader_left (&reading->reader) > 0)
	is_done = read_tree (reading);
      is_done = is_done && sort_probes (reading);
    }
  free (taken);
  free (reading);
  return is_done;
}

void
pseudo_probes_release (struct pseudo_probes *probes)
{
  free (probes->functions);
  free (probes->copies);
  free (probes->probes);
  *probes = (struct pseudo_probes){ 0 };
}

uint32_t
pseudo_probes_first (const struct pseudo_probes *probes, uint64_t address)
{
  uint32_t low = 0;
  uint32_t high = probes->probe_count;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (probes->probes[middle].address < address)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

const struct pseudo_probe *
pseudo_probes_call (const struct pseudo_probes *probes, uint64_t address)
{
  for (uint32_t i = pseudo_probes_first (probes, address);
       i < probes->probe_count && probes->probes[i].address == address; i++)
    if (probes->probes[i].kind != PSEUDO_PROBE_BLOCK)
      return &probes->probes[i];
  return NULL;
}
