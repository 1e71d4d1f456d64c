/* heapprof.so, the plugin for GCC: entry point.
   SPDX-License-Identifier: GPL-3.0-or-later

   gcc -fplugin=heapprof makes a program that counts its accesses to the heap
   and, linked with libheapprof, writes a heap profile.  The passes are in
   access-count.cc, the data of each unit in unit.cc.  */

#include "gcc-compat.h"
#include "access-count.h"
#include "arguments.h"
#include "call-apart.h"
#include "hint-call.h"
#include "lto-guard.h"
#include "machine.h"
#include "mip-parts.h"
#include "mip-use.h"
#include "profile-use.h"
#include "required-options.h"
#include "runtime-decls.h"
#include "sample-use.h"
#include "unit.h"
#include "use-ipa.h"
#include "use-match.h"
#include "use-remarks.h"

extern __attribute__ ((visibility ("default"))) int plugin_is_GPL_compatible;
int plugin_is_GPL_compatible = 1;

static plugin_info information = {
  HEAPPROF_VERSION,
  "Count accesses to the heap, or optimize with a profile.\n"
  "  -fplugin-arg-heapprof-generate[=DIR]  count accesses; profiles go to DIR\n"
  "  -fplugin-arg-heapprof-generate=alloc  profile allocations without accesses\n"
  "  -fplugin-arg-heapprof-coalesce=LIST   which accesses to count together\n"
  "  -fplugin-arg-heapprof-exact-granules  merge only accesses to one granule\n"
  "  -fplugin-arg-heapprof-dump[=details]  write dump files of the passes\n"
  "  -fplugin-arg-heapprof-histogram       also count each 8 bytes of blocks\n"
  "  -fplugin-arg-heapprof-mip=function|block|order|count[,edges]  add probes\n"
  "  -fplugin-arg-heapprof-mip-entries=file|program  which calls skip counters\n"
  "  -fplugin-arg-heapprof-mip-groups=N/K  probe only the Nth of K groups\n"
  "  -fplugin-arg-heapprof-mip-infer=forward|strict  choose probed blocks\n"
  "  -fplugin-arg-heapprof-mip-link-unit=NAME  name the program or library\n"
  "  -fplugin-arg-heapprof-mip-min-insns=N  skip smaller functions\n"
  "  -fplugin-arg-heapprof-mip-use=FILE    use a machine-level profile\n"
  "  -fplugin-arg-heapprof-profile-use=FILE  optimize with gcc's counters\n"
  "  -fplugin-arg-heapprof-sample-use=FILE  promote virtual calls\n"
  "  -fplugin-arg-heapprof-sample-remarks=FILE  report on virtual calls\n"
  "  -fplugin-arg-heapprof-totals-only     count in any granule of a block\n"
  "  -fplugin-arg-heapprof-use=FILE        hint allocations\n"
  "  -fplugin-arg-heapprof-use-hint=all|new|none  which calls get hints\n"
  "  -fplugin-arg-heapprof-use-classes=program|limits  what is cold or hot\n"
  "  -fplugin-arg-heapprof-use-cold-density=NUMBER,\n"
  "    use-cold-lifetime=SECONDS, use-hot-density=NUMBER  limits of classes\n"
  "  -fplugin-arg-heapprof-use-max-growth=PERCENT  limit growth by cloning\n"
  "  -fplugin-arg-heapprof-use-remarks=FILE  report on allocations\n"
  "  -fplugin-arg-heapprof-verbose         print summaries\n"
};

/* True if the version strings A and B begin with the same "MAJOR.MINOR".  */
static bool
same_major_minor_p (const char *a, const char *b)
{
  int a_major, a_minor, b_major, b_minor;

  return (sscanf (a, "%d.%d", &a_major, &a_minor) == 2
	  && sscanf (b, "%d.%d", &b_major, &b_minor) == 2 && a_major == b_major
	  && a_minor == b_minor);
}

/* True if the plugin was built for this version of the compiler.  Its data
   structures do not change within a minor version.  Date and configuration
   change with every rebuild by a distribution and do not matter.  */
