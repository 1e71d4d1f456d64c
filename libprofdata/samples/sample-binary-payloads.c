/* Section payloads of LLVM's binary sample profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-binary-payloads.h"
#include "record-table.h"
#include "sample-summary.h"
#include <stdlib.h>
#include <string.h>

bool
sample_writer_fail_memory (struct sample_writer *binary)
{
  binary->failed = true;
  return profile_error_set_memory (binary->err, NULL);
}

bool
sample_writer_fail (struct sample_writer *binary, const char *cause)
{
  binary->failed = true;
  return profile_error_set (binary->err, NULL, PROFILE_ERROR_NO_OFFSET, "%s",
			    cause);
}

static struct sample_function *
get_function (const struct sample_writer *binary, uint32_t index)
{
  return sample_profile_function (binary->profile, index);
}

static uint32_t
count_functions (const struct sample_writer *binary)
{
  return sample_profile_function_count (binary->profile);
}

/* ---- Used names.  */

static void
use_name (struct sample_writer *binary, uint32_t name)
{
  if (binary->name_places[name] != UINT32_MAX)
    return;
  binary->name_places[name] = 0;
  binary->names[binary->name_count++] = name;
  binary->has_guids |= !sample_profile_name (binary->profile, name);
}

static void
use_counts (struct sample_writer *binary, const struct sample_counts *counts)
{
  for (uint32_t i = 0; i < counts->count; i++)
    use_name (binary, counts->counts[i].name);
}

/* Mark the names that FUNCTION uses, and what other parts it has.  */
static void
use_function (struct sample_writer *binary,
	      const struct sample_function *function)
{
  use_name (binary, function->name);
  binary->has_checksums |= function->has_checksum;
  binary->has_attributes |= function->attributes != 0;
  binary->should_inline
    |= (function->attributes & SAMPLE_SHOULD_BE_INLINED) != 0;
  for (uint32_t i = 0; i < function->caller_count; i++)
    use_name (binary, function->callers[i].name);
  for (uint32_t i = 0; i < function->body_count; i++)
    use_counts (binary, &function->bodies[i].targets);
  for (uint32_t i = 0;
       binary->options->keep_vtables && i < function->vtables_count; i++)
    use_counts (binary, &function->vtables[i].tables);
  for (uint32_t i = 0; i < function->call_site_count; i++)
    use_function (binary, function->call_sites[i].inlinee);
}

static int
compare_names (const void *element1, const void *element2, void *profile)
{
  return sample_profile_compare_names (profile, *(const uint32_t *) element1,
				       *(const uint32_t *) element2);
}

static bool
make_names (struct sample_writer *binary)
{
  uint32_t count = sample_profile_name_count (binary->profile);
  binary->names = calloc ((size_t) count + 1, sizeof *binary->names);
  binary->name_places
    = calloc ((size_t) count + 1, sizeof *binary->name_places);
  if (!binary->names || !binary->name_places)
    return sample_writer_fail_memory (binary);
  memset (binary->name_places, 0xff, count * sizeof *binary->name_places);
  for (uint32_t i = 0; i < count_functions (binary); i++)
    use_function (binary, get_function (binary, i));
  qsort_r (binary->names, binary->name_count, sizeof *binary->names,
	   compare_names, (void *) binary->profile);
  for (uint32_t i = 0; i < binary->name_count; i++)
    binary->name_places[binary->names[i]] = i;
  binary->has_guids |= binary->options->md5_names;
  return true;
}

static int
compare_contexts (const void *element1, const void *element2, void *data)
{
  const struct sample_profile *profile = data;
  return sample_function_compare_contexts (
    profile, sample_profile_function (profile, *(const uint32_t *) element1),
    sample_profile_function (profile, *(const uint32_t *) element2));
}

/* Return the functions sorted by context, malloced.  NULL if the writer
   failed.  */
static uint32_t *
order_contexts (struct sample_writer *binary)
{
  uint32_t *order = record_order (count_functions (binary), compare_contexts,
				  binary->profile);
  if (!order)
    sample_writer_fail_memory (binary);
  return order;
}

/* ---- Payloads.  */

