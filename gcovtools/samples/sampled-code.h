/* Samples of code and data, by addresses in object files.
   SPDX-License-Identifier: GPL-3.0-or-later

   Recordings are added one after another, each with its own processes, so load
   addresses do not matter.  */

#ifndef HEAPPROF_SAMPLED_CODE_H
#define HEAPPROF_SAMPLED_CODE_H

#include "address-pairs.h"
#include "image-list.h"
#include "perf-recording.h"
#include "profile-error.h"
#include "stack-unwinder.h"
#include <stdbool.h>
#include <stdint.h>

/* The space of a transition between two images; FROM may be none.  */
#define SAMPLED_BRANCH_SPACE(FROM, TO) ((uint32_t) (FROM) << 16 | (TO))
#define SAMPLED_FROM_IMAGE(SPACE) ((SPACE) >> 16)
#define SAMPLED_TO_IMAGE(SPACE) ((SPACE) &0xffff)
#define SAMPLED_NO_IMAGE 0xffffu

/* Upper limit of the number of images.  */
#define SAMPLED_MOST_IMAGES 0xffffu

/* The space of pairs that involve two images is as above; for other pairs it is
   the image.  All zeros is empty.  Times are in ns since the first sample of
   their recording, plus 1.  */
struct sampled_code
{
  struct address_pairs
    branches; /* taken branches: source, target; two images */
  struct address_pairs single_branches; /* the same, of ADDRESSES */
  struct address_pairs ranges; /* executed ranges: first and last instruction */
  struct address_pairs addresses; /* sampled without branches: address, 0 */
  struct address_pairs
    loads; /* from virtual tables: instruction, slot; two images */
  struct address_pairs first_runs; /* if WANTS_TIMES: address, 0; the count is
				      the time of the first sample there, as
				      below */
  bool wants_times;		   /* set by the caller */
  struct stack_counts *stacks; /* if WANTS_STACKS: the branches and ranges of
				  samples that have a stack, by image; malloced;
				  NULL: none yet */
  uint32_t stack_count;
  bool wants_stacks; /* set by the caller, as are these: */
  bool wants_paths;  /* contexts of stacks are paths */
  bool has_limit;    /* only LIMIT callers count */
  uint32_t limit;
  uint64_t branch_samples;
  uint64_t stack_samples;
  uint64_t cut_stacks; /* those of them whose outer callers are missing */
  uint64_t address_samples;
  uint64_t load_samples;   /* of any data */
  uint64_t invalid_ranges; /* ignored: code cannot run straight through them */
};

void sampled_code_release (struct sampled_code *code);

/* What to use from a recording.  */
enum sampled_kind
{
  SAMPLED_ALL,
  SAMPLED_LOADS /* only loads */
};

/* Add the samples of IMAGES in RECORDING; only those of process PID unless that
   is PERF_NO_PID.  Set *HAS_IMAGES to whether any image was mapped.  Return
   false and set *ERR on failure.  */
bool sampled_code_add (struct sampled_code *code, struct image_list *images,
		       struct perf_recording *recording, enum sampled_kind kind,
		       int32_t pid, bool *has_images,
		       struct profile_error *err);

#endif /* HEAPPROF_SAMPLED_CODE_H */
