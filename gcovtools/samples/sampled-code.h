/* What samples say of code and data, by the addresses of object files.
   SPDX-License-Identifier: GPL-3.0-or-later

   Recordings are added one after the other, each with its own processes, so
   that what a program was loaded at does not matter.  */

#ifndef HEAPPROF_SAMPLED_CODE_H
#define HEAPPROF_SAMPLED_CODE_H

#include "address-pairs.h"
#include "image-list.h"
#include "perf-recording.h"
#include "profile-error.h"
#include <stdbool.h>
#include <stdint.h>

/* The space of what leads from one image to another, or from none.  */
#define SAMPLED_BRANCH_SPACE(FROM, TO) ((uint32_t) (FROM) << 16 | (TO))
#define SAMPLED_FROM_IMAGE(SPACE) ((SPACE) >> 16)
#define SAMPLED_TO_IMAGE(SPACE) ((SPACE) &0xffff)
#define SAMPLED_NO_IMAGE 0xffffu

/* Images are fewer than that.  */
#define SAMPLED_MOST_IMAGES 0xffffu

/* Pairs that may be of two images have such a space, the others an image.  All
   zeros is nothing.  */
struct sampled_code
{
  struct address_pairs branches; /* taken: from, to; of two images */
  struct address_pairs ranges;	 /* run through: the first instruction, the last
				    one */
  struct address_pairs addresses; /* sampled without branches: it, 0 */
  struct address_pairs loads; /* of virtual tables: the instruction, the slot,
				 of two images */
  uint64_t branch_samples;
  uint64_t address_samples;
  uint64_t load_samples;   /* of any data */
  uint64_t invalid_ranges; /* left out: code does not run through them */
};

void sampled_code_release (struct sampled_code *code);

/* What is taken from a recording.  */
enum sampled_kind
{
  SAMPLED_ALL,
  SAMPLED_LOADS /* loads alone */
};

/* Add the samples of RECORDING of IMAGES; only those of PID, unless that is
   PERF_NO_PID.  *HAS_IMAGES says whether any of them was mapped.  False and
   *ERR if that fails.  */
bool sampled_code_add (struct sampled_code *code, struct image_list *images,
		       struct perf_recording *recording, enum sampled_kind kind,
		       int32_t pid, bool *has_images,
		       struct profile_error *err);

#endif /* HEAPPROF_SAMPLED_CODE_H */
