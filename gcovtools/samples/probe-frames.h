/* The functions of a profile that pseudo probes belong to.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROBE_FRAMES_H
#define HEAPPROF_PROBE_FRAMES_H

#include "profile-error.h"
#include "pseudo-probes.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* The inlined copies of one image in one profile.  */
struct probe_frames
{
  struct sample_profile *profile;
  const struct pseudo_probes *probes;
  const char *path;		      /* of the image */
  struct sample_function **functions; /* by copy; NULL: not found yet */
  uint32_t *names; /* by function; SAMPLE_NO_NAME: not looked up yet */
  uint32_t *kept;  /* by copy: it, or the innermost one around it that is in the
		      profile */
};

/* Begin with PROBES of the image PATH.  Return false if memory is
   exhausted.  */
bool probe_frames_open (struct probe_frames *frames,
			struct sample_profile *profile,
			const struct pseudo_probes *probes, const char *path);
void probe_frames_close (struct probe_frames *frames);

/* Return COPY, or the innermost copy around it that is in the profile:
   initializers and what is inlined into them are not.  PSEUDO_PROBE_NO_COPY if
   there is none.  */
static inline uint32_t
probe_frames_kept (const struct probe_frames *frames, uint32_t copy)
{
  return frames->kept[copy];
}

/* Return the copy that COPY is inlined into, PSEUDO_PROBE_NO_COPY if none: a
   call whose probe is unknown ends the frames.  */
uint32_t probe_frames_caller (const struct probe_frames *frames, uint32_t copy);

/* Return the name number of the function of COPY, SAMPLE_NO_NAME if memory is
   exhausted.  */
uint32_t probe_frames_name (const struct probe_frames *frames, uint32_t copy);

/* Set the CFG checksum of FUNCTION to that of COPY.  Return false and set *ERR
   if it has another one.  */
bool probe_frames_set_checksum (const struct probe_frames *frames,
				struct sample_function *function, uint32_t copy,
				struct profile_error *err);

/* Return the function of COPY, which is added with those it is inlined into.
   NULL and *ERR on failure.  */
struct sample_function *probe_frames_function (struct probe_frames *frames,
					       uint32_t copy,
					       struct profile_error *err);

#endif /* HEAPPROF_PROBE_FRAMES_H */
