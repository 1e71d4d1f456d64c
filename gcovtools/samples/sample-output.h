/* Writing sample profiles in the forms that compilers take.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_OUTPUT_H
#define HEAPPROF_SAMPLE_OUTPUT_H

#include "profile.h"
#include "sample-binary.h"
#include <stdbool.h>

enum sample_form
{
  SAMPLE_FORM_EXTENDED, /* LLVM's extended binary form */
  SAMPLE_FORM_RAW,	/* LLVM's raw binary form */
  SAMPLE_FORM_TEXT,
  SAMPLE_FORM_AFDO /* gcc's */
};

struct sample_output
{
  enum sample_form form;
  unsigned int afdo_version;
  bool drop_vtables;
  struct sample_binary_options binary; /* but for what FORM and DROP_VTABLES
					  say */
};

/* The version of gcc's form that is written unless one is asked for: what most
   releases of gcc take, 12 to 15.  */
#define SAMPLE_OUTPUT_AFDO_VERSION 2

/* Set *FORM to the one called NAME.  False if there is none.  */
bool sample_output_find_form (const char *name, enum sample_form *form);

/* Set *VERSION to VALUE of --afdo-version of the sub-command COMMAND.  False if
   it is wrong, which was printed.  */
bool sample_output_take_afdo_version (const char *command, const char *value,
				      unsigned int *version);

/* Set *VERSION to the one that gcc takes whose major version is VALUE of
   --gcc-version of COMMAND.  False if it is wrong, which was printed.  */
bool sample_output_take_gcc_version (const char *command, const char *value,
				     unsigned int *version);

/* Has PROFILE samples and nothing else, so that one file can hold it?  If not,
   false and *ERR, for OUTPUT.  */
bool sample_output_check (const char *output, const struct profile *profile,
			  struct profile_error *err);

/* Write SAMPLES to OUTPUT as OPTIONS says, and warn of what is lost.  False and
 *ERR if that fails.  */
bool sample_output_write (const struct sample_output *options,
			  const char *output,
			  const struct sample_profile *samples,
			  struct profile_error *err);

#endif /* HEAPPROF_SAMPLE_OUTPUT_H */
