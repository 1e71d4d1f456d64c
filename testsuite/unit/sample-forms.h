/* Sample profiles for tests: given as text, written in any form.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_FORMS_H
#define HEAPPROF_SAMPLE_FORMS_H

#include "profile-error.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>

/* The error of the last function that failed.  */
extern struct profile_error sample_error;

/* Profiles with everything that text can express: functions inlined into each
   other; contexts; probes.  */
extern const char sample_nested[];
extern const char sample_contexts[];
extern const char sample_probes[];

/* Return the profile that TEXT describes; NULL if TEXT is rejected.  */
struct sample_profile *sample_of_text (const char *text);

/* Return the text of PROFILE, malloced; the test fails if PROFILE cannot be
   written as text.  */
char *sample_to_text (const struct sample_profile *profile);

/* Fail unless the text of PROFILE is EXPECTED; free PROFILE.  */
void sample_expect_text (struct sample_profile *profile, const char *expected);

#endif /* HEAPPROF_SAMPLE_FORMS_H */
