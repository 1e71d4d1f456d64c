/* Construction of a sample profile by pseudo probes (doc/pseudo-probes.md).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_PROBE_BUILDER_H
#define HEAPPROF_PROBE_BUILDER_H

#include "image-list.h"
#include "profile-error.h"
#include "sample-builder.h"
#include "sample-profile.h"
#include "sampled-code.h"
#include <stdbool.h>

/* Add the branches and ranges in CODE of IMAGES, all of which have probes, to
   PROFILE.  CODE's pairs become lists.  Return false and set *ERR on
   failure.  */
bool probe_builder_add (struct sample_profile *profile,
			struct image_list *images, struct sampled_code *code,
			const struct sample_builder_options *options,
			struct profile_error *err);

#endif /* HEAPPROF_PROBE_BUILDER_H */
