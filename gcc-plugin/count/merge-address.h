/* Addresses that several counter updates can use.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MERGE_ADDRESS_H
#define HEAPPROF_MERGE_ADDRESS_H

#include "merge-window.h"

/* An address that the program accesses.  */
struct known_address
{
  gimple *statement;
  /* The field of the access.  */
  unsigned order;
  tree reference;
  /* Of its window.  */
  HOST_WIDE_INT constant;
  HOST_WIDE_INT window_begin;
};

/* The addresses that a function accesses, by the pointer that they are offsets
   from.  */
struct known_addresses
{
  known_addresses ();
  ~known_addresses ();
  /* Windows without bounds; DATA is an index in OF_POINTER.  */
  auto_vec<access_window> windows;
  hash_table<access_window_hasher> pointers;
  auto_vec<vec<known_address>> of_pointer;
};

/* Fill in KNOWN from ACCESSES, which get their ORDER.  */
void note_addresses (function_accesses *accesses, known_addresses *known);

/* Make ACCESS, whose statement stays in its block, use the lowest address of
   KNOWN that it can.  Dominators are known.  */
void use_known_address (const known_addresses &known, heap_access *access);

#endif /* HEAPPROF_MERGE_ADDRESS_H */