static void
write_summary (struct sample_writer *binary, struct byte_writer *payload)
{
  struct sample_summary summary;
  if (!sample_summary_make (&summary, binary->profile, binary->err))
    {
      binary->failed = true;
      return;
    }
  byte_writer_uleb128 (payload, summary.total);
  byte_writer_uleb128 (payload, summary.greatest);
  byte_writer_uleb128 (payload, summary.greatest_head);
  byte_writer_uleb128 (payload, summary.count_count);
  byte_writer_uleb128 (payload, summary.function_count);
  byte_writer_uleb128 (payload, SUMMARY_CUTOFFS);
  for (int i = 0; i < SUMMARY_CUTOFFS; i++)
    {
      byte_writer_uleb128 (payload, summary.cutoffs[i].cutoff);
      byte_writer_uleb128 (payload, summary.cutoffs[i].least);
      byte_writer_uleb128 (payload, summary.cutoffs[i].count);
    }
}

/* Append the text of NAME and a NUL.  */
static void
write_text (struct sample_writer *binary, struct byte_writer *payload,
	    uint32_t name)
{
  byte_writer_bytes (payload, sample_profile_name (binary->profile, name),
		     sample_profile_name_bytes (binary->profile, name) + 1);
}

static void
write_names (struct sample_writer *binary, struct byte_writer *payload)
{
  byte_writer_uleb128 (payload, binary->name_count);
  for (uint32_t i = 0; i < binary->name_count; i++)
    if (binary->has_guids)
      byte_writer_u64 (payload, sample_profile_name_guid (binary->profile,
							  binary->names[i]));
    else
      write_text (binary, payload, binary->names[i]);
}

static void
write_name (struct sample_writer *binary, struct byte_writer *payload,
	    uint32_t name)
{
  byte_writer_uleb128 (payload, binary->name_places[name]);
}

static void
write_location (struct byte_writer *payload, struct sample_location location)
{
  byte_writer_uleb128 (payload, location.line);
  byte_writer_uleb128 (payload, location.discriminator);
}

static void
write_contexts (struct sample_writer *binary, struct byte_writer *payload)
{
  uint32_t count = binary->has_contexts ? count_functions (binary) : 0;
  uint32_t *order = order_contexts (binary);
  byte_writer_uleb128 (payload, count);
  for (uint32_t i = 0; order && i < count; i++)
    {
      const struct sample_function *function = get_function (binary, order[i]);
      binary->context_places[order[i]] = i;
      byte_writer_uleb128 (payload, (uint64_t) function->caller_count + 1);
      for (uint32_t k = 0; k < function->caller_count; k++)
	{
	  write_name (binary, payload, function->callers[k].name);
	  write_location (payload, function->callers[k].location);
	}
      write_name (binary, payload, function->name);
      write_location (payload, (struct sample_location){ 0, 0 });
    }
  free (order);
}

/* Append the index of top-level function INDEX: of its name or context.  */
static void
write_index (struct sample_writer *binary, struct byte_writer *payload,
	     uint32_t index)
{
  if (binary->has_contexts)
    byte_writer_uleb128 (payload, binary->context_places[index]);
  else
    write_name (binary, payload, get_function (binary, index)->name);
}

/* Append the number of COUNTS, and each, ordered by name if BY_NAME, otherwise
   by count.  */
static void
write_counts (struct sample_writer *binary, struct byte_writer *payload,
	      const struct sample_counts *counts, bool by_name)
{
  struct sample_count *ordered
    = sample_counts_ordered (binary->profile, counts);
  if (!ordered)
    {
      sample_writer_fail_memory (binary);
      return;
    }
  if (by_name)
    sample_counts_sort_by_name (binary->profile, ordered, counts->count);
  byte_writer_uleb128 (payload, counts->count);
  for (uint32_t i = 0; i < counts->count; i++)
    {
      write_name (binary, payload, ordered[i].name);
      byte_writer_uleb128 (payload, ordered[i].count);
    }
  free (ordered);
}

/* Append what a section stores for FUNCTION.  */
typedef void function_writer (struct sample_writer *binary,
			      struct byte_writer *payload,
			      const struct sample_function *function);

static void write_inlinees (struct sample_writer *binary,
			    struct byte_writer *payload,
			    const struct sample_function *function,
			    function_writer *write);

