/* The findings of heapprof-gcov doctor, and the checks that produce them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A check adds one line for each thing it examined: what it is, its state, and
   how to fix it if needed.  */

#ifndef HEAPPROF_DOCTOR_H
#define HEAPPROF_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum finding_state
{
  FINDING_OK,
  FINDING_NOTE,	 /* it works, but less well or not for everything */
  FINDING_WRONG, /* no profile, or a poor one */
  FINDING_STATES
};

struct findings;

/* Make an empty list.  Return NULL if memory is exhausted.  */
struct findings *findings_new (void);
void findings_free (struct findings *findings);

/* Add the finding, in printf FORMAT, that SUBJECT of the check ABOUT, a
   literal, is in STATE.  */
void findings_add (struct findings *findings, const char *about,
		   const char *subject, enum finding_state state,
		   const char *format, ...)
  __attribute__ ((format (printf, 5, 6)));

/* Set how to fix the finding added last, as an instruction.  */
void findings_mend (struct findings *findings, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Return how many findings are in STATE.  */
size_t findings_count (const struct findings *findings,
		       enum finding_state state);

/* Print all findings on standard output.  Return false if memory was exhausted,
   now or when one was added.  */
bool findings_print_text (const struct findings *findings);
bool findings_print_json (const struct findings *findings);

/* Check that COMPILER, as run by heapprof-COMPILER, can build a program that
   leaves a profile, by building and running a small one.  */
void doctor_check_compiler (struct findings *findings, const char *compiler);

/* Check that programs can be profiled on this machine, with raw profiles in
   FOLDER.  */
void doctor_check_machine (struct findings *findings, const char *folder);

/* Where to search for files.  */
struct doctor_search
{
  const char *debug_directories; /* NULL: the system's */
};

/* Check that the profile PATH, of any kind, is complete and can be
   symbolized.  */
void doctor_check_profile (struct findings *findings, const char *path,
			   const struct doctor_search *search);

/* Check PATH, a program, a shared object or a profile.  */
void doctor_check_file (struct findings *findings, const char *path,
			const struct doctor_search *search);

/* Check that FILE, called SUBJECT in findings, has debug information.  */
struct object_file;
void doctor_check_debug_info (struct findings *findings, const char *subject,
			      struct object_file *file);

#endif /* HEAPPROF_DOCTOR_H */
