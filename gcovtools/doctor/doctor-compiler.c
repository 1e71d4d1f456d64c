/* Check that a compiler can build programs that leave profiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   A program of a few lines goes all the way: compiler alone, plugin, linker,
   execution, and its profile must contain what it did.  Checking stops at the
   first step that fails.  */

#include "doctor.h"
#include "raw-profile.h"
#include <dirent.h>
#include <inttypes.h>
#include <libiberty/libiberty.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the program does and its profile must contain.  It includes no header,
   so that a missing C library can be distinguished from a missing plugin.  */
#define PROBE_BLOCKS 1
#define PROBE_BYTES 64
#define PROBE_ACCESSES 10

static const char probe_source[]
  = "void *malloc (__SIZE_TYPE__);\n"
    "void free (void *);\n"
    "int main (void)\n"
    "{\n"
    "  char *volatile p = (char *) malloc (64);\n"
    "  for (int i = 0; i < 10; i++)\n"
    "    p[i] = 1;\n"
    "  free (p);\n"
    "  return 0;\n"
    "}\n";

#define OPTIONS_VARIABLE "HEAPPROF_OPTIONS"

struct probe
{
  struct findings *findings;
  const char *compiler;	 /* name given by the user */
  char *wrapper;	 /* command; malloced */
  char major[16];	 /* major version of the compiler */
  char folder[PATH_MAX]; /* temporary folder of the probe */
  char source[PATH_MAX]; /* files in it */
  char object[PATH_MAX];
  char program[PATH_MAX];
  char output[PATH_MAX];
  char errors[PATH_MAX];
  char generate[PATH_MAX + 40]; /* option that names the folder */
  bool is_absent;		/* the last command could not be started */
};

/* ---- Commands.  */

/* Run ARGV, NULL-terminated, with its output in the probe's files.  Return NULL
   if its exit status is 0; otherwise return WHY, of BYTES, filled with the
   reason.  */
static const char *
run (struct probe *probe, const char **argv, char *why, size_t bytes)
{
  int status = 0;
  int error = 0;
  char *const *arguments = (char *const *) argv;
  const char *failure
    = pex_one (PEX_SEARCH | PEX_LAST, argv[0], arguments, "heapprof-gcov",
	       probe->output, probe->errors, &status, &error);
  probe->is_absent = failure != NULL;
  if (failure != NULL)
    snprintf (why, bytes, "%s: %s", failure, strerror (error));
  else if (WIFSIGNALED (status))
    snprintf (why, bytes, "killed by signal %d (%s)", WTERMSIG (status),
	      strsignal (WTERMSIG (status)));
  else if (WEXITSTATUS (status) != 0)
    snprintf (why, bytes, "exit status %d", WEXITSTATUS (status));
  else
    return NULL;
  return why;
}

/* Store the first line of PATH that contains MARK, else its first line, without
   newline in LINE of BYTES.  Leave LINE unchanged if there is none.  */
static void
take_line (const char *path, const char *mark, char *line, size_t bytes)
{
  char text[1024];
  bool is_first = true;
  FILE *file = fopen (path, "r");
  if (file == NULL)
    return;
  while (fgets (text, sizeof text, file) != NULL)
    {
      text[strcspn (text, "\n")] = '\0';
      bool is_marked = strstr (text, mark) != NULL;
      if (is_first || is_marked)
	snprintf (line, bytes, "%s", text);
      if (is_marked)
	break;
      is_first = false;
    }
  fclose (file);
}

/* Like run, but the reason is the command's own message.  */
static const char *
run_tool (struct probe *probe, const char **argv, char *why, size_t bytes)
{
  if (run (probe, argv, why, bytes) == NULL)
    return NULL;
  if (probe->is_absent)
    return why;
  take_line (probe->errors, "error: ", why, bytes);
  return why;
}

/* ---- Files.  */

static bool
name_file (const struct probe *probe, char path[PATH_MAX], const char *name)
{
  return snprintf (path, PATH_MAX, "%s/%s", probe->folder, name) < PATH_MAX;
}

static bool
write_source (const char *path)
{
  FILE *file = fopen (path, "w");
  if (file == NULL)
    return false;
  bool is_written = fputs (probe_source, file) >= 0;
  return fclose (file) == 0 && is_written;
}

