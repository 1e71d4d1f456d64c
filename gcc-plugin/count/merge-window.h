/* Windows: accesses that are counted by one counter update.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MERGE_WINDOW_H
#define HEAPPROF_MERGE_WINDOW_H

/* A stretch of memory at ROOT + VARIABLE + INDEX * STEP + SECOND_INDEX, of
   which all but ROOT may be NULL.  It is so long that all of it has one
   counter, if ROOT is where a heap block begins, and begins so that it has if
   the alignment of ROOT says that.  */
struct access_window
{
  /* An SSA name.  */
  tree root;
  /* An expression.  */
  tree variable;
  /* Operands of a TARGET_MEM_REF.  */
  tree index;
  tree step;
  tree second_index;
  /* The access's constant offset in bytes, that where the window begins, and
     log2 of the window's size.  */
  HOST_WIDE_INT constant;
  HOST_WIDE_INT begin;
  unsigned shift;
  /* Only windows of one group are equal.  */
  unsigned group;
  /* What the user of the window wants to know about it.  */
  unsigned data;
};

/* Windows are equal if their accesses share a counter.  */
struct access_window_hasher : nofree_ptr_hash<access_window>
{
  static hashval_t hash (const access_window *window);
  static bool equal (const access_window *a, const access_window *b);
};

/* Fill in all but GROUP and DATA of WINDOW, that of ACCESS; false if it has
   none that could be compared with another's.  */
bool find_window (const heap_access &access, access_window *window);

/* A reference to the byte at CONSTANT instead of WINDOW's constant, or NULL if
   it would be no simple one.  */
tree window_reference (const access_window *window, HOST_WIDE_INT constant);

/* Replace ACCESS, a memory operation of constant size, in ACCESSES by single
   accesses, one for each of its windows.  False if that cannot be.  */
bool split_range (const heap_access &access, vec<heap_access> *accesses);

/* Write what WINDOW is to the dump file.  */
void dump_window (const access_window *window);

#endif /* HEAPPROF_MERGE_WINDOW_H */
