/* The arguments of the plugin: -fplugin-arg-heapprof-NAME[=VALUE].
   SPDX-License-Identifier: GPL-3.0-or-later
   One table lists the arguments.  The parser and the error for an unknown
   argument both read it.  */

#include "gcc-compat.h"
#include "arguments.h"

heapprof_arguments arguments
  = { NULL,
      false,
      false,
      false,
      COALESCE_ALL,
      false,
      false,
      false,
      false,
      false,
      NULL,
      { NULL, false, 0.05, -1, 1000, 1, HINT_CALLS_ALL, GROUPS_PHASES, NULL,
	NULL },
      { NULL, NULL },
      NULL,
      { (heapprof_mip_kind) 0, false, false, false, false, 0, 0, 0, NULL } };

/* Apply VALUE, the text after the '=', or NULL.  Return false if it is
   invalid.  */
typedef bool argument_setter (const char *value);

struct argument_description
{
  const char *name;
  /* The argument as written in the list of valid arguments.  */
  const char *usage;
  argument_setter *set;
};

static bool
set_generate (const char *value)
{
  if (value && !*value)
    return false;
  arguments.generate = true;
  if (value && !strcmp (value, "alloc"))
    arguments.only_allocations = true;
  else if (value)
    arguments.directory = xstrdup (value);
  return true;
}

static bool
set_verbose (const char *value)
{
  arguments.verbose = true;
  return !value;
}

static bool
set_dump (const char *value)
{
  arguments.dump = true;
  if (value)
    arguments.dump_details = true;
  return !value || !strcmp (value, "details");
}

/* Add to *COALESCE the bits for the LENGTH characters at NAME.  Return false if
   they are not a valid name.  */
static bool
find_coalescing (const char *name, size_t length, unsigned *coalesce)
{
  static const struct
  {
    const char *name;
    unsigned bits;
  } names[] = { { "none", 0 },
		{ "block", COALESCE_BLOCK },
		{ "invariant", COALESCE_INVARIANT },
		{ "range", COALESCE_RANGE },
		{ "loop", COALESCE_LOOP },
		{ "all", COALESCE_ALL } };

  for (const auto &entry : names)
    if (strlen (entry.name) == length && !strncmp (entry.name, name, length))
      {
	*coalesce |= entry.bits;
	return true;
      }
  return false;
}

static bool
set_coalesce (const char *value)
{
  arguments.coalesce = 0;
  while (value)
    {
      const char *comma = strchr (value, ',');
      size_t length = comma ? comma - value : strlen (value);
      if (!find_coalescing (value, length, &arguments.coalesce))
	return false;
      if (!comma)
	return true;
      value = comma + 1;
    }
  return false;
}

static bool
set_exact_granules (const char *value)
{
  arguments.exact_granules = true;
  return !value;
}

static bool
set_totals_only (const char *value)
{
  arguments.totals_only = true;
  return !value;
}

static bool
set_histogram (const char *value)
{
  arguments.histogram = true;
  return !value;
}

/* Store the file name VALUE in *FILE.  */
static bool
set_file (const char **file, const char *value)
{
  if (!value || !*value)
    return false;
  *file = xstrdup (value);
  return true;
}

static bool
set_profile_use (const char *value)
{
  return set_file (&arguments.profile_use, value);
}

static bool
set_use (const char *value)
{
  return set_file (&arguments.use.file, value);
}

static bool
set_use_remarks (const char *value)
{
  return set_file (&arguments.use.remarks, value);
}

static bool
set_sample_use (const char *value)
{
  return set_file (&arguments.sample.file, value);
}

static bool
set_sample_remarks (const char *value)
{
  return set_file (&arguments.sample.remarks, value);
}

static bool
set_use_classes (const char *value)
{
  if (!value || (strcmp (value, "program") && strcmp (value, "limits")))
    return false;
  arguments.use.by_limits = !strcmp (value, "limits");
  return true;
}

static bool
set_use_groups (const char *value)
{
  static const char *const names[]
    = { [GROUPS_NONE] = "0", [GROUPS_PHASES] = "phases", [GROUPS_ALL] = "1" };

  for (int i = GROUPS_NONE; value && i <= GROUPS_ALL; i++)
    if (!strcmp (value, names[i]))
      {
	arguments.use.groups = static_cast<hinted_groups> (i);
	return true;
      }
  return false;
}

