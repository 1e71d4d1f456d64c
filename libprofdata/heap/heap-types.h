/* Names and layouts of the data types of blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   A MIB has the number of the type of its blocks; this table describes the
   type.  Numbers are hashes of names and layouts and are equal in all profiles,
   so merging keeps one type of each number.  */

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
    HEAP_MEMBER_BITS = 1, /* a bit-field: SIZE bytes contain parts of it */
    HEAP_MEMBER_MADE = 2  /* a base class, or a pointer to a virtual table: it
			     cannot be moved */
  };

  struct heap_member
  {
    uint32_t offset;	/* bytes from the start of the type */
    uint32_t size;	/* bytes; 0: it extends to the end of the block, which
			   then holds one object: an array without a length, or
			   an object that ends with one */
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
    uint64_t size;	/* bytes, not 0; a block may hold several objects */
    uint64_t start;	/* bytes before the first object: some arrays store
			   their number of elements there */
    enum heap_type_kind kind;
    uint32_t member_count;
    struct heap_member *members;
  };

  /* Add *TYPE, whose members are copied, unless its number is known.  Return
     false if memory is exhausted.  */
  bool heap_details_add_type (struct heap_details *details,
			      const struct heap_type *type);

  /* Return type NUMBER, NULL if unknown.  */
  const struct heap_type *heap_details_type (const struct heap_details *details,
					     uint64_t number);

  /* Return the number of types, and each, in order of addition.  */
  uint32_t heap_details_type_count (const struct heap_details *details);
  const struct heap_type *
  heap_details_type_at (const struct heap_details *details, uint32_t number);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_HEAP_TYPES_H */
