/* Sample profiles for tests: given as text, written in any form.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_FORMS_H
#define HEAPPROF_SAMPLE_FORMS_H

#include "profile-error.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>

/* What the last function that failed said.  */
extern struct profile_error sample_error;

/* A profile with all that text has, of functions inlined into each other; with
   contexts; of probes.  */
extern const char sample_nested[];
extern const char sample_contexts[];
extern const char sample_probes[];

/* The profile that TEXT is; NULL if it is refused.  */
struct sample_profile *sample_of_text (const char *text);

/* The text of PROFILE, malloced; the test fails if there is none.  */
char *sample_to_text (const struct sample_profile *profile);

/* Fail unless the text of PROFILE is EXPECTED; free PROFILE.  */
void sample_expect_text (struct sample_profile *profile, const char *expected);

#endif /* HEAPPROF_SAMPLE_FORMS_H */
