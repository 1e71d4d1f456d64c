/* What a heap profile says of each data type: sums over its contexts, and
   accesses to each member.
   SPDX-License-Identifier: GPL-3.0-or-later

   Histograms count accesses to each 8 bytes of a block, a word.  A block may
   hold several objects of its type; the words of all of them are added up, word
   by word of one object.  That works where objects begin at words; where they
   do not, only blocks of one object say which member was accessed.

   Words behind an object are taken for those of the next one only if the sizes
   of all blocks are multiples of the type's: there may be whatever the program
   put behind, such as text behind `char text[1]'.  Of a type that ends with an
   array without a length each block is one object.  */

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
  size_t histogram_count; /* contexts that have one */
  uint64_t word_count;	  /* of an object, and one more, for all that is
			     behind it, if the type has a member that goes
			     on; 0 without histograms */
  uint64_t *words;	  /* accesses to each */
  uint64_t placed;	  /* accesses in WORDS */
  uint64_t elsewhere;	  /* other accesses in histograms, to nobody knows
			     what member */
};

struct type_sums
{
  struct type_sum *sums;
  size_t count;
};

/* Accesses to a member.  */
struct member_accesses
{
  uint64_t own;	   /* to words that no other member has a part of */
  uint64_t shared; /* to words that others have a part of, too */
};

/* Add up the contexts that REPORT has, by type, greatest first as REPORT sorts
   contexts.  False if memory is exhausted; release *SUMS in any case.  */
bool type_sums_make (struct type_sums *sums, const struct heap_report *report);
void type_sums_release (struct type_sums *sums);

/* The accesses to the NUMBERth member of SUM's type, which has words.  */
struct member_accesses type_sum_member (const struct type_sum *sum,
					uint32_t number);

/* Does MEMBER, or any of TYPE, go on to the end of the block?  */
bool heap_member_is_open (const struct heap_member *member);
bool heap_type_is_open (const struct heap_type *type);

/* Where the NUMBERth member of TYPE ends within an object's size.  */
uint64_t heap_type_end_of_member (const struct heap_type *type,
				  uint32_t number);

/* Bytes of TYPE that no member has a part of; 0 if it has no members.  */
uint64_t heap_type_hole_bytes (const struct heap_type *type);

#endif /* HEAPPROF_TYPE_SUMS_H */
