/* Reading of inputs into a profile, sequential or parallel.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_INPUT_READING_H
#define HEAPPROF_INPUT_READING_H

#include "input-runs.h"
#include "profile-inputs.h"

/* Set up *READING with an empty profile for reading INPUTS, with NAMES for
   addresses.  Return false and set *ERR if memory is exhausted.
   Release *READING with input_reading_release in any case; the caller owns its
   profile.  */
bool input_reading_init (struct input_reading *reading,
			 const struct profile_inputs *inputs,
			 struct address_names *names,
			 struct profile_error *err);
void input_reading_release (struct input_reading *reading);

/* Add INPUT, whose kind is known, to the profile of READING.  If it is invalid,
   either return false and set *ERR, or skip it with a warning, as MODE demands.
   Also return false and set *ERR if it is incompatible with previous inputs or
   memory is exhausted.  */
bool input_reading_fold (struct input_reading *reading, struct input *input,
			 enum failure_mode mode, struct profile_error *err);

/* Read those of the COUNT INPUTS that are valid and the newest of their run
   into a new profile with THREADS threads.  Return NULL on any failure, without
   a reason and without printing: the caller then reads them sequentially.  */
struct profile *input_workers_read (struct input *inputs, size_t count,
				    const struct profile_inputs *options,
				    struct address_names *names,
				    unsigned int threads);

#endif /* HEAPPROF_INPUT_READING_H */