/* Make the folder and its initial files.  */
static bool
make_folder (struct probe *probe)
{
  const char *temporary = getenv ("TMPDIR");
  if (temporary == NULL || *temporary == '\0')
    temporary = "/tmp";
  bool is_named = snprintf (probe->folder, sizeof probe->folder,
			    "%s/heapprof-doctor-XXXXXX", temporary)
		  < PATH_MAX;
  if (!is_named || mkdtemp (probe->folder) == NULL)
    {
      findings_add (probe->findings, "compiler", probe->compiler, FINDING_WRONG,
		    "cannot be checked: no files can be created in %s",
		    temporary);
      findings_mend (probe->findings, "set TMPDIR to a writable folder");
      return false;
    }
  snprintf (probe->generate, sizeof probe->generate,
	    "-fplugin-arg-heapprof-generate=%s", probe->folder);
  return name_file (probe, probe->source, "probe.c")
	 && name_file (probe, probe->object, "probe.o")
	 && name_file (probe, probe->program, "probe")
	 && name_file (probe, probe->output, "output")
	 && name_file (probe, probe->errors, "errors")
	 && write_source (probe->source);
}

/* Call TAKE with DATA for the path of each file in the probe's folder.  */
static void
for_each_file (const struct probe *probe,
	       void (*take) (const char *path, void *data), void *data)
{
  DIR *folder = opendir (probe->folder);
  struct dirent *entry;
  char path[PATH_MAX];
  while (folder != NULL && (entry = readdir (folder)) != NULL)
    if (entry->d_name[0] != '.' && name_file (probe, path, entry->d_name))
      take (path, data);
  if (folder != NULL)
    closedir (folder);
}

static void
remove_file (const char *path, void *data)
{
  (void) data;
  unlink (path);
}

static void
take_raw_profile (const char *path, void *data)
{
  char *found = data;
  size_t length = strlen (path);
  static const char suffix[] = ".hpraw";
  size_t suffix_length = sizeof suffix - 1;
  if (length > suffix_length
      && strcmp (path + length - suffix_length, suffix) == 0)
    snprintf (found, PATH_MAX, "%s", path);
}

/* ---- The steps.  Each adds its findings and returns false on failure.  */

static void
mend_plugin (const struct probe *probe)
{
  findings_mend (probe->findings,
		 "install the package heapprof-gcc-%s-plugin, or rebuild "
		 "heapprof with gcc-%s-plugin-dev installed",
		 probe->major, probe->major);
}

static bool
check_version (struct probe *probe)
{
  char text[1024] = "";
  char why[1024];
  const char *argv[] = { probe->compiler, "-dumpfullversion", NULL };
  if (run (probe, argv, why, sizeof why) != NULL)
    {
      findings_add (probe->findings, "compiler", probe->compiler, FINDING_WRONG,
		    "does not run: %s", why);
      findings_mend (probe->findings,
		     "install gcc (Debian: build-essential), or name another "
		     "compiler with --compiler=");
      return false;
    }
  take_line (probe->output, "", text, sizeof text);
  snprintf (probe->major, sizeof probe->major, "%.*s",
	    (int) strcspn (text, "."), text);
  const char *compile[]
    = { probe->compiler, "-x", "c", probe->source, "-o", probe->program, NULL };
  if (run_tool (probe, compile, why, sizeof why) != NULL)
    {
      findings_add (probe->findings, "compiler", probe->compiler, FINDING_WRONG,
		    "cannot build a program, even without heapprof: "
		    "%s",
		    why);
      findings_mend (probe->findings,
		     "install the development packages of compiler and C "
		     "library (Debian: build-essential)");
      return false;
    }
  findings_add (probe->findings, "compiler", probe->compiler, FINDING_OK,
		"version %s builds programs", text);
  return true;
}

/* Find the wrapper next to this program (installed, or in the build tree), or
   else on the search path.  */