/* Store the nonnegative number VALUE, times UNIT, in *NUMBER.  */
static bool
set_number (double *number, const char *value, double unit)
{
  char *end;

  if (!value || !ISDIGIT (*value))
    return false;
  *number = strtod (value, &end) * unit;
  return !*end && *number < 1e18;
}

/* Likewise for a limit of classes.  */
static bool
set_limit (double *number, const char *value, double unit)
{
  arguments.use.by_limits = true;
  return set_number (number, value, unit);
}

static bool
set_use_cold_density (const char *value)
{
  return set_limit (&arguments.use.cold_density, value, 1);
}

static bool
set_use_cold_lifetime (const char *value)
{
  return set_limit (&arguments.use.cold_lifetime_ms, value, 1000);
}

static bool
set_use_hot_density (const char *value)
{
  return set_limit (&arguments.use.hot_density, value, 1);
}

static bool
set_use_max_growth (const char *value)
{
  double percent = 0;

  if (!set_number (&percent, value, 1) || percent > 10000)
    return false;
  arguments.use.max_growth_percent = percent;
  return percent == arguments.use.max_growth_percent;
}

static bool
set_use_hint (const char *value)
{
  static const char *const names[] = { "none", "new", "all" };

  for (unsigned i = 0; value && i < ARRAY_SIZE (names); i++)
    if (!strcmp (value, names[i]))
      {
	arguments.use.hints = static_cast<hinted_calls> (i);
	return true;
      }
  return false;
}

/* VALUE is an extended regular expression.  */
static bool
set_wrapper (const char *value)
{
  regex_t *expression = XNEW (regex_t);

  if (!value || !*value
      || regcomp (expression, value, REG_EXTENDED | REG_NOSUB) != 0)
    return false;
  arguments.use.wrapper = expression;
  return true;
}

/* Store the integer at the start of TEXT in *NUMBER and the text after it in
   *END.  Return false if TEXT does not start with a digit or the number exceeds
   1000000.  */
static bool
take_number (const char *text, unsigned *number, const char **end)
{
  char *after;

  if (!ISDIGIT (*text))
    return false;
  unsigned long value = strtoul (text, &after, 10);
  *number = value;
  *end = after;
  return value <= 1000000;
}

static bool
set_mip (const char *value)
{
  static const struct
  {
    const char *name;
    heapprof_mip_kind kind;
    bool blocks;
  } names[] = {
    { "function", HEAPPROF_MIP_COVERAGE, false },
    { "block", HEAPPROF_MIP_COVERAGE, true },
    { "count", HEAPPROF_MIP_COUNT, false },
    { "order", HEAPPROF_MIP_ORDER, false },
  };

  for (const auto &entry : names)
    if (value && startswith (value, entry.name))
      {
	const char *rest = value + strlen (entry.name);
	arguments.mip.edges = !strcmp (rest, ",edges");
	if (*rest && !arguments.mip.edges)
	  return false;
	arguments.mip.kind = entry.kind;
	arguments.mip.blocks = entry.blocks;
	return true;
      }
  return false;
}

static bool
set_mip_min_insns (const char *value)
{
  const char *end;

  return value && take_number (value, &arguments.mip.min_insns, &end) && !*end;
}

static bool
set_mip_groups (const char *value)
{
  const char *end;

  return (value && take_number (value, &arguments.mip.group, &end)
	  && *end == '/' && take_number (end + 1, &arguments.mip.groups, &end)
	  && !*end && arguments.mip.group > 0
	  && arguments.mip.group <= arguments.mip.groups);
}

static bool
set_mip_infer (const char *value)
{
  if (!value)
    return false;
  arguments.mip.strict = !strcmp (value, "strict");
  return arguments.mip.strict || !strcmp (value, "forward");
}

static bool
set_mip_entries (const char *value)
{
  if (!value)
    return false;
  arguments.mip.program_entries = !strcmp (value, "program");
  return arguments.mip.program_entries || !strcmp (value, "file");
}

static bool
set_mip_link_unit (const char *value)
{
  return set_file (&arguments.mip.link_unit, value);
}

static bool
set_mip_use (const char *value)
{
  return set_file (&arguments.mip_use, value);
}