/* Append FUNCTION, starting with its total.  */
static void
write_function (struct sample_writer *binary, struct byte_writer *payload,
		const struct sample_function *function)
{
  byte_writer_uleb128 (payload, function->total);
  byte_writer_uleb128 (payload, function->body_count);
  for (uint32_t i = 0; i < function->body_count; i++)
    {
      const struct sample_body *body = &function->bodies[i];
      write_location (payload, body->location);
      byte_writer_uleb128 (payload, body->count);
      write_counts (binary, payload, &body->targets, false);
    }
  write_inlinees (binary, payload, function, write_function);
  if (!binary->options->keep_vtables)
    return;
  byte_writer_uleb128 (payload, function->vtables_count);
  for (uint32_t i = 0; i < function->vtables_count; i++)
    {
      write_location (payload, function->vtables[i].location);
      write_counts (binary, payload, &function->vtables[i].tables, true);
    }
}

/* Write the inlinees of FUNCTION with WRITE, each after its location.  */
static void
write_inlinees (struct sample_writer *binary, struct byte_writer *payload,
		const struct sample_function *function, function_writer *write)
{
  struct sample_call_site *sites
    = sample_function_ordered_sites (binary->profile, function);
  if (!sites)
    sample_writer_fail_memory (binary);
  byte_writer_uleb128 (payload, function->call_site_count);
  for (uint32_t i = 0; sites && i < function->call_site_count; i++)
    {
      write_location (payload, sites[i].location);
      write_name (binary, payload, sites[i].inlinee->name);
      write (binary, payload, sites[i].inlinee);
    }
  free (sites);
}

/* Return true if function INDEX belongs in SECTION.  */
static bool
is_in_section (const struct sample_writer *binary,
	       const struct sample_payload *section, uint32_t index)
{
  return (!binary->options->split
	  || (get_function (binary, index)->call_site_count == 0)
	       == section->is_flat);
}

static void
write_functions (struct sample_writer *binary, struct sample_payload *section)
{
  struct byte_writer *payload = &section->bytes;
  for (uint32_t i = 0; i < count_functions (binary); i++)
    {
      uint32_t index = binary->order[i];
      const struct sample_function *function = get_function (binary, index);
      if (!is_in_section (binary, section, index))
	continue;
      binary->function_offsets[index] = payload->size;
      byte_writer_uleb128 (payload, function->head);
      write_index (binary, payload, index);
      write_function (binary, payload, function);
    }
}

/* Write the offsets of functions, ordered by context if there are any
   contexts.  */
static void
write_offsets (struct sample_writer *binary, struct sample_payload *section)
{
  uint32_t functions = count_functions (binary);
  uint32_t *order
    = binary->has_contexts ? order_contexts (binary) : binary->order;
  uint32_t count = 0;
  for (uint32_t i = 0; i < functions; i++)
    count += is_in_section (binary, section, i);
  byte_writer_uleb128 (&section->bytes, count);
  for (uint32_t i = 0; order && i < functions; i++)
    if (is_in_section (binary, section, order[i]))
      {
	write_index (binary, &section->bytes, order[i]);
	byte_writer_uleb128 (&section->bytes,
			     binary->function_offsets[order[i]]);
      }
  if (order != binary->order)
    free (order);
}

static void
write_list (struct sample_writer *binary, struct byte_writer *payload)
{
  uint32_t count = sample_profile_name_count (binary->profile);
  uint32_t *listed = calloc ((size_t) count + 1, sizeof *listed);
  uint32_t n = 0;
  if (!listed)
    {
      sample_writer_fail_memory (binary);
      return;
    }
  for (uint32_t i = 0; i < count; i++)
    if (sample_profile_is_listed (binary->profile, i))
      listed[n++] = i;
  qsort_r (listed, n, sizeof *listed, compare_names, (void *) binary->profile);
  for (uint32_t i = 0; i < n; i++)
    write_text (binary, payload, listed[i]);
  free (listed);
}

static void
write_function_metadata (struct sample_writer *binary,
			 struct byte_writer *payload,
			 const struct sample_function *function)
{
  if (binary->has_checksums)
    byte_writer_uleb128 (payload, function->checksum);
  if (binary->has_attributes)
    byte_writer_uleb128 (payload, function->attributes);
  if (!binary->has_contexts)
    write_inlinees (binary, payload, function, write_function_metadata);
}

