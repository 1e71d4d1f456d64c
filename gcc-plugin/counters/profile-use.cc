/* Optimization with gcc's own counters in an indexed profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   gcc -fprofile-use reads a data file (.gcda) for each unit, which identifies
   functions by idents.  Here, a pass right before the one that uses counters
   looks up each function of the unit by name in the indexed profile of the
   whole program, and writes the data file that an instrumented build would have
   left for this compilation.  GCC's own reader reads it and does the rest: it
   compares the checksums of the flow graphs, solves them, and warns.

   The file is temporary and removed before the pass ends.  With LTO, linking
   needs nothing, because the objects contain the counts.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "gcov-lookup.h"
#include "profile-message.h"
#include "profile-use.h"

static gcov_lookup *lookup;

/* Options of the user, hidden while GCC looks for a data file at the start of
   the unit.  */
static const char *user_data_prefix;
static int user_test_coverage;
static int user_missing_profile;

/* The number of functions in the unit, and of those that have a profile.  */
static unsigned n_functions;
static unsigned n_found;

/* Return the version word of the compiler's data files: a letter and a digit
   for the major version, a digit for the minor one, and the phase of
   development.  */
static uint32_t
data_version (void)
{
  int major = GCCPLUGIN_VERSION_MAJOR, minor = GCCPLUGIN_VERSION_MINOR;
  char phase = *gcc_version.devphase ? *gcc_version.devphase : '*';

  return ((uint32_t) ('A' + major / 10) << 24 | ('0' + major % 10) << 16
	  | ('0' + minor) << 8 | phase);
}

static unsigned
lineno_checksum (cgraph_node *node)
{
  tree saved = current_function_decl;

  current_function_decl = node->decl;
  unsigned checksum = coverage_compute_lineno_checksum ();
  current_function_decl = saved;
  return checksum;
}

/* Return the ident that GCC's reader will look for.  Call it after
   init_node_map.  */
static unsigned
ident_of (cgraph_node *node)
{
  if (param_profile_func_internal_id)
    return DECL_STRUCT_FUNCTION (node->decl)->funcdef_no + 1;
  return node->profile_id;
}

/* Return the data by which the profile may know NODE, whose unit leaves the
   data file OBJECT.  */
static gcov_lookup_key
key_of (cgraph_node *node, const char *object)
{
  tree decl = node->decl;
  expanded_location at = expand_location (DECL_SOURCE_LOCATION (decl));
  gcov_lookup_key key = {};

  key.name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl));
  key.file = at.file ? compat_profile_filename (at.file) : NULL;
  key.object = object;
  key.ident = node->profile_id;
  key.lineno_checksum = lineno_checksum (node);
  key.major = GCCPLUGIN_VERSION_MAJOR;
  key.is_public = TREE_PUBLIC (decl) || DECL_EXTERNAL (decl);
  key.is_shared
    = (DECL_COMDAT (decl) || DECL_ONE_ONLY (decl) || DECL_EXTERNAL (decl));
  return key;
}

/* Append the records for NODE in the profile to PARTS.  The caller frees the
   array of records.  */
static gcov_lookup_result
look_up (cgraph_node *node, const char *object, vec<gcov_lookup_part> *parts)
{
  gcov_lookup_key key = key_of (node, object);
  gcov_lookup_found found = {};
  profile_error err;
  gcov_lookup_result result = gcov_lookup_find (lookup, &key, &found, &err);

  if (result == GCOV_LOOKUP_FAILED)
    report_profile_error (arguments.profile_use, &err);
  if (result != GCOV_LOOKUP_FOUND)
    return result;
  const gcov_function **records = XNEWVEC (const gcov_function *, found.count);
  memcpy (records, found.records, found.count * sizeof *records);
  gcov_lookup_part part
    = { records, found.count, ident_of (node), key.lineno_checksum };
  parts->safe_push (part);
  return result;
}

/* Fill PARTS with the functions of the unit that have a profile.  Return false
   after an error.  */
static bool
collect_parts (vec<gcov_lookup_part> *parts)
{
  cgraph_node *node;
  unsigned n_other = 0;
  char *object = IS_ABSOLUTE_PATH (aux_base_name)
		   ? xstrdup (aux_base_name)
		   : concat (getpwd (), "/", aux_base_name, NULL);
  bool failed = false;

  FOR_EACH_DEFINED_FUNCTION (node)
    {
      if (failed || !gimple_has_body_p (node->decl)
	  || (node->clone_of && node->clone_of->decl == node->decl))
	continue;
      gcov_lookup_result result = look_up (node, object, parts);
      n_functions++;
      n_other += result == GCOV_LOOKUP_OTHER_COMPILER;
      failed = result == GCOV_LOOKUP_FAILED;
    }
  free (object);
  if (n_other && parts->is_empty ())
    warning (OPT_Wcoverage_mismatch,
	     "%s: not used: its counters come from another version of GCC",
	     arguments.profile_use);
  return !failed;
}

