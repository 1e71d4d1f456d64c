/* heapprof-gcov mip extract: write the map of a program to a file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-commands.h"
#include "mip-map-file.h"
#include "mip-object.h"
#include "output-file.h"

static const struct command_option extract_options[]
  = { { 'o', "output", "FILE", "write the map to FILE" }, { 0 } };

static bool
take_option (void *data, int id, const char *value)
{
  const char **output = data;
  if (id == 'o')
    *output = value;
  return id == 'o';
}

/* Return true if MAP, from the file PATH, can be used in a profile.  Return
   false and set *ERR if it is damaged.  */
static bool
check_map (const struct mip_map *map, const char *path,
	   struct profile_error *err)
{
  struct mip_map_dropped dropped;
  struct mip_profile *profile = mip_profile_new ();
  bool is_done = profile != NULL
		   ? mip_profile_add_map (profile, map, &dropped, err)
		   : profile_error_set_memory (err, path);
  /* Report the file that was given, not the path stored in the map.  */
  err->path = path;
  mip_profile_free (profile);
  return is_done;
}

static bool
write_map (const struct mip_map *map, const char *output,
	   struct profile_error *err)
{
  struct byte_writer writer = { 0 };
  mip_map_file_write (map, &writer);
  bool is_done
    = writer.failed
	? profile_error_set_memory (err, output)
	: (output_file_check_binary (output, "a map", err)
	   && output_file_write (output, writer.data, writer.size, err));
  byte_writer_free (&writer);
  return is_done;
}

static enum exit_status
run_extract (int argc, char **argv)
{
  const char *output = NULL;
  struct profile_error err;
  enum exit_status status;
  int operands;
  if (!command_options_take (&command_mip_extract, argc, argv, take_option,
			     &output, &operands, &status))
    return status;
  if (output == NULL || operands + 1 != argc)
    return diagnostics_usage ("mip extract",
			      "expected an output (-o) and one program");
  struct mip_object *object = mip_object_open (argv[operands], &err);
  bool is_done = (object != NULL
		  && check_map (mip_object_map (object), argv[operands], &err)
		  && write_map (mip_object_map (object), output, &err));
  mip_object_close (object);
  if (!is_done)
    diagnostics_error (&err);
  return is_done ? STATUS_DONE : STATUS_FAILED;
}

const struct command command_mip_extract = {
  .name = "mip extract",
  .operands = "-o FILE PROGRAM",
  .summary = "write the map of a program to a file",
  .description
  = "Write the map of PROGRAM, an unstripped executable or shared object or\n"
    "its debug file, to a file that other commands accept in its place.",
  .options = extract_options,
  .run = run_extract
};
