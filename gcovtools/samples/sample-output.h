/* Writing of sample profiles in the compilers' formats.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_OUTPUT_H
#define HEAPPROF_SAMPLE_OUTPUT_H

#include "profile.h"
#include "sample-binary.h"
#include <stdbool.h>

enum sample_form
{
  SAMPLE_FORM_EXTENDED, /* LLVM's extended binary format */
  SAMPLE_FORM_RAW,	/* LLVM's raw binary format */
  SAMPLE_FORM_TEXT,
  SAMPLE_FORM_AFDO /* gcc's format */
};

struct sample_output
{
  enum sample_form form;
  unsigned int afdo_version;
  bool drop_vtables;
  struct sample_binary_options binary; /* FORM and DROP_VTABLES override it */
};

/* Rows of the options of LLVM's extended format, in a table of options.  */
/* clang-format off */
#define SAMPLE_SECTION_ROWS(MD5, COMPRESS, SPLIT)                             \
  { MD5, "use-md5", NULL, "write GUIDs instead of names (sample)" },          \
  { COMPRESS, "compress-all-sections", NULL,                                  \
    "write compressed sections (sample)" },                                   \
  { SPLIT, "split-layout", NULL,                                              \
    "write functions without inlined calls to a section of\n"                 \
    "their own (sample)" }
/* clang-format on */

/* Default version of gcc's format: for gcc 12 to 15.  */
#define SAMPLE_OUTPUT_AFDO_VERSION 2

/* Set *FORM to the format called NAME.  Return false if there is none.  */
bool sample_output_find_form (const char *name, enum sample_form *form);

/* Parse VALUE of --afdo-version of the sub-command COMMAND into *VERSION.  If
   it is invalid, print an error and return false.  */
bool sample_output_take_afdo_version (const char *command, const char *value,
				      unsigned int *version);

/* Set *VERSION to the version that gcc reads whose major version is VALUE of
   --gcc-version of COMMAND.  If it is invalid, print an error and return
   false.  */
bool sample_output_take_gcc_version (const char *command, const char *value,
				     unsigned int *version);

/* Return true if PROFILE has only samples, so that one file can hold it.
   Otherwise return false and set *ERR, for OUTPUT.  */
bool sample_output_check (const char *output, const struct profile *profile,
			  struct profile_error *err);

/* Write SAMPLES to OUTPUT according to OPTIONS, and warn about losses.  Return
   false and set *ERR on failure.  */
bool sample_output_write (const struct sample_output *options,
			  const char *output,
			  const struct sample_profile *samples,
			  struct profile_error *err);

#endif /* HEAPPROF_SAMPLE_OUTPUT_H */
