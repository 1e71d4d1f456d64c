/* Windows: accesses that one counter update can count.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MERGE_WINDOW_H
#define HEAPPROF_MERGE_WINDOW_H

/* The SHIFT of a window that is a whole object, of unknown size.  */
static const unsigned object_shift = HOST_BITS_PER_WIDE_INT - 1;

/* The CONSTANT of an access whose distance from ROOT is not constant.  */
static const HOST_WIDE_INT unknown_constant = HOST_WIDE_INT_MAX;

/* A range of memory at ROOT + VARIABLE + INDEX * STEP + SECOND_INDEX, all of
   which except ROOT may be NULL.  All of it has one counter if ROOT is the
   start of a heap block, or if the alignment of ROOT guarantees it.  With
   -fplugin-arg-heapprof-totals-only it is the object that ROOT points into or
   was computed from.  */
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
  /* In bytes: the constant offset of the access, and of the start of the
     window.  */
  HOST_WIDE_INT constant;
  HOST_WIDE_INT begin;
  /* log2 of the size of the window in bytes.  */
  unsigned shift;
  /* Windows of different groups are never equal.  */
  unsigned group;
  /* For the user of the window.  */
  unsigned data;
};

/* Windows are equal if their accesses share a counter.  */
struct access_window_hasher : nofree_ptr_hash<access_window>
{
  static hashval_t hash (const access_window *window);
  static bool equal (const access_window *a, const access_window *b);
};

/* Fill in WINDOW for ACCESS, except GROUP and DATA.  Return false if the access
   has no window that can be compared with others.  */
bool find_window (const heap_access &access, access_window *window);

/* Return the pointer that all pointers into the same object as POINTER begin
   with, as far as known: an SSA name, at least POINTER itself.  */
tree object_root (tree pointer);

/* Find the PHIs of FUN that only rename a pointer.  */
void find_copies (function *fun);

/* Return the pointer that NAME is a copy of, NAME itself if none.  */
tree copied_value (tree name);

/* Release what find_copies found.  */
void forget_copies (void);

/* True if all memory that ACCESS accesses while LOOP runs is in one heap block,
   and its granules need not be known.  */
bool in_one_object_p (const heap_access &access, class loop *loop);

/* Return a reference to the byte at CONSTANT instead of WINDOW's own constant,
   or NULL if it would not be a simple reference.  */
tree window_reference (const access_window *window, HOST_WIDE_INT constant);

/* Add to ACCESSES single accesses, one for each window, that replace ACCESS, a
   memory operation of constant size, at most a granule if windows are no
   objects.  Return false if that is impossible.  */
bool split_range (const heap_access &access, vec<heap_access> *accesses);

/* Describe WINDOW in the dump file.  */
void dump_window (const access_window *window);

#endif /* HEAPPROF_MERGE_WINDOW_H */