static bool
version_fits_p (const plugin_gcc_version *version)
{
  if (same_major_minor_p (version->basever, gcc_version.basever))
    return true;
  error ("plugin %qs was built for GCC %s, but this is GCC %s", "heapprof",
	 gcc_version.basever, version->basever);
  return false;
}

/* Report an error and return false if an argument is not supported on the
   target machine.  */
static bool
machine_fits_p (void)
{
  if (machine_has_probes || (!arguments.mip.kind && !arguments.mip_use))
    return true;
  error ("plugin %qs does not support machine-level profiles on this machine",
	 "heapprof");
  return false;
}

/* Return the enabled sanitizer that has a heap and a shadow of its own, or
   NULL.  */
static const char *
sanitizer_in_the_way (void)
{
  if (flag_sanitize & SANITIZE_THREAD)
    return "thread";
  if (flag_sanitize & SANITIZE_HWADDRESS)
    return "hwaddress";
  return flag_sanitize & SANITIZE_ADDRESS ? "address" : NULL;
}

/* PLUGIN_START_UNIT, when options are final: report an error for targets
   without run-time libraries.  */
static void
refuse_small_pointers (void *, void *)
{
  if (POINTER_SIZE != 64)
    error ("plugin %qs cannot be used with %<-m32%>, %<-mx32%> or %<-m16%>:"
	   " it supports only 64-bit pointers",
	   "heapprof");
}

/* Register the passes and callbacks of code that is profiled.  */
static void
start_profiling (const char *plugin_name)
{
  if (const char *sanitizer = sanitizer_in_the_way ())
    {
      error ("plugin %qs cannot be used with %<-fsanitize=%s%>: both replace"
	     " %<malloc%> and need the same addresses",
	     "heapprof", sanitizer);
      return;
    }
  required_options_force ();
  runtime_decls_register_roots (plugin_name);
  unit_register_callbacks (plugin_name);
  if (!arguments.only_allocations)
    access_count_register (plugin_name);
  call_apart_register (plugin_name);
}

/* Make all passes write their dump files.  Before GCC 15, -fdump-tree-heapprof
   and similar options are errors, because they are read before plugins have
   registered their passes.  */
static void
start_dumps (void)
{
  static const char *const switches[]
    = { "tree-heapprof",	"tree-heapprof-match",
	"ipa-heapprof",		"tree-heapprof-hint",
	"tree-heapprof-tests",	"ipa-heapprof-use",
	"ipa-heapprof-tables",	"ipa-heapprof-sample",
	"ipa-heapprof-virtual", "ipa-heapprof-virtual-rest",
	"rtl-heapprof-mip",	"rtl-heapprof-mip-map",
	"rtl-heapprof-vtables", "rtl-heapprof-vtmap" };

  for (const char *name : switches)
    if (dump_file_info *dump
	= g->get_dumps ()->get_dump_file_info_by_switch (name))
      {
	dump->pstate = -1;
	dump->pflags |= MSG_ALL_PRIORITIES;
	dump->pflags
	  |= arguments.dump_details ? TDF_DETAILS : MSG_OPTIMIZED_LOCATIONS;
      }
}

__attribute__ ((visibility ("default"))) int
plugin_init (plugin_name_args *plugin, plugin_gcc_version *version)
{
  const char *name = plugin->base_name;

  if (!version_fits_p (version))
    return 1;
  register_callback (name, PLUGIN_INFO, NULL, &information);
  if (!arguments_parse (plugin) || !machine_fits_p ())
    return 0;
  lto_guard_register (name);
  if (arguments.profile_use)
    profile_use_start (name);
  if (arguments.use.file)
    {
      use_match_start (name);
      hint_call_register (name);
      use_ipa_register (name);
      use_remarks_start (name);
    }
  if (arguments.sample.file)
    sample_use_start (name);
  if (arguments.mip.kind || arguments.generate)
    register_callback (name, PLUGIN_START_UNIT, refuse_small_pointers, NULL);
  if (arguments.mip.kind)
    mip_start (name);
  if (arguments.mip_use)
    mip_use_start (name);
  if (arguments.generate)
    start_profiling (name);
  if (arguments.dump)
    start_dumps ();
  return 0;
}
