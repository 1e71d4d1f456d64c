/* Writing sample profiles as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-text.h"
#include "byte-writer.h"
#include "plain-text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct text_writer
{
  struct byte_writer bytes;
  const struct sample_profile *profile;
  const struct sample_text_options *options;
  uint32_t bad_name; /* a name that cannot be written */
};

static void
print_string (struct text_writer *text, const char *string)
{
  byte_writer_bytes (&text->bytes, string, strlen (string));
}

/* Print NUMBER between BEFORE and AFTER.  Most of a profile is numbers.  */
static void
print_number (struct text_writer *text, const char *before, uint64_t number,
	      const char *after)
{
  char digits[20]; /* as many as 64 bits have */
  size_t first = sizeof digits;
  do
    digits[--first] = (char) ('0' + number % 10);
  while ((number /= 10) != 0);
  print_string (text, before);
  byte_writer_bytes (&text->bytes, digits + first, sizeof digits - first);
  print_string (text, after);
}

/* Return true if NAME can be written and is read back unchanged, wherever it
   occurs.  Names from files may be anything; a call target ends with a colon, a
   number and a blank.  */
static bool
is_readable (const char *name, size_t n)
{
  if (n == 0 || strchr ("0123456789 #![", name[0])
      || !plain_text_is_all_plain (name, n) || memmem (name, n, " @ ", 3)
      || strncmp (name, "vtables ", strlen ("vtables ")) == 0)
    return false;
  for (const char *blank = name; (blank = strchr (blank, ' ')); blank++)
    {
      const char *digit = blank;
      while (digit > name && digit[-1] >= '0' && digit[-1] <= '9')
	digit--;
      if (digit < blank && digit > name && digit[-1] == ':')
	return false;
    }
  return true;
}

/* Print NAME for people.  */
static void
print_plain (struct text_writer *text, const char *name, size_t n)
{
  char character[PLAIN_TEXT_CHARACTER_BYTES];
  for (size_t i = 0; i < n;)
    {
      i += plain_text_character (name + i, n - i, "", character);
      byte_writer_bytes (&text->bytes, character, strlen (character));
    }
}

static void
print_name (struct text_writer *text, uint32_t name)
{
  const char *bytes = sample_profile_name (text->profile, name);
  size_t n = sample_profile_name_bytes (text->profile, name);
  bool is_plain = bytes && is_readable (bytes, n);
  if (is_plain)
    byte_writer_bytes (&text->bytes, bytes, n);
  else if (!text->options->for_people)
    text->bad_name = name;
  else if (bytes)
    print_plain (text, bytes, n);
  else
    print_number (text, "", sample_profile_name_guid (text->profile, name), "");
}

static void
print_location (struct text_writer *text, struct sample_location location)
{
  print_number (text, "", location.line, "");
  if (location.discriminator == 0)
    return;
  print_number (text, ".", location.discriminator, "");
}

/* Start a line of FUNCTION.  */
static void
indent (struct text_writer *text, const struct sample_function *function)
{
  for (uint32_t i = 0; i <= function->depth; i++)
    byte_writer_u8 (&text->bytes, ' ');
}

/* Return a sorted copy of COUNTS; NULL if the writer failed.  */
static struct sample_count *
order_counts (struct text_writer *text, const struct sample_counts *counts)
{
  struct sample_count *ordered = sample_counts_ordered (text->profile, counts);
  text->bytes.failed |= !ordered;
  return ordered;
}

static void
print_body (struct text_writer *text, const struct sample_function *function,
	    const struct sample_body *body)
{
  struct sample_count *targets
    = body->targets.count > 0 ? order_counts (text, &body->targets) : NULL;
  indent (text, function);
  print_location (text, body->location);
  print_number (text, ": ", body->count, "");
  for (uint32_t i = 0; targets && i < body->targets.count; i++)
    {
      print_string (text, " ");
      print_name (text, targets[i].name);
      print_number (text, ":", targets[i].count, "");
    }
  print_string (text, "\n");
  free (targets);
}

/* Print the name of a virtual table; a blank would end it.  */
static void
print_table_name (struct text_writer *text, uint32_t name)
{
  const char *bytes = sample_profile_name (text->profile, name);
  if (!text->options->for_people && bytes && strchr (bytes, ' '))
    text->bad_name = name;
  else
    print_name (text, name);
}

static void
print_vtables (struct text_writer *text, const struct sample_function *function,
	       const struct sample_vtables *vtables)
{
  struct sample_count *tables = order_counts (text, &vtables->tables);
  if (!tables)
    return;
  sample_counts_sort_by_name (text->profile, tables, vtables->tables.count);
  indent (text, function);
  print_location (text, vtables->location);
  print_string (text, ": vtables ");
  for (uint32_t i = 0; i < vtables->tables.count; i++)
    {
      print_table_name (text, tables[i].name);
      print_number (text, ":", tables[i].count, " ");
    }
  print_string (text, "\n");
  free (tables);
}

/* Print body samples and virtual tables, those of one location together.  At a
   location with an inlined function but no body sample, the virtual tables are
   printed after the function.  */
static void
print_samples (struct text_writer *text, const struct sample_function *function)
{
  for (uint32_t i = 0; i < function->body_count; i++)
    {
      const struct sample_body *body = &function->bodies[i];
      const struct sample_vtables *vtables
	= sample_function_find_vtables (function, body->location);
      print_body (text, function, body);
      if (vtables && !text->options->drop_vtables)
	print_vtables (text, function, vtables);
    }
}

static void print_items (struct text_writer *text,
			 const struct sample_function *function);

