/* Check programs and shared objects.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "doctor.h"
#include "file-map.h"
#include "object-facts.h"
#include "program-kind.h"
#include <libiberty/libiberty.h>
#include <string.h>

static const char elf_magic[] = "\177ELF";

static void
check_build_id (struct findings *findings, const char *subject,
		struct object_file *file)
{
  size_t size;
  object_file_build_id (file, &size);
  if (size > 0)
    {
      findings_add (findings, "build ID", subject, FINDING_OK,
		    "%zu bytes: profiles can be matched with it", size);
      return;
    }
  findings_add (findings, "build ID", subject, FINDING_NOTE,
		"none: if it is rebuilt after a run, that run gets wrong names "
		"and lines unnoticed");
  findings_mend (findings, "link with -Wl,--build-id");
}

/* Return true if a dynamic linker loads PATH.  */
static bool
is_loaded_dynamically (const char *path)
{
  struct program_kind kind;
  struct profile_error ignored;
  return program_kind_read (&kind, path, &ignored) && kind.loader[0] != '\0';
}

static void
check_counting (struct findings *findings, const char *subject,
		const struct object_facts *facts)
{
  if (facts->counts_accesses && !facts->omits_accesses)
    findings_add (findings, "counting", subject, FINDING_OK, "counts accesses");
  else if (facts->counts_accesses)
    {
      findings_add (findings, "counting", subject, FINDING_WRONG,
		    "some translation units count accesses, others were "
		    "compiled with generate=alloc: accesses will be unknown");
      findings_mend (findings, "compile all of it with or all of it without "
			       "-fplugin-arg-heapprof-generate=alloc");
    }
  else if (facts->omits_accesses)
    findings_add (
      findings, "counting", subject, FINDING_OK,
      "profiles allocations without counting accesses, as compiled");
  else if (facts->has_runtime || facts->needs_runtime)
    {
      findings_add (findings, "counting", subject, FINDING_WRONG,
		    "no translation unit counts accesses: allocations will be "
		    "profiled, but not accesses");
      findings_mend (findings, "also compile, not only link, with heapprof-gcc "
			       "or heapprof-g++ (or -specs=heapprof.specs)");
    }
  else if (facts->is_executable)
    {
      findings_add (findings, "counting", subject, FINDING_WRONG,
		    "not built with heapprof: it will not write a profile");
      findings_mend (findings,
		     "compile and link with heapprof-gcc or heapprof-g++%s",
		     is_loaded_dynamically (subject)
		       ? "; or profile its allocations, without accesses, by "
			 "heapprof-gcov run"
		       : "");
    }
  else
    {
      findings_add (findings, "counting", subject, FINDING_NOTE,
		    "not compiled with heapprof: its allocations are profiled, "
		    "but not its accesses");
      findings_mend (
	findings, "compile it with heapprof-gcc or heapprof-g++ if possible");
    }
  if ((facts->counts_accesses || facts->omits_accesses) && facts->is_executable
      && !facts->has_runtime && !facts->needs_runtime)
    {
      findings_add (findings, "runtime", subject, FINDING_WRONG,
		    "the run-time library is missing: the program will not "
		    "start");
      findings_mend (findings, "link with heapprof-gcc or heapprof-g++");
    }
}

/* A program's own malloc is kept, and what it allocates is unknown.  */
static void
check_malloc (struct findings *findings, const char *subject,
	      const struct object_facts *facts)
{
  if (!facts->replaces_malloc)
    return;
  findings_add (findings, "malloc", subject, FINDING_WRONG,
		"defines malloc itself: its blocks will not be profiled");
  findings_mend (findings, "build it without a malloc of its own, for example "
			   "bash with ./configure --without-bash-malloc");
}

/* Unwind tables let calling contexts pass through code without frame
   pointers.  */
static void
check_frames (struct findings *findings, const char *subject,
	      const struct object_facts *facts)
{
  size_t percent = facts->functions == 0
		     ? 0
		     : 100 * facts->framed_functions / facts->functions;
  if (facts->has_unwind_index)
    findings_add (findings, "frames", subject, FINDING_OK,
		  "has unwind tables for calling contexts; %zu%% of its "
		  "functions have frame pointers, too",
		  percent);
  else if (facts->functions > 0 && percent >= 90)
    findings_add (findings, "frames", subject, FINDING_OK,
		  "no unwind tables, but %zu%% of its functions have frame "
		  "pointers",
		  percent);
  else
    {
      findings_add (findings, "frames", subject, FINDING_WRONG,
		    "no unwind tables, and only %zu%% of its functions have "
		    "frame pointers: calling contexts end at the others",
		    percent);
      findings_mend (findings,
		     "compile with -fasynchronous-unwind-tables "
		     "and link with -Wl,--eh-frame-hdr, or compile with "
		     "-fno-omit-frame-pointer");
    }
}

/* Check the executable or shared object PATH.  */
static void
check_binary (struct findings *findings, const char *path,
	      const struct doctor_search *search)
{
  struct profile_error err;
  struct object_file *file
    = object_file_open (path, search->debug_directories, &err);
  if (file == NULL)
    {
      findings_add (findings, "file", path, FINDING_WRONG, "%s", err.cause);
      findings_mend (findings, "give a program, a shared object or a "
			       "profile");
      return;
    }
  struct object_facts facts;
  object_facts_read (&facts, file);
  check_counting (findings, path, &facts);
  check_malloc (findings, path, &facts);
  doctor_check_debug_info (findings, path, file);
  check_build_id (findings, path, file);
  check_frames (findings, path, &facts);
  object_file_close (file);
}

void
doctor_check_file (struct findings *findings, const char *path,
		   const struct doctor_search *search)
{
  struct file_map map;
  struct profile_error err;
  if (!file_map_open (&map, path, &err))
    {
      findings_add (findings, "file", path, FINDING_WRONG, "%s", err.cause);
      findings_mend (findings, "give a program, a shared object or a "
			       "profile");
      return;
    }
  size_t length = strlen (elf_magic);
  bool is_elf = map.size >= length && memcmp (map.data, elf_magic, length) == 0;
  file_map_close (&map);
  if (is_elf)
    check_binary (findings, path, search);
  else
    doctor_check_profile (findings, path, search);
}
