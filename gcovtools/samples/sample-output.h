/* Writing of sample profiles in the compilers' formats.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_OUTPUT_H
#define HEAPPROF_SAMPLE_OUTPUT_H

#include "command-options.h"
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

/* Options that commands which write samples share; their other options have
   smaller numbers.  */
enum sample_output_option
{
  SAMPLE_OPTION_AFDO_VERSION = OPTION_HELP + 100,
  SAMPLE_OPTION_GCC_VERSION,
  SAMPLE_OPTION_NO_VTABLES,
  SAMPLE_OPTION_MD5,
  SAMPLE_OPTION_COMPRESS,
  SAMPLE_OPTION_SPLIT
};

/* Rows of the options of LLVM's extended format, in a table of options.  */
/* clang-format off */
#define SAMPLE_SECTION_ROWS                                                   \
  { SAMPLE_OPTION_MD5, "use-md5", NULL,                                       \
    "write GUIDs instead of names (sample)" },                                \
  { SAMPLE_OPTION_COMPRESS, "compress-all-sections", NULL,                    \
    "write compressed sections (sample)" },                                   \
  { SAMPLE_OPTION_SPLIT, "split-layout", NULL,                                \
    "write functions without inlined calls to a section of\n"                 \
    "their own (sample)" }
/* clang-format on */

/* Default version of gcc's format: for gcc 12 to 15.  */
#define SAMPLE_OUTPUT_AFDO_VERSION 2

/* Set *FORM to the format called NAME.  Return false if there is none.  */
bool sample_output_find_form (const char *name, enum sample_form *form);

/* Handle option ID of enum sample_output_option with VALUE of the sub-command
   COMMAND: change OUTPUT.  If VALUE is invalid, print an error and return
   false; also return false if ID is another option.  */
bool sample_output_take_option (const char *command,
				struct sample_output *output, int id,
				const char *value);

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