static void
print_inlinee (struct text_writer *text, const struct sample_function *function,
	       const struct sample_call_site *site)
{
  indent (text, function);
  print_location (text, site->location);
  print_string (text, ": ");
  print_name (text, site->inlinee->name);
  print_number (text, ":", site->inlinee->total, "\n");
  print_items (text, site->inlinee);
}

/* Print the inlined functions, and at their locations the virtual tables that
   have no body sample.  */
static void
print_call_sites (struct text_writer *text,
		  const struct sample_function *function)
{
  struct sample_call_site *sites
    = sample_function_ordered_sites (text->profile, function);
  uint32_t next = 0;
  text->bytes.failed |= !sites;
  for (uint32_t i = 0; sites && i < function->call_site_count; i++)
    {
      for (; next < function->vtables_count
	     && sample_location_compare (function->vtables[next].location,
					 sites[i].location)
		  < 0;
	   next++)
	if (!text->options->drop_vtables
	    && !sample_function_find_body (function,
					   function->vtables[next].location))
	  print_vtables (text, function, &function->vtables[next]);
      print_inlinee (text, function, &sites[i]);
    }
  for (; next < function->vtables_count; next++)
    if (!text->options->drop_vtables
	&& !sample_function_find_body (function,
				       function->vtables[next].location))
      print_vtables (text, function, &function->vtables[next]);
  free (sites);
}

static void
print_items (struct text_writer *text, const struct sample_function *function)
{
  print_samples (text, function);
  print_call_sites (text, function);
  if (function->has_checksum)
    {
      indent (text, function);
      print_number (text, "!CFGChecksum: ", function->checksum, "\n");
    }
  if (function->attributes != 0)
    {
      indent (text, function);
      print_number (text, "!Attributes: ", function->attributes, "\n");
    }
}

static void
print_function (struct text_writer *text,
		const struct sample_function *function)
{
  bool has_context
    = sample_profile_flags (text->profile) & SAMPLE_CONTEXT_SENSITIVE;
  print_string (text, has_context ? "[" : "");
  for (uint32_t i = 0; i < function->caller_count; i++)
    {
      print_name (text, function->callers[i].name);
      print_string (text, ":");
      print_location (text, function->callers[i].location);
      print_string (text, " @ ");
    }
  print_name (text, function->name);
  print_number (text, has_context ? "]:" : ":", function->total, ":");
  print_number (text, "", function->head, "\n");
  print_items (text, function);
}

/* Set the error for the name that cannot be written.  */
static bool
fail_name (const struct text_writer *text, struct profile_error *err)
{
  return profile_error_set (
    err, NULL, PROFILE_ERROR_NO_OFFSET,
    sample_profile_name (text->profile, text->bad_name)
      ? "the name with GUID %" PRIu64 " cannot be written as text"
      : "the text format needs names, but only the GUID "
	"%" PRIu64 " of a function is known",
    sample_profile_name_guid (text->profile, text->bad_name));
}

/* Text with checksums is read as probe-based, and then each function must have
   one.  */
static bool
check_checksums (const struct sample_profile *profile,
		 struct profile_error *err)
{
  uint32_t count = sample_profile_function_count (profile);
  uint32_t checksums = 0;
  for (uint32_t i = 0; i < count; i++)
    checksums += sample_profile_function (profile, i)->has_checksum;
  return (checksums == 0 || checksums == count
	  || profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
				"the text format needs checksums of all "
				"functions or of none (%" PRIu32 " of %" PRIu32
				" have one)",
				checksums, count));
}

/* sample_text_serialize for names without source files.  */
static bool
serialize (const struct sample_profile *profile,
	   const struct sample_text_options *options, void **data, size_t *size,
	   struct profile_error *err)
{
  struct text_writer text
    = { .profile = profile, .options = options, .bad_name = SAMPLE_NO_NAME };
  uint32_t count = sample_profile_function_count (profile);
  uint32_t *order = sample_profile_order (profile);
  text.bytes.failed = !order;
  for (uint32_t i = 0; order && i < count; i++)
    {
      const struct sample_function *function
	= sample_profile_function (profile, order[i]);
      if (!options->is_wanted
	  || options->is_wanted (profile, function, options->data))
	print_function (&text, function);
    }
  free (order);
  if (!text.bytes.failed && text.bad_name == SAMPLE_NO_NAME)
    {
      *data = text.bytes.data;
      *size = text.bytes.size;
      return true;
    }
  bool is_memory = text.bytes.failed;
  byte_writer_free (&text.bytes);
  return is_memory ? profile_error_set_memory (err, NULL)
		   : fail_name (&text, err);
}

static bool
has_files (const struct sample_profile *profile)
{
  for (uint32_t i = 0; i < sample_profile_name_count (profile); i++)
    if (sample_profile_name_file (profile, i) != SAMPLE_NO_NAME)
      return true;
  return false;
}

bool
sample_text_serialize (const struct sample_profile *profile,
		       const struct sample_text_options *options, void **data,
		       size_t *size, struct profile_error *err)
{
  struct sample_profile *copy = NULL;
  /* An empty file is not a profile.  */
  if (!options->for_people && sample_profile_function_count (profile) == 0)
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			      "no samples to write as text");
  if (has_files (profile))
    {
      copy = sample_profile_copy (profile, SAMPLE_DROP_FILES, err);
      if (!copy)
	return false;
      profile = copy;
    }
  bool is_done = (options->for_people || check_checksums (profile, err))
		 && serialize (profile, options, data, size, err);
  sample_profile_free (copy);
  return is_done;
}
