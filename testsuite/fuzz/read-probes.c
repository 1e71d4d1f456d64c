/* Reader of the sections of pseudo probes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "probe-files.h"
#include "reader.h"
#include <endian.h>
#include <string.h>

/* The input is as probe_files_sections makes it.  */
static bool
split (const unsigned char *data, size_t size, size_t *functions)
{
  uint32_t bytes;
  if (size < sizeof bytes)
    return false;
  memcpy (&bytes, data, sizeof bytes);
  *functions = le32toh (bytes);
  return *functions <= size - sizeof bytes;
}

/* Use every part of PROBES; all numbers must be valid.  */
static void
walk (const struct pseudo_probes *probes)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < probes->function_count; i++)
    {
      const struct pseudo_probe_function *function = &probes->functions[i];
      for (uint32_t j = 0; j < function->name_bytes; j++)
	sum += (unsigned char) function->name[j];
      if (i > 0 && function[-1].guid >= function->guid)
	reader_fail ("functions are not sorted");
    }
  for (uint32_t i = 0; i < probes->copy_count; i++)
    {
      const struct pseudo_probe_copy *copy = &probes->copies[i];
      bool is_inlined = copy->caller != PSEUDO_PROBE_NO_COPY;
      if (copy->function >= probes->function_count
	  || (is_inlined && copy->caller >= i)
	  || copy->depth
	       != (is_inlined ? probes->copies[copy->caller].depth + 1 : 0))
	reader_fail ("invalid copy");
    }
  for (uint32_t i = 0; i < probes->probe_count; i++)
    {
      const struct pseudo_probe *probe = &probes->probes[i];
      const struct pseudo_probe *call
	= pseudo_probes_call (probes, probe->address);
      if (probe->copy >= probes->copy_count || probe->kind >= PSEUDO_PROBE_KINDS
	  || (i > 0 && probe[-1].address > probe->address)
	  || pseudo_probes_first (probes, probe->address) > i
	  || (call == NULL && probe->kind != PSEUDO_PROBE_BLOCK))
	reader_fail ("invalid probe");
      sum += call != NULL ? call->number : 0;
    }
  if (sum == UINT64_MAX)
    reader_fail ("impossible sum");
}

static bool
read_probes (const unsigned char *data, size_t size, struct profile_error *err)
{
  struct pseudo_probe_symbol symbols[PROBE_FILE_SYMBOLS];
  struct pseudo_probes probes = { 0 };
  size_t functions;
  probe_files_symbols (symbols);
  if (!split (data, size, &functions))
    return profile_error_set (err, READER_PATH, 0, "no sections");
  data += sizeof (uint32_t);
  size -= sizeof (uint32_t);
  bool is_done
    = pseudo_probes_read_functions (&probes, READER_PATH, data, functions, err)
      && pseudo_probes_read (&probes, symbols, PROBE_FILE_SYMBOLS, READER_PATH,
			     data + functions, size - functions, err);
  reader_has_read ();
  if (is_done)
    walk (&probes);
  pseudo_probes_release (&probes);
  return is_done;
}

/* A probe has 24 bytes in arrays that double and are copied to be sorted.  */
const struct reader reader_pseudo_probes
  = { .name = "pseudo-probes", .read = read_probes, .bounds = { 20000, 40 } };
