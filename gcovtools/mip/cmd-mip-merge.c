/* heapprof-gcov mip create, mip merge: make profiles from maps and add runs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "file-content.h"
#include "input-list.h"
#include "mip-commands.h"
#include <stdlib.h>

enum
{
  OPTION_STRICT = OPTION_HELP + 1,
  OPTION_WEIGHTED
};

struct merge_arguments
{
  const char *output;
  const char *profile; /* profile to update, or NULL */
  bool is_strict;
  struct input_list inputs;
};

static const struct command_option create_options[]
  = { { 'o', "output", "FILE", "write the profile to FILE" }, { 0 } };

static const struct command_option merge_options[]
  = { { 'o', "output", "FILE", "write the profile to FILE" },
      { 'p', "profile", "FILE",
	"add the inputs to the profile FILE, in place unless -o\n"
	"is given" },
      { OPTION_STRICT, "strict", NULL,
	"write nothing if the map of an input is missing" },
      { OPTION_WEIGHTED, "weighted-input", "N,FILE",
	"also read FILE, counting it N times" },
      { 0 } };

static bool
take_option (void *data, int id, const char *value)
{
  struct merge_arguments *arguments = data;
  struct profile_error err;
  switch (id)
    {
    case 'o':
      arguments->output = value;
      return true;
    case 'p':
      arguments->profile = value;
      return true;
    case OPTION_STRICT:
      arguments->is_strict = true;
      return true;
    case OPTION_WEIGHTED:
      if (input_list_add_weighted (&arguments->inputs, value, &err))
	return true;
      diagnostics_error (&err);
      return false;
    default:
      return false;
    }
}

static enum exit_status
run_create (int argc, char **argv)
{
  struct merge_arguments arguments = { 0 };
  enum exit_status status;
  int operands;
  if (!command_options_take (&command_mip_create, argc, argv, take_option,
			     &arguments, &operands, &status))
    return status;
  if (arguments.output == NULL || operands == argc)
    return diagnostics_usage ("mip create",
			      "expected an output (-o) and at least one "
			      "program");
  struct mip_profile *profile = mip_profile_new ();
  if (profile == NULL)
    return diagnostics_memory ();
  status = STATUS_DONE;
  for (int i = operands; i < argc && status == STATUS_DONE; i++)
    {
      struct profile_error err;
      if (mip_input_add_map (profile, argv[i], &err))
	continue;
      diagnostics_error (&err);
      status = STATUS_FAILED;
    }
  if (status == STATUS_DONE && !mip_output_write (profile, arguments.output))
    status = STATUS_FAILED;
  mip_profile_free (profile);
  return status;
}

/* Inputs are read in two passes: raw files need all maps.  */
enum merge_pass
{
  PASS_PROFILES,
  PASS_RAW
};

/* Add the content of FILE, SIZE bytes at DATA, if it belongs to PASS.  Count
   skipped records in *SKIPPED.  */
static bool
add_content (struct mip_profile *profile, const struct input_file *file,
	     enum merge_pass pass, const void *data, size_t size,
	     size_t *skipped, struct profile_error *err)
{
  bool is_raw = mip_profile_is_raw (data, size);
  size_t left_out = 0;
  if (is_raw != (pass == PASS_RAW))
    return true;
  if (is_raw)
    {
      bool is_done = mip_profile_add_raw (profile, file->path, data, size,
					  file->weight, &left_out, err);
      if (is_done && left_out > 0)
	diagnostics_left_out (err);
      *skipped += left_out;
      return is_done;
    }
  if (!mip_profile_is_profile (data, size))
    return mip_input_add_map (profile, file->path, err);
  struct mip_profile *from = mip_profile_read (file->path, data, size, err);
  bool is_done = from != NULL;
  for (uint64_t i = 0; i < file->weight && is_done; i++)
    is_done = mip_profile_merge (profile, from, file->path, err);
  mip_profile_free (from);
  return is_done;
}

/* Add all inputs of PASS.  On failure print an error and return false.  */
static bool
add_inputs (struct mip_profile *profile,
	    const struct merge_arguments *arguments, enum merge_pass pass,
	    size_t *skipped)
{
  bool is_done = true;
  for (size_t i = 0; i < arguments->inputs.count && is_done; i++)
    {
      const struct input_file *file = &arguments->inputs.files[i];
      struct profile_error err;
      void *data;
      size_t size;
      is_done = file_content_read (file->path, &data, &size, &err);
      if (is_done)
	{
	  is_done
	    = add_content (profile, file, pass, data, size, skipped, &err);
	  free (data);
	}
      if (!is_done)
	diagnostics_error (&err);
    }
  return is_done;
}

static enum exit_status
merge (const struct merge_arguments *arguments)
{
  size_t skipped = 0;
  struct mip_profile *profile = arguments->profile != NULL
				  ? mip_input_read (arguments->profile)
				  : mip_profile_new ();
  enum exit_status status = STATUS_FAILED;
  if (profile != NULL
      && add_inputs (profile, arguments, PASS_PROFILES, &skipped)
      && add_inputs (profile, arguments, PASS_RAW, &skipped)
      && (skipped == 0 || !arguments->is_strict)
      && mip_output_write (profile, arguments->output) && skipped == 0)
    status = STATUS_DONE;
  mip_profile_free (profile);
  return status;
}

static enum exit_status
run_merge (int argc, char **argv)
{
  struct merge_arguments arguments = { 0 };
  enum exit_status status;
  struct profile_error err;
  int operands;
  if (command_options_take (&command_mip_merge, argc, argv, take_option,
			    &arguments, &operands, &status))
    {
      if (arguments.output == NULL)
	arguments.output = arguments.profile;
      if (arguments.output == NULL)
	status = diagnostics_usage ("mip merge", "no output given (-o or -p)");
      else if (!input_list_add_all (&arguments.inputs, argv + operands,
				    (size_t) (argc - operands), &err))
	{
	  diagnostics_error (&err);
	  status = STATUS_FAILED;
	}
      else if (arguments.inputs.count == 0)
	status = diagnostics_usage ("mip merge", "no input given");
      else
	status = merge (&arguments);
    }
  input_list_free (&arguments.inputs);
  return status;
}

const struct command command_mip_create
  = { .name = "mip create",
      .operands = "-o FILE PROGRAM...",
      .summary = "make an empty profile from the maps of programs",
      .description
      = "Write a profile in which nothing ran, from the maps of PROGRAMs:\n"
	"unstripped executables and shared objects, or their debug files.",
      .options = create_options,
      .run = run_create };

const struct command command_mip_merge = {
  .name = "mip merge",
  .operands = "-o FILE INPUT...",
  .summary = "add runs to a profile",
  .description
  = "Add up INPUTs: raw files left by programs, profiles, and programs with\n"
    "their maps.  A raw file needs the map with the same build ID; if it is\n"
    "missing, the file is skipped and the exit status is 1.",
  .options = merge_options,
  .run = run_merge
};