static const argument_description descriptions[] = {
  { "coalesce", "coalesce=none|block|invariant|range|loop|all[,...]",
    set_coalesce },
  { "dump", "dump[=details]", set_dump },
  { "exact-granules", "exact-granules", set_exact_granules },
  { "generate", "generate[=DIR|alloc]", set_generate },
  { "histogram", "histogram", set_histogram },
  { "mip", "mip=function|block|order|count[,edges]", set_mip },
  { "mip-entries", "mip-entries=file|program", set_mip_entries },
  { "mip-groups", "mip-groups=N/K", set_mip_groups },
  { "mip-infer", "mip-infer=forward|strict", set_mip_infer },
  { "mip-link-unit", "mip-link-unit=NAME", set_mip_link_unit },
  { "mip-min-insns", "mip-min-insns=N", set_mip_min_insns },
  { "mip-use", "mip-use=FILE", set_mip_use },
  { "profile-use", "profile-use=FILE", set_profile_use },
  { "sample-remarks", "sample-remarks=FILE", set_sample_remarks },
  { "sample-use", "sample-use=FILE", set_sample_use },
  { "totals-only", "totals-only", set_totals_only },
  { "use", "use=FILE", set_use },
  { "use-classes", "use-classes=program|limits", set_use_classes },
  { "use-cold-density", "use-cold-density=NUMBER", set_use_cold_density },
  { "use-cold-lifetime", "use-cold-lifetime=SECONDS", set_use_cold_lifetime },
  { "use-groups", "use-groups=0|1|phases", set_use_groups },
  { "use-hint", "use-hint=all|new|none", set_use_hint },
  { "use-hot-density", "use-hot-density=NUMBER", set_use_hot_density },
  { "use-max-growth", "use-max-growth=PERCENT", set_use_max_growth },
  { "use-remarks", "use-remarks=FILE", set_use_remarks },
  { "verbose", "verbose", set_verbose },
  { "wrapper", "wrapper=REGEX", set_wrapper },
};

static const argument_description *
find_description (const char *name)
{
  for (const argument_description &description : descriptions)
    if (!strcmp (description.name, name))
      return &description;
  return NULL;
}

static void
report_unknown (const char *name)
{
  char list[1500] = "";

  for (const argument_description &description : descriptions)
    {
      if (*list)
	strncat (list, ", ", sizeof list - strlen (list) - 1);
      strncat (list, description.usage, sizeof list - strlen (list) - 1);
    }
  error ("unknown argument %<-fplugin-arg-heapprof-%s%>; valid arguments are"
	 " %s",
	 name, list);
}

/* GCC removes one character from the end of a value for each '=' in it, so such
   a value is truncated and may no longer contain a '='.  Check the original
   command line instead.  */
static bool
values_have_equals_sign (void)
{
  static const char prefix[] = "heapprof-";
  bool found = false;

  for (unsigned i = 1; i < save_decoded_options_count; i++)
    {
      const cl_decoded_option *option = &save_decoded_options[i];
      if (option->opt_index != OPT_fplugin_arg_
	  || strncmp (option->arg, prefix, strlen (prefix)))
	continue;
      const char *value = strchr (option->arg, '=');
      if (value && strchr (value + 1, '='))
	{
	  error ("%<-fplugin-arg-%s%>: GCC cannot pass a value that contains"
		 " %<=%>",
		 option->arg);
	  found = true;
	}
    }
  return found;
}

bool
arguments_parse (const plugin_name_args *plugin)
{
  bool valid = !values_have_equals_sign ();

  for (int i = 0; i < plugin->argc; i++)
    {
      const char *name = plugin->argv[i].key;
      const char *value = plugin->argv[i].value;
      const argument_description *description = find_description (name);

      if (!description)
	{
	  report_unknown (name);
	  valid = false;
	}
      else if (!description->set (value))
	{
	  error ("invalid value in %<-fplugin-arg-heapprof-%s%s%s%>; expected"
		 " %s",
		 name, value ? "=" : "", value ? value : "",
		 description->usage);
	  valid = false;
	}
    }
  if (arguments.totals_only
      && (arguments.exact_granules || arguments.histogram))
    {
      error ("%<-fplugin-arg-heapprof-totals-only%> cannot be used with"
	     " %<-fplugin-arg-heapprof-%s%>",
	     arguments.histogram ? "histogram" : "exact-granules");
      valid = false;
    }
  if (!arguments.profile_use && !arguments.use.file && !arguments.sample.file
      && !arguments.mip.kind && !arguments.mip_use)
    arguments.generate = true;
  if (arguments.histogram && arguments.only_allocations)
    {
      error ("%<-fplugin-arg-heapprof-histogram%> counts accesses, which"
	     " %<-fplugin-arg-heapprof-generate=alloc%> excludes");
      valid = false;
    }
  if (arguments.histogram)
    {
      arguments.generate = true;
      arguments.coalesce = 0;
    }
  return valid;
}