static bool
find_wrapper (struct probe *probe)
{
  static const char *const folders[] = { "", "wrappers/bin/" };
  char self[PATH_MAX];
  ssize_t length = readlink ("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = '\0';
  char *slash = strrchr (self, '/');
  if (slash != NULL)
    slash[1] = '\0';
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    {
      if (asprintf (&probe->wrapper, "%s%sheapprof-%s", self, folders[i],
		    probe->compiler)
	  < 0)
	{
	  probe->wrapper = NULL;
	  return false;
	}
      if (slash != NULL && access (probe->wrapper, X_OK) == 0)
	return true;
      free (probe->wrapper);
    }
  if (asprintf (&probe->wrapper, "heapprof-%s", probe->compiler) < 0)
    probe->wrapper = NULL;
  return probe->wrapper != NULL;
}

static bool
check_plugin (struct probe *probe)
{
  char why[1024];
  const char *compile[]
    = { probe->wrapper, probe->generate, "-O0", "-x",	       "c",
	"-c",		probe->source,	 "-o",	probe->object, NULL };
  const char *failure = run_tool (probe, compile, why, sizeof why);
  if (failure != NULL && probe->is_absent)
    {
      findings_add (probe->findings, "wrapper", probe->wrapper, FINDING_WRONG,
		    "does not run: %s", why);
      findings_mend (probe->findings,
		     "install heapprof, or create the wrapper next to "
		     "heapprof-gcc: ln -s heapprof-gcc heapprof-%s",
		     probe->compiler);
      return false;
    }
  if (failure != NULL)
    {
      findings_add (probe->findings, "plugin", probe->wrapper, FINDING_WRONG,
		    "the compiler cannot use the plugin: %s", why);
      mend_plugin (probe);
      return false;
    }
  findings_add (probe->findings, "plugin", probe->wrapper, FINDING_OK,
		"compiles");
  return true;
}

static bool
check_runtime (struct probe *probe)
{
  char why[1024];
  const char *link[] = { probe->wrapper, probe->generate, probe->object,
			 "-o",		 probe->program,  NULL };
  if (run_tool (probe, link, why, sizeof why) != NULL)
    {
      findings_add (probe->findings, "runtime", probe->wrapper, FINDING_WRONG,
		    "cannot link: %s", why);
      findings_mend (probe->findings,
		     "install the package libheapprof-dev, or reinstall "
		     "heapprof");
      return false;
    }
  const char *start[] = { probe->program, NULL };
  if (run_tool (probe, start, why, sizeof why) != NULL)
    {
      findings_add (probe->findings, "runtime", "test program", FINDING_WRONG,
		    "does not run: %s", why);
      findings_mend (probe->findings,
		     "see its message; if programs in %s cannot be executed, "
		     "set TMPDIR",
		     probe->folder);
      return false;
    }
  findings_add (probe->findings, "runtime", probe->wrapper, FINDING_OK,
		"builds programs that run");
  return true;
}

/* Check that the raw profile at PATH contains what the program did.  */
static void
check_counts (const struct probe *probe, const char *path)
{
  struct profile_error err;
  struct memory_info sum = { 0 };
  struct raw_profile *raw = raw_profile_open (path, &err);
  if (raw == NULL)
    {
      findings_add (probe->findings, "profile", "test program", FINDING_WRONG,
		    "cannot read its profile: %s", err.cause);
      findings_mend (probe->findings, "install heapprof-gcov and libheapprof "
				      "of the same version");
      return;
    }
  for (uint32_t i = 0; i < raw_profile_context_count (raw); i++)
    {
      struct memory_info info;
      if (raw_profile_context_info (raw, i, &info))
	memory_info_add (&sum, &info);
    }
  raw_profile_close (raw);
  if (sum.alloc_count == PROBE_BLOCKS && sum.size_bytes.total == PROBE_BYTES
      && sum.access_count.total == PROBE_ACCESSES)
    findings_add (probe->findings, "profile", "test program", FINDING_OK,
		  "its profile has its block of %d bytes and its %d accesses",
		  PROBE_BYTES, PROBE_ACCESSES);
  else
    {
      findings_add (probe->findings, "profile", "test program", FINDING_WRONG,
		    "wrong profile: expected 1 block, %d bytes, %d accesses; "
		    "found %" PRIu64 ", %" PRIu64 ", %" PRIu64,
		    PROBE_BYTES, PROBE_ACCESSES, sum.alloc_count,
		    sum.size_bytes.total, sum.access_count.total);
      findings_mend (probe->findings,
		     "install plugin and libheapprof of the "
		     "same version; if they are, report a bug");
    }
}

static void
check_profile (const struct probe *probe)
{
  char path[PATH_MAX] = "";
  char why[1024] = "no message";
  for_each_file (probe, take_raw_profile, path);
  if (*path != '\0')
    {
      check_counts (probe, path);
      return;
    }
  take_line (probe->errors, "heapprof", why, sizeof why);
  findings_add (probe->findings, "profile", "test program", FINDING_WRONG,
		"did not write a profile: %s", why);
  findings_mend (probe->findings, "see the other findings");
}

/* Keep the user's options out of the test program.  */
static void
try_without_options (struct probe *probe)
{
  const char *value = getenv (OPTIONS_VARIABLE);
  char *saved = value != NULL ? strdup (value) : NULL;
  unsetenv (OPTIONS_VARIABLE);
  if (check_version (probe) && find_wrapper (probe) && check_plugin (probe)
      && check_runtime (probe))
    check_profile (probe);
  if (saved != NULL)
    setenv (OPTIONS_VARIABLE, saved, 1);
  free (saved);
}

void
doctor_check_compiler (struct findings *findings, const char *compiler)
{
  struct probe probe = { .findings = findings, .compiler = compiler };
  if (strchr (compiler, '/') != NULL)
    {
      findings_add (
	findings, "compiler", compiler, FINDING_WRONG,
	"is a path, but heapprof's wrappers find compilers by name");
      findings_mend (findings, "add its folder to PATH and give only its name");
      return;
    }
  if (make_folder (&probe))
    try_without_options (&probe);
  for_each_file (&probe, remove_file, NULL);
  rmdir (probe.folder);
  free (probe.wrapper);
}
