/* Writing function counters as text.
   SPDX-License-Identifier: GPL-3.0-or-later

   The comments are the same as LLVM's, so that files can be compared.  */

#include "pgo-text.h"
#include "byte-writer.h"
#include "counter-values.h"
#include "plain-text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text_writer
{
  struct byte_writer bytes;
  const struct counter_profile *profile;
  struct pgo_text_losses *losses;
};

static void
print_name (struct text_writer *text, uint32_t name)
{
  byte_writer_bytes (&text->bytes, counter_profile_name (text->profile, name),
		     counter_profile_name_bytes (text->profile, name));
}

/* Return true if NAME can be written alone on a line and read back
   unchanged.  */
static bool
is_readable (const struct text_writer *text, uint32_t name)
{
  const char *bytes = counter_profile_name (text->profile, name);
  size_t n = counter_profile_name_bytes (text->profile, name);
  return (n > 0 && bytes[0] != '#' && bytes[0] != ':'
	  && plain_text_is_all_plain (bytes, n)
	  && strspn (bytes, "0123456789") < n);
}

static void
print_flags (struct text_writer *text)
{
  unsigned int flags = counter_profile_flags (text->profile);
  if (flags & COUNTER_CONTEXT_SENSITIVE)
    byte_writer_print (&text->bytes,
		       "# CSIR level Instrumentation Flag\n:csir\n");
  else if (flags & COUNTER_IR)
    byte_writer_print (&text->bytes, "# IR level Instrumentation Flag\n:ir\n");
  if (flags & COUNTER_ENTRY_FIRST)
    byte_writer_print (&text->bytes,
		       "# Always instrument the function entry block\n"
		       ":entry_first\n");
  if (flags & COUNTER_LOOP_ENTRIES)
    byte_writer_print (&text->bytes,
		       "# Always instrument the loop entry blocks\n"
		       ":instrument_loop_entries\n");
  if (flags & COUNTER_SINGLE_BYTE)
    byte_writer_print (&text->bytes,
		       "# Instrument block coverage\n:single_byte_coverage\n");
}

/* Return the name of step GUID of a trace, UINT32_MAX if it cannot be
   written.  */
static uint32_t
find_step (const struct text_writer *text, uint64_t guid)
{
  uint32_t name = counter_profile_find_guid (text->profile, guid);
  if (name == UINT32_MAX || !is_readable (text, name))
    return UINT32_MAX;
  const char *bytes = counter_profile_name (text->profile, name);
  size_t n = counter_profile_name_bytes (text->profile, name);
  /* Spaces around a step are not part of it.  */
  for (size_t i = 0; i < n; i++)
    if (bytes[i] == ',' || bytes[i] == ' ')
      return UINT32_MAX;
  return name;
}

/* Return how many steps of TRACE can be written.  */
static size_t
count_steps (const struct text_writer *text, const struct counter_trace *trace)
{
  size_t n = 0;
  for (size_t i = 0; i < trace->count; i++)
    n += find_step (text, trace->guids[i]) != UINT32_MAX;
  return n;
}

static void
print_traces (struct text_writer *text)
{
  uint32_t count = counter_profile_trace_count (text->profile);
  uint32_t *order = counter_profile_trace_order (text->profile);
  uint32_t written = 0;
  if (!order)
    {
      text->bytes.failed = true;
      return;
    }
  for (uint32_t i = 0; i < count; i++)
    {
      const struct counter_trace *trace
	= counter_profile_trace (text->profile, order[i]);
      size_t steps = count_steps (text, trace);
      text->losses->unknown_steps += trace->count - steps;
      if (steps > 0)
	order[written++] = order[i];
    }
  byte_writer_print (
    &text->bytes,
    ":temporal_prof_traces\n# Num Temporal Profile Traces:\n%" PRIu32 "\n",
    written);
  byte_writer_print (&text->bytes,
		     "# Temporal Profile Trace Stream Size:\n%" PRIu64 "\n",
		     counter_profile_stream (text->profile));
  for (uint32_t i = 0; i < written; i++)
    {
      const struct counter_trace *trace
	= counter_profile_trace (text->profile, order[i]);
      byte_writer_print (&text->bytes, "# Weight:\n%" PRIu64 "\n",
			 trace->weight);
      for (size_t k = 0; k < trace->count; k++)
	{
	  uint32_t name = find_step (text, trace->guids[k]);
	  if (name == UINT32_MAX)
	    continue;
	  print_name (text, name);
	  byte_writer_print (&text->bytes, ",");
	}
      byte_writer_print (&text->bytes, "\n");
    }
  byte_writer_print (&text->bytes, "\n");
  free (order);
}

static void
print_value (struct text_writer *text, enum counter_value_kind kind,
	     const struct counter_value *value)
{
  if (kind == COUNTER_MEMOP_SIZE)
    {
      byte_writer_print (&text->bytes, "%" PRIu64 ":%" PRIu64 "\n",
			 value->value, value->count);
      return;
    }
  uint32_t name = counter_profile_find_guid (text->profile, value->value);
  if (name == UINT32_MAX || !is_readable (text, name))
    {
      text->losses->unknown_targets += value->value != 0;
      byte_writer_print (&text->bytes, "** External Symbol **");
    }
  else
    print_name (text, name);
  byte_writer_print (&text->bytes, ":%" PRIu64 "\n", value->count);
}

