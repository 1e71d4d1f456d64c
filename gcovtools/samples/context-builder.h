/* Construction of a context-sensitive sample profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_BUILDER_H
#define HEAPPROF_CONTEXT_BUILDER_H

#include "context-passes.h"
#include "image-list.h"
#include "profile-error.h"
#include "sample-builder.h"
#include "sample-profile.h"
#include "sampled-code.h"
#include <stdbool.h>

/* Return a profile of the stacks in CODE of IMAGES by RULES: of lines if
   contexts are paths, otherwise of probes, which all images have.  A context
   does not reach from one image to another.  CODE's pairs become lists.  NULL
   and *ERR on failure.  */
struct sample_profile *
context_builder_make (struct image_list *images, struct sampled_code *code,
		      const struct context_rules *rules,
		      const struct sample_builder_options *options,
		      struct profile_error *err);

#endif /* HEAPPROF_CONTEXT_BUILDER_H */