static void
write_metadata (struct sample_writer *binary, struct byte_writer *payload)
{
  if (!binary->has_checksums && !binary->has_attributes)
    return;
  for (uint32_t i = 0; i < count_functions (binary); i++)
    {
      write_index (binary, payload, binary->order[i]);
      write_function_metadata (binary, payload,
			       get_function (binary, binary->order[i]));
    }
}

/* ---- Sections.  */

static uint64_t
find_summary_flags (const struct sample_writer *binary)
{
  unsigned int flags = sample_profile_flags (binary->profile);
  return ((flags & SAMPLE_PARTIAL ? SAMPLE_SUMMARY_PARTIAL : 0)
	  | (binary->has_contexts ? SAMPLE_SUMMARY_CONTEXTS : 0)
	  | (flags & SAMPLE_FLOW_SENSITIVE ? SAMPLE_SUMMARY_FLOW_SENSITIVE : 0)
	  | (binary->should_inline ? SAMPLE_SUMMARY_SHOULD_BE_INLINED : 0)
	  | (binary->options->keep_vtables ? SAMPLE_SUMMARY_VTABLES : 0));
}

static uint64_t
find_name_flags (const struct sample_writer *binary)
{
  if (binary->has_guids)
    return SAMPLE_NAMES_GUIDS | SAMPLE_NAMES_FIXED_LENGTH;
  for (uint32_t i = 0; i < binary->name_count; i++)
    if (strstr (sample_profile_name (binary->profile, binary->names[i]),
		".__uniq."))
      return SAMPLE_NAMES_UNIQUE;
  return 0;
}

uint64_t
sample_writer_flags (const struct sample_writer *binary,
		     const struct sample_payload *section)
{
  switch (section->type)
    {
    case SAMPLE_SECTION_SUMMARY:
      return find_summary_flags (binary);
    case SAMPLE_SECTION_NAMES:
      return find_name_flags (binary);
    case SAMPLE_SECTION_OFFSETS:
      return binary->has_contexts ? SAMPLE_OFFSETS_ORDERED : 0;
    case SAMPLE_SECTION_METADATA:
      return ((binary->has_checksums ? SAMPLE_METADATA_CHECKSUMS : 0)
	      | (binary->has_attributes ? SAMPLE_METADATA_ATTRIBUTES : 0));
    default:
      return 0;
    }
}

void
sample_writer_payload (struct sample_writer *binary,
		       struct sample_payload *section)
{
  switch (section->type)
    {
    case SAMPLE_SECTION_SUMMARY:
      write_summary (binary, &section->bytes);
      break;
    case SAMPLE_SECTION_NAMES:
      write_names (binary, &section->bytes);
      break;
    case SAMPLE_SECTION_CONTEXTS:
      write_contexts (binary, &section->bytes);
      break;
    case SAMPLE_SECTION_OFFSETS:
      write_offsets (binary, section);
      break;
    case SAMPLE_SECTION_FUNCTIONS:
      write_functions (binary, section);
      break;
    case SAMPLE_SECTION_LIST:
      write_list (binary, &section->bytes);
      break;
    case SAMPLE_SECTION_METADATA:
      write_metadata (binary, &section->bytes);
      break;
    }
}

/* ---- The writer.  */

bool
sample_writer_prepare (struct sample_writer *binary)
{
  uint32_t count = count_functions (binary);
  binary->has_contexts
    = sample_profile_flags (binary->profile) & SAMPLE_CONTEXT_SENSITIVE;
  binary->order = sample_profile_order (binary->profile);
  binary->context_places
    = calloc ((size_t) count + 1, sizeof *binary->context_places);
  binary->function_offsets
    = calloc ((size_t) count + 1, sizeof *binary->function_offsets);
  if (!binary->order || !binary->context_places || !binary->function_offsets)
    return sample_writer_fail_memory (binary);
  if (!make_names (binary))
    return false;
  binary->has_attributes |= binary->has_contexts;
  return true;
}

void
sample_writer_release (struct sample_writer *binary)
{
  for (size_t i = 0; i < binary->section_count; i++)
    byte_writer_free (&binary->sections[i].bytes);
  free (binary->order);
  free (binary->names);
  free (binary->name_places);
  free (binary->context_places);
  free (binary->function_offsets);
}