static void
print_kind (struct text_writer *text, const struct counter_function *function,
	    enum counter_value_kind kind)
{
  static const char *const names[COUNTER_VALUE_KINDS]
    = { "IPVK_IndirectCallTarget", "IPVK_MemOPSize", "IPVK_VTableTarget" };
  uint32_t sites = function->shape.site_counts[kind];
  byte_writer_print (&text->bytes,
		     "# ValueKind = %s:\n%d\n# NumValueSites:\n%" PRIu32 "\n",
		     names[kind], kind, sites);
  for (uint32_t i = 0; i < sites; i++)
    {
      const struct counter_value_site *site = &function->sites[kind][i];
      struct counter_value *values = counter_site_sorted (site);
      if (!values)
	text->bytes.failed = true;
      byte_writer_print (&text->bytes, "%" PRIu32 "\n", site->count);
      for (uint32_t k = 0; values && k < site->count; k++)
	print_value (text, kind, &values[k]);
      free (values);
    }
}

static void
print_values (struct text_writer *text, const struct counter_function *function)
{
  int kinds = 0;
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    kinds += function->shape.site_counts[kind] > 0;
  if (kinds == 0)
    return;
  byte_writer_print (&text->bytes, "# Num Value Kinds:\n%d\n", kinds);
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    if (function->shape.site_counts[kind] > 0)
      print_kind (text, function, kind);
}

static void
print_function (struct text_writer *text,
		const struct counter_function *function)
{
  const struct counter_shape *shape = &function->shape;
  print_name (text, function->name);
  byte_writer_print (&text->bytes,
		     "\n# Func Hash:\n%" PRIu64 "\n# Num Counters:\n%" PRIu32
		     "\n# Counter Values:\n",
		     function->hash, shape->counter_count);
  for (uint32_t i = 0; i < shape->counter_count; i++)
    byte_writer_print (&text->bytes, "%" PRIu64 "\n", function->counters[i]);
  if (shape->bitmap_bytes > 0)
    {
      byte_writer_print (&text->bytes,
			 "# Num Bitmap Bytes:\n$%" PRIu32
			 "\n# Bitmap Byte Values:\n",
			 shape->bitmap_bytes);
      for (uint32_t i = 0; i < shape->bitmap_bytes; i++)
	byte_writer_print (&text->bytes, "0x%x\n", function->bitmap[i]);
      byte_writer_print (&text->bytes, "\n");
    }
  print_values (text, function);
  byte_writer_print (&text->bytes, "\n");
}

/* Print the functions that can be printed.  Set *WANTED to the number that
   should be.  */
static bool
print_functions (struct text_writer *text, bool sparse, uint32_t *wanted)
{
  *wanted = 0;
  uint32_t count = counter_profile_function_count (text->profile);
  uint32_t *order = counter_profile_order (text->profile);
  for (uint32_t i = 0; order && i < count; i++)
    {
      const struct counter_function *function
	= counter_profile_function (text->profile, order[i]);
      if (sparse && !counter_function_has_counts (function))
	continue;
      ++*wanted;
      /* After counters, `$' would start a bitmap.  */
      if (!is_readable (text, function->name)
	  || counter_profile_name (text->profile, function->name)[0] == '$'
	  || function->shape.counter_count == 0)
	text->losses->names++;
      else
	print_function (text, function);
    }
  free (order);
  return order != NULL;
}

/* Return true if text that starts with the SIZE bytes at DATA, a name, could be
   mistaken for another format.  Readers look at the first 8 bytes, which must
   be ASCII; YAML starts with dashes, and samples with a name, a colon and a
   number.  */
static bool
is_ambiguous (const char *data, size_t size)
{
  const char *end = memchr (data, '\n', size);
  size_t n = end ? (size_t) (end - data) : size;
  bool is_plain = n < 3 || memcmp (data, "---", 3) != 0;
  for (size_t i = 0; i < n; i++)
    {
      bool is_ascii = data[i] >= ' ' && data[i] <= '~';
      bool is_number
	= i > 0 && data[i - 1] == ':' && data[i] >= '0' && data[i] <= '9';
      is_plain &= (is_ascii || i >= 8) && !is_number;
    }
  return !is_plain;
}

/* Without flags the text starts with a name.  If that is ambiguous, or there is
   no name, start with the flag for the default, :fe.  */
static void
disambiguate (struct text_writer *text)
{
  struct byte_writer names = text->bytes;
  if (names.failed
      || (names.size > 0
	  && (names.data[0] == '#'
	      || !is_ambiguous ((const char *) names.data, names.size))))
    return;
  text->bytes = (struct byte_writer){ 0 };
  byte_writer_print (&text->bytes, "# Front-end Instrumentation Flag\n:fe\n");
  byte_writer_bytes (&text->bytes, names.data, names.size);
  byte_writer_free (&names);
}

bool
pgo_text_serialize (const struct counter_profile *profile, bool sparse,
		    void **data, size_t *size, struct pgo_text_losses *losses,
		    struct profile_error *err)
{
  struct text_writer text = { .profile = profile, .losses = losses };
  *losses
    = (struct pgo_text_losses){ .binary_ids
				= counter_profile_binary_id_count (profile) };
  print_flags (&text);
  if (counter_profile_flags (profile) & COUNTER_TEMPORAL)
    print_traces (&text);
  uint32_t wanted;
  bool done = print_functions (&text, sparse, &wanted);
  disambiguate (&text);
  if (!done || text.bytes.failed)
    {
      byte_writer_free (&text.bytes);
      return profile_error_set_memory (err, NULL);
    }
  if (wanted > 0 && losses->names == wanted)
    {
      byte_writer_free (&text.bytes);
      return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
				"none of the %" PRIu32
				" functions can be written as text",
				wanted);
    }
  *data = text.bytes.data;
  *size = text.bytes.size;
  return true;
}
