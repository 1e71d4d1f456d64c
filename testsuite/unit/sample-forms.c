/* Sample profiles for tests: given as text, written in any form.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "sample-forms.h"
#include "sample-text.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

struct profile_error sample_error;

const char sample_nested[] = "\
main:500:1\n\
 1: 1\n\
 3: 100 std::find<int>:60 work:40\n\
 3: vtables _ZTV4Ring:70 _ZTV6Square:30 \n\
 5.2: 4000000000\n\
 65530: 7\n\
 4: work:300\n\
  0: 100\n\
  2.1: 50 puts:50\n\
  3: deep:150\n\
   1: 150\n\
   1: vtables _ZTV4Ring:9 \n\
 4: worn:20\n\
  0: 20\n\
 6: idle:0\n\
alpha:20:4\n\
 0: 4\n\
beta:20:2\n\
 0: 2\n\
 1: 0\n";

const char sample_contexts[] = "\
[main:3 @ work:1.2 @ deep]:120:10\n\
 0: 10\n\
 1: 110 puts:10\n\
 !Attributes: 1\n\
[main:7 @ deep]:60:5\n\
 0: 5\n\
 !Attributes: 3\n\
[main]:9:0\n\
 1: 9\n";

const char sample_probes[] = "\
main:100:1\n\
 1: 1\n\
 2: 40 work:40\n\
 3: work:59\n\
  1: 29\n\
  !CFGChecksum: 4294967295\n\
 !CFGChecksum: 281479271677951\n\
work:40:40\n\
 1: 40\n\
 !CFGChecksum: 4294967295\n\
 !Attributes: 2\n";

struct sample_profile *
sample_of_text (const char *text)
{
  struct sample_profile *profile = sample_profile_new ();
  sample_error = (struct profile_error){ 0 };
  if (sample_text_fold (profile, "text", text, strlen (text), &sample_error))
    return profile;
  sample_profile_free (profile);
  return NULL;
}

char *
sample_to_text (const struct sample_profile *profile)
{
  const struct sample_text_options options = { 0 };
  void *data;
  size_t size;
  ck_assert_msg (sample_text_serialize (profile, &options, &data, &size,
					&sample_error),
		 "%s", sample_error.cause);
  char *text = realloc (data, size + 1);
  ck_assert_ptr_nonnull (text);
  text[size] = '\0';
  return text;
}

void
sample_expect_text (struct sample_profile *profile, const char *expected)
{
  ck_assert_msg (profile != NULL, "%s", sample_error.cause);
  char *text = sample_to_text (profile);
  ck_assert_str_eq (text, expected);
  free (text);
  sample_profile_free (profile);
}
