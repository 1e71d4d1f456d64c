/* heapprof-gcov mip to-text, mip from-text: convert profiles to text and back.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "file-content.h"
#include "mip-commands.h"
#include "mip-text.h"
#include "output-file.h"
#include <stdlib.h>

static const struct command_option to_options[]
  = { { 'o', "output", "FILE",
	"write the text to FILE (default -: standard output)" },
      { 0 } };

static const struct command_option from_options[]
  = { { 'o', "output", "FILE", "write the profile to FILE" }, { 0 } };

static bool
take_option (void *data, int id, const char *value)
{
  const char **output = data;
  if (id == 'o')
    *output = value;
  return id == 'o';
}

/* Write PROFILE as text to OUTPUT.  On failure print an error and return
   false.  */
static bool
write_text (const struct mip_profile *profile, const char *output)
{
  struct profile_error err;
  struct byte_writer writer = { 0 };
  mip_text_write (profile, &writer);
  bool is_done = writer.failed
		   ? profile_error_set_memory (&err, output)
		   : output_file_write (output, writer.data, writer.size, &err);
  byte_writer_free (&writer);
  if (!is_done)
    diagnostics_error (&err);
  return is_done;
}

static enum exit_status
run_to_text (int argc, char **argv)
{
  const char *output = "-";
  enum exit_status status;
  int operands;
  if (!command_options_take (&command_mip_to_text, argc, argv, take_option,
			     &output, &operands, &status))
    return status;
  if (operands + 1 != argc)
    return diagnostics_usage ("mip to-text", "expected one profile");
  struct mip_profile *profile = mip_input_read (argv[operands]);
  status = profile != NULL && write_text (profile, output) ? STATUS_DONE
							   : STATUS_FAILED;
  mip_profile_free (profile);
  return status;
}

/* Read the text PATH.  On failure print an error and return NULL.  */
static struct mip_profile *
read_text (const char *path)
{
  struct profile_error err;
  struct mip_profile *profile = NULL;
  void *data;
  size_t size;
  if (file_content_read (path, &data, &size, &err))
    {
      profile = mip_text_read (path, data, size, &err);
      free (data);
    }
  if (profile == NULL)
    diagnostics_error (&err);
  return profile;
}

static enum exit_status
run_from_text (int argc, char **argv)
{
  const char *output = NULL;
  enum exit_status status;
  int operands;
  if (!command_options_take (&command_mip_from_text, argc, argv, take_option,
			     &output, &operands, &status))
    return status;
  if (output == NULL || operands + 1 != argc)
    return diagnostics_usage ("mip from-text",
			      "expected an output (-o) and one text");
  struct mip_profile *profile = read_text (argv[operands]);
  status = profile != NULL && mip_output_write (profile, output)
	     ? STATUS_DONE
	     : STATUS_FAILED;
  mip_profile_free (profile);
  return status;
}

const struct command command_mip_to_text
  = { .name = "mip to-text",
      .operands = "PROFILE",
      .summary = "write a profile as text",
      .description
      = "Write everything in PROFILE as text that can be read, compared and\n"
	"edited; `mip from-text' converts it back.",
      .options = to_options,
      .run = run_to_text };

const struct command command_mip_from_text = {
  .name = "mip from-text",
  .operands = "-o FILE TEXT",
  .summary = "make a profile from such text",
  .description
  = "Make a profile from TEXT, written by `mip to-text' (-: standard input).",
  .options = from_options,
  .run = run_from_text
};
