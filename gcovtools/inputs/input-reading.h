/* Folding inputs into a profile: one after the other, or several at a time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_INPUT_READING_H
#define HEAPPROF_INPUT_READING_H

#include "input-runs.h"
#include "profile-inputs.h"

/* Make an empty profile and what reading INPUTS into it needs; addresses are
   called as NAMES says.  False and *ERR if memory is exhausted.  Release
   *READING with input_reading_release in any case; its profile is then the
   caller's.  */
bool input_reading_init (struct input_reading *reading,
			 const struct profile_inputs *inputs,
			 struct address_names *names,
			 struct profile_error *err);
void input_reading_release (struct input_reading *reading);

/* Fold INPUT, whose kind is known, into the profile of READING.  If it is
   invalid, what MODE says is done: false and *ERR, or a warning, and it is left
   out.  False and *ERR also if it does not go with what is there, or if memory
   is exhausted.  */
bool input_reading_fold (struct input_reading *reading, struct input *input,
			 enum failure_mode mode, struct profile_error *err);

/* Fold the COUNT INPUTS that are valid and the newest of their runs into a new
   profile with THREADS threads.  NULL if any fails, without a reason and with
   nothing printed: they are to be read one after the other then.  */
struct profile *input_workers_read (struct input *inputs, size_t count,
				    const struct profile_inputs *options,
				    struct address_names *names,
				    unsigned int threads);

#endif /* HEAPPROF_INPUT_READING_H */
