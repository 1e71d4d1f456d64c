/* The frames of calling contexts by pseudo probes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_CONTEXT_FRAMES_H
#define HEAPPROF_CONTEXT_FRAMES_H

#include "address-pairs.h"
#include "call-contexts.h"
#include "frame-list.h"
#include "probe-frames.h"
#include "tail-calls.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct context_frames;

/* Begin with CONTEXTS of the image of FRAMES, whose jumps TAILS knows; all must
   outlive the result.  NULL if memory is exhausted.  */
struct context_frames *
context_frames_open (struct probe_frames *frames, struct tail_calls *tails,
		     const struct call_contexts *contexts);
void context_frames_close (struct context_frames *frames);

/* Return the frames around the function of PROBE, which ran in context number
   CONTEXT: with calls that are inlined and jumps that the context lacks, but
   without repeated sequences and what exceeds the contexts' limit.  They are
   valid until the next call.  NULL if memory is exhausted.  Contexts in a row
   are fastest.  */
const struct frame_list *context_frames_find (struct context_frames *frames,
					      uint32_t context,
					      const struct pseudo_probe *probe);

#endif /* HEAPPROF_CONTEXT_FRAMES_H */
