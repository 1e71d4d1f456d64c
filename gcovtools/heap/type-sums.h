/* Sums and member accesses of each data type in a heap profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   Histograms count accesses to each word (8 bytes) of a block.  A block may
   hold several objects of its type; the counts of all objects are added up word
   by word.  This works if objects start at word boundaries; if not, only blocks
   with a single object tell which member was accessed.

   Words after the first object count as those of the next one only if the sizes
   of all blocks are multiples of the type's: there may be other data after the
   object, such as text after `char text[1]'.  If the type ends with an
   open-ended array, each block is one object.  */

#ifndef HEAPPROF_TYPE_SUMS_H
#define HEAPPROF_TYPE_SUMS_H

#include "heap-report.h"
#include "heap-types.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TYPE_WORD_BYTES 8

struct type_sum
{
  const struct heap_type *type; /* NULL: unknown */
  struct memory_info info;
  size_t context_count;
  size_t histogram_count; /* contexts with a histogram */
  uint64_t word_count; /* words of an object, plus one for everything beyond it
			  if the type is open-ended; 0 without histograms */
  uint64_t *words;     /* accesses to each word */
  uint64_t placed;     /* accesses in WORDS */
  uint64_t elsewhere;  /* other accesses in histograms, to unknown members */
};

struct type_sums
{
  struct type_sum *sums;
  size_t count;
};

/* Accesses to a member.  */
struct member_accesses
{
  uint64_t own;	   /* to words that no other member overlaps */
  uint64_t shared; /* to words that other members overlap, too */
};

/* Add up the contexts of REPORT by type, sorted as REPORT sorts contexts.
   Return false if memory is exhausted; release *SUMS in any case.  */
bool type_sums_make (struct type_sums *sums, const struct heap_report *report);
void type_sums_release (struct type_sums *sums);

/* Return the accesses to member NUMBER of SUM's type, which has words.  */
struct member_accesses type_sum_member (const struct type_sum *sum,
					uint32_t number);

/* Return true if MEMBER, or any member of TYPE, extends to the end of the
   block.  */
bool heap_member_is_open (const struct heap_member *member);
bool heap_type_is_open (const struct heap_type *type);

/* Return the end of member NUMBER of TYPE, limited to the object's size.  */
uint64_t heap_type_end_of_member (const struct heap_type *type,
				  uint32_t number);

/* Return how many bytes of TYPE no member uses; 0 if it has no members.  */
uint64_t heap_type_hole_bytes (const struct heap_type *type);

#endif /* HEAPPROF_TYPE_SUMS_H */
