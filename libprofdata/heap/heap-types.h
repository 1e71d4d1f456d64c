/* Data types of blocks: what they are called and how they are laid out.
   SPDX-License-Identifier: GPL-3.0-or-later

   A MIB has the number of the type of its blocks; here is what the number
   stands for.  Numbers are hashes of names and layouts, the same in all
   profiles: merging keeps one of each.  */

#ifndef HEAPPROF_HEAP_TYPES_H
#define HEAPPROF_HEAP_TYPES_H

#include "heap-details.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

  enum heap_member_kind
  {
    HEAP_MEMBER_DATA = 0,
    HEAP_MEMBER_BITS = 1, /* a bit-field: SIZE bytes have a part of it */
    HEAP_MEMBER_MADE = 2  /* a base, a pointer to a virtual table: it
			     stays where it is */
  };

  struct heap_member
  {
    uint32_t offset;	/* bytes from the begin of the type */
    uint32_t size;	/* bytes; 0: it goes on to the end of the block,
			   which then holds one object: an array without
			   a length, or what ends with one */
    uint32_t alignment; /* bytes, not 0 */
    enum heap_member_kind kind;
    uint32_t name;	/* string id; 0: none */
    uint32_t type_name; /* string id */
  };

  enum heap_type_kind
  {
    HEAP_TYPE_PLAIN = 0,
    HEAP_TYPE_CLASS = 1,
    HEAP_TYPE_UNION = 2
  };

  struct heap_type
  {
    uint64_t number;	/* data_type_id of its MIBs; not 0 */
    uint32_t name;	/* string id */
    uint32_t alignment; /* bytes */
    uint64_t size;	/* bytes, not 0; a block may hold many */
    uint64_t start;	/* bytes in front of the first one: the number
			   of elements that some arrays keep */
    enum heap_type_kind kind;
    uint32_t member_count;
    struct heap_member *members;
  };

  /* Add *TYPE, whose members are copied, unless its number is known.  False if
     memory cannot be had.  */
  bool heap_details_add_type (struct heap_details *details,
			      const struct heap_type *type);

  /* The type NUMBER, NULL if it is not known.  */
  const struct heap_type *heap_details_type (const struct heap_details *details,
					     uint64_t number);

  /* How many types are known, and each, in the order of their adding.  */
  uint32_t heap_details_type_count (const struct heap_details *details);
  const struct heap_type *
  heap_details_type_at (const struct heap_details *details, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_TYPES_H */
