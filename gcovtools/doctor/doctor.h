/* What heapprof-gcov doctor finds, and the checks that find it.
   SPDX-License-Identifier: GPL-3.0-or-later

   A check adds one line for each thing that it looked at: what it is, in which
   state, and, if that is not well, how to mend it.  */

#ifndef HEAPPROF_DOCTOR_H
#define HEAPPROF_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum finding_state
{
  FINDING_OK,
  FINDING_NOTE,	 /* it works, but less well, or not for all */
  FINDING_WRONG, /* there will be no profile, or a poor one */
  FINDING_STATES
};

struct findings;

/* Make an empty list.  NULL if memory is exhausted.  */
struct findings *findings_new (void);
void findings_free (struct findings *findings);

/* Add that SUBJECT of the check ABOUT, a literal, is in STATE, as FORMAT, for
   printf, says.  */
void findings_add (struct findings *findings, const char *about,
		   const char *subject, enum finding_state state,
		   const char *format, ...)
  __attribute__ ((format (printf, 5, 6)));

/* Say, in the form of an instruction, how to mend what was added last.  */
void findings_mend (struct findings *findings, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* How many are in STATE.  */
size_t findings_count (const struct findings *findings,
		       enum finding_state state);

/* Print all on standard output.  False if memory was exhausted, now or when one
   was added.  */
bool findings_print_text (const struct findings *findings);
bool findings_print_json (const struct findings *findings);

/* Can COMPILER, as heapprof-COMPILER runs it, make a program that leaves a
   profile?  One of a few lines is made and run.  */
void doctor_check_compiler (struct findings *findings, const char *compiler);

/* Can programs be profiled on this machine, with raw profiles in FOLDER?  */
void doctor_check_machine (struct findings *findings, const char *folder);

/* What the files are searched with.  */
struct doctor_search
{
  const char *debug_directories; /* NULL: the system's */
};

/* Is the profile PATH, of any kind, whole, and can its addresses be named?  */
void doctor_check_profile (struct findings *findings, const char *path,
			   const struct doctor_search *search);

/* Is PATH as it should be, a program, a shared object or a profile?  */
void doctor_check_file (struct findings *findings, const char *path,
			const struct doctor_search *search);

/* Has FILE, which SUBJECT names, debug information?  */
struct object_file;
void doctor_check_debug_info (struct findings *findings, const char *subject,
			      struct object_file *file);

#endif /* HEAPPROF_DOCTOR_H */
