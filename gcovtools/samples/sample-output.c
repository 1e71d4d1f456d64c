/* Writing of sample profiles in the compilers' formats.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-output.h"
#include "diagnostics.h"
#include "option-values.h"
#include "output-file.h"
#include "sample-afdo.h"
#include "sample-text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* First gcc releases that read versions 2 and 3 of gcc's format.  */
#define SECOND_FORM_GCC 12
#define THIRD_FORM_GCC 16

bool
sample_output_find_form (const char *name, enum sample_form *form)
{
  /* Includes the names that LLVM's tools use.  */
  static const struct
  {
    const char *name;
    enum sample_form form;
  } forms[] = {
    { "sample", SAMPLE_FORM_EXTENDED }, { "extbinary", SAMPLE_FORM_EXTENDED },
    { "ext", SAMPLE_FORM_EXTENDED },	{ "sample-binary", SAMPLE_FORM_RAW },
    { "binary", SAMPLE_FORM_RAW },	{ "sample-text", SAMPLE_FORM_TEXT },
    { "text", SAMPLE_FORM_TEXT },	{ "afdo", SAMPLE_FORM_AFDO }
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strcmp (forms[i].name, name) == 0)
      {
	*form = forms[i].form;
	return true;
      }
  return false;
}

/* Parse VALUE of --afdo-version of COMMAND into *VERSION.  If it is invalid,
   print an error and return false.  */
static bool
take_afdo_version (const char *command, const char *value,
		   unsigned int *version)
{
  if (value[0] >= '0' + SAMPLE_AFDO_LEAST_VERSION
      && value[0] <= '0' + SAMPLE_AFDO_GREATEST_VERSION && value[1] == '\0')
    {
      *version = value[0] - '0';
      return true;
    }
  diagnostics_usage (command,
		     "invalid version --afdo-version=%s (expected %d to %d)",
		     value, SAMPLE_AFDO_LEAST_VERSION,
		     SAMPLE_AFDO_GREATEST_VERSION);
  return false;
}

/* Set *VERSION to the version that gcc reads whose major version is VALUE of
   --gcc-version of COMMAND.  If it is invalid, print an error and return
   false.  */
static bool
take_gcc_version (const char *command, const char *value, unsigned int *version)
{
  size_t gcc;
  if (!option_take_size (command, value, &gcc))
    return false;
  *version = gcc < SECOND_FORM_GCC ? 1 : gcc < THIRD_FORM_GCC ? 2 : 3;
  return true;
}

bool
sample_output_take_option (const char *command, struct sample_output *output,
			   int id, const char *value)
{
  switch (id)
    {
    case SAMPLE_OPTION_AFDO_VERSION:
      return take_afdo_version (command, value, &output->afdo_version);
    case SAMPLE_OPTION_GCC_VERSION:
      return take_gcc_version (command, value, &output->afdo_version);
    case SAMPLE_OPTION_NO_VTABLES:
      output->drop_vtables = true;
      return true;
    case SAMPLE_OPTION_MD5:
      output->binary.md5_names = true;
      return true;
    case SAMPLE_OPTION_COMPRESS:
      output->binary.compress = true;
      return true;
    case SAMPLE_OPTION_SPLIT:
      output->binary.split = true;
      return true;
    default:
      return false;
    }
}

bool
sample_output_check (const char *output, const struct profile *profile,
		     struct profile_error *err)
{
  const char *other = NULL;
  if (profile->heap != NULL)
    other = "a heap profile";
  else if (profile->counters != NULL || profile->gcov != NULL)
    other = "function counters";
  if (profile->samples == NULL)
    return profile_error_set (err, output, PROFILE_ERROR_NO_OFFSET,
			      "no samples in the inputs");
  if (other != NULL)
    return profile_error_set (err, output, PROFILE_ERROR_NO_OFFSET,
			      "samples and %s cannot be in one file", other);
  return true;
}

/* Return the number of locations with virtual tables in FUNCTION and its
   inlined functions.  */
static uint64_t
count_vtables (const struct sample_function *function)
{
  uint64_t count = function->vtables_count;
  for (uint32_t i = 0; i < function->call_site_count; i++)
    count += count_vtables (function->call_sites[i].inlinee);
  return count;
}

static uint64_t
count_all_vtables (const struct sample_profile *samples)
{
  uint64_t count = 0;
  for (uint32_t i = 0; i < sample_profile_function_count (samples); i++)
    count += count_vtables (sample_profile_function (samples, i));
  return count;
}

static bool
serialize (const struct sample_output *options, bool has_vtables,
	   const struct sample_profile *samples, void **data, size_t *size,
	   struct profile_error *err)
{
  const struct sample_text_options text
    = { .drop_vtables = options->drop_vtables };
  struct sample_binary_options binary = options->binary;
  binary.is_raw = options->form == SAMPLE_FORM_RAW;
  binary.keep_vtables = has_vtables && !options->drop_vtables;
  switch (options->form)
    {
    case SAMPLE_FORM_TEXT:
      return sample_text_serialize (samples, &text, data, size, err);
    case SAMPLE_FORM_AFDO:
      return sample_afdo_serialize (samples, options->afdo_version, data, size,
				    err);
    case SAMPLE_FORM_EXTENDED:
    case SAMPLE_FORM_RAW:
    default:
      return sample_binary_serialize (samples, &binary, data, size, err);
    }
}

/* Warn about COUNT locations with virtual tables.  */
static void
warn_of_vtables (const struct sample_output *options, const char *output,
		 uint64_t count)
{
  if (count == 0 || options->drop_vtables)
    return;
  if (options->form == SAMPLE_FORM_RAW || options->form == SAMPLE_FORM_AFDO)
    diagnostics_warning ("%s: virtual tables of %" PRIu64 " locations omitted: "
			 "this format cannot hold them",
			 output, count);
  else
    diagnostics_warning ("%s: LLVM before 22 cannot read the virtual tables of "
			 "%" PRIu64 " locations; --no-vtables omits them",
			 output, count);
}

bool
sample_output_write (const struct sample_output *options, const char *output,
		     const struct sample_profile *samples,
		     struct profile_error *err)
{
  void *data;
  size_t size;
  uint64_t vtables = count_all_vtables (samples);
  if (options->form != SAMPLE_FORM_TEXT
      && !output_file_check_binary (output, "a binary sample profile", err))
    return false;
  if (!serialize (options, vtables > 0, samples, &data, &size, err))
    {
      err->path = output;
      return false;
    }
  bool is_done = output_file_write (output, data, size, err);
  free (data);
  if (is_done)
    warn_of_vtables (options, output, vtables);
  return is_done;
}