/* Write a data file with PARTS to PATH.  */
static bool
write_data (const char *path, const vec<gcov_lookup_part> &parts)
{
  gcov_unit head = {};
  byte_writer writer = {};
  profile_error err = {};

  head.version = data_version ();
  head.is_big_endian = BYTES_BIG_ENDIAN;
  head.has_summary = true;
  gcov_lookup_summary (lookup, &head.runs, &head.sum_max);
  if (!gcov_lookup_make_data (&writer, parts.address (), parts.length (), &head,
			      &err))
    {
      report_profile_error (arguments.profile_use, &err);
      return false;
    }
  FILE *file = fopen (path, "wb");
  bool done = file && fwrite (writer.data, 1, writer.size, file) == writer.size;
  if (file && fclose (file) != 0)
    done = false;
  if (!done)
    error ("cannot write %s: %m", path);
  byte_writer_free (&writer);
  return done;
}

/* Make GCC read the data file whose path without suffix is BASE.  Then restore
   the names of the unit's own data and notes files, which that changes.  */
static void
read_data (const char *base)
{
  int wanted = flag_branch_probabilities;

  warn_missing_profile = user_missing_profile;
  profile_data_prefix = NULL;
  coverage_init (base);
  profile_data_prefix = user_data_prefix;
  flag_test_coverage = user_test_coverage;
  flag_branch_probabilities = 0;
  coverage_init (aux_base_name);
  flag_branch_probabilities = wanted;
}

static void
use_profile (void)
{
  static const char suffix[] = ".gcda";
  auto_vec<gcov_lookup_part> parts;

  /* The next pass builds this map again.  */
  init_node_map (true);
  del_node_map ();
  if (collect_parts (&parts))
    {
      char *path = make_temp_file (suffix);
      bool written = write_data (path, parts);
      char *base = xstrndup (path, strlen (path) - strlen (suffix));
      if (written)
	read_data (base);
      unlink (path);
      free (base);
      free (path);
    }
  n_found = parts.length ();
  for (gcov_lookup_part &part : parts)
    free (const_cast<const gcov_function **> (part.records));
  gcov_lookup_close (lookup);
  lookup = NULL;
}

static const pass_data pass_data_use_profile
  = { SIMPLE_IPA_PASS, "heapprof-use", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0 };

class pass_use_profile : public simple_ipa_opt_pass
{
public:
  pass_use_profile (gcc::context *context)
    : simple_ipa_opt_pass (pass_data_use_profile, context)
  {}

  bool gate (function *) final override
  {
    return lookup && !in_lto_p && !seen_error ();
  }
  unsigned int execute (function *) final override
  {
    use_profile ();
    return 0;
  }
};

/* Report how many functions have a profile.  */
static void
report_unit (void *, void *)
{
  if (!in_lto_p && !seen_error ())
    inform (UNKNOWN_LOCATION, "heapprof: functions with a profile: %u of %u",
	    n_found, n_functions);
}

/* Set the options that -fprofile-use sets.  Make the search for data files at
   the start of the unit fail: a file contains no files.  */
static void
set_options (void)
{
  cl_option_handlers handlers;

  set_default_handlers (&handlers, NULL);
  handle_generated_option (&global_options, &global_options_set,
			   OPT_fprofile_use, NULL, 1,
			   lang_hooks.option_lang_mask (),
			   compat_kind_unspecified, UNKNOWN_LOCATION, &handlers,
			   true, global_dc);
  finish_options (&global_options, &global_options_set, UNKNOWN_LOCATION);
  profile_soften_mismatch ();
  user_missing_profile
    = (global_options_set.x_warn_missing_profile && warn_missing_profile);
  warn_missing_profile = 0;
  user_data_prefix = profile_data_prefix;
  profile_data_prefix = arguments.profile_use;
  user_test_coverage = flag_test_coverage;
  flag_test_coverage = 0;
}

/* Early passes check whether there is a profile.  */
static void
set_summary (void)
{
  uint32_t runs, sum_max;

  gcov_lookup_summary (lookup, &runs, &sum_max);
  profile_info = XCNEW (gcov_summary);
  profile_info->runs = runs;
  profile_info->sum_max = sum_max;
}

void
profile_use_start (const char *plugin_name)
{
  profile_error err;

  lookup = gcov_lookup_open (arguments.profile_use, &err);
  if (!lookup)
    {
      report_profile_error (arguments.profile_use, &err);
      return;
    }
  set_options ();
  set_summary ();
  register_pass_info info
    = { new pass_use_profile (g), "profile", 1, PASS_POS_INSERT_BEFORE };
  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
  if (arguments.verbose)
    register_callback (plugin_name, PLUGIN_FINISH_UNIT, report_unit, NULL);
}
