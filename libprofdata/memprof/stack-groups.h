/* Groups: hot contexts whose blocks are used together share a pool of their
   own.
   SPDX-License-Identifier: GPL-3.0-or-later

   Two contexts belong together if a good part of the granules of one that a
   window shows (heap-affinities.h) come with as many of the other.  Only
   contexts of many small blocks have groups; those with few blocks in memory,
   or seen rarely, have none, and all others share the pool of hot blocks.  */

#ifndef HEAPPROF_STACK_GROUPS_H
#define HEAPPROF_STACK_GROUPS_H

#include "heap-profile.h"
#include "llvm-records.h"
#include "placement.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Groups are numbered from 1.  */
#define STACK_GROUPS_MAX 254

/* The group of blocks that live as long as a phase of the program.  If they
   shared pages with blocks that live longer, these would keep the pages.  */
#define STACK_GROUP_PHASE 255

/* True if blocks with FACTS, which are placed with hot ones, live as long as a
   phase of the runs by RULES.  */
bool stack_groups_is_phase (const struct placement_facts *facts,
			    const struct placement_rules *rules);

/* Store the group of each stack of RECORDS, of PROFILE, in GROUPS, which is all
   0; 0: none.  Stack S has FACTS[S] by RULES.  Return false if memory is
   exhausted.  */
bool stack_groups_make (uint8_t *groups, const struct llvm_records *records,
			const struct heap_profile *profile,
			const struct placement_facts *facts,
			const struct placement_rules *rules);

#endif /* HEAPPROF_STACK_GROUPS_H */
