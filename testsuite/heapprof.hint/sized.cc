// The sized operators delete, which libheaphint's shared library defines: they
// release any block that operator new returned.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// With OWN_DELETE the program replaces operator delete without a size, with
// OWN_SIZED_DELETE the one with a size; each must be called for each block.

#include "hint.h"
#include <initializer_list>
#include <new>

enum class __hot_cold_t : unsigned char {};

void *operator new (size_t, __hot_cold_t);
void *operator new[] (size_t, __hot_cold_t);
void *operator new (size_t, std::align_val_t, __hot_cold_t);
void *operator new[] (size_t, std::align_val_t, __hot_cold_t);

static int released;

#ifdef OWN_DELETE
void
operator delete (void *data) noexcept
{
  released++;
  free (data);
}
#endif

#ifdef OWN_SIZED_DELETE
void
operator delete (void *data, size_t) noexcept
{
  released++;
  free (data);
}
#endif

#if defined OWN_DELETE || defined OWN_SIZED_DELETE
static const bool is_replaced = true;
#else
static const bool is_replaced = false;
#endif

static const std::align_val_t alignment = std::align_val_t (64);

// The program's deletes happen before and after the first hint.

static void
check_plain ()
{
  operator delete (nullptr, 10);
  released = 0;
  for (size_t size = 1; size < 300000; size = size * 2 + 1)
    {
      operator delete (operator new (size), size);
      operator delete[] (operator new[] (size), size);
      operator delete (operator new (size, alignment), size, alignment);
      operator delete[] (operator new[] (size, alignment), size, alignment);
      CHECK (!is_replaced || released >= 1);
      released = 0;
    }
}

// Blocks are reused, and none that is in use is given out again.  Under valgrind,
// where this takes a minute, fewer rounds do.

#ifndef ROUNDS
#define ROUNDS 5
#endif

static void
check_hint (__hot_cold_t hint)
{
  enum { COUNT = 100 };
  static void *blocks[COUNT];
  for (size_t size = 1; size < 300000; size = size * 2 + 1)
    for (unsigned round = 0; round < ROUNDS; round++)
      {
	for (unsigned i = 0; i < COUNT; i++)
	  {
	    blocks[i] = i % 4 == 0 ? operator new (size, hint)
		      : i % 4 == 1 ? operator new[] (size, hint)
		      : i % 4 == 2 ? operator new (size, alignment, hint)
				   : operator new[] (size, alignment, hint);
	    hint_fill (blocks[i], size, i);
	  }
	for (unsigned i = 0; i < COUNT; i++)
	  CHECK (hint_is_filled (blocks[i], size, i));
	released = 0;
	for (unsigned i = 0; i < COUNT; i += 4)
	  {
	    operator delete (blocks[i], size);
	    operator delete[] (blocks[i + 1], size);
	    operator delete (blocks[i + 2], size, alignment);
	    operator delete[] (blocks[i + 3], size, alignment);
	  }
	CHECK (!is_replaced || released >= COUNT / 4);
      }
}

// The size that a program passes is not what decides: a block that realloc
// moved, and one whose size is wrong, go where they belong.

static void
check_wrong_size ()
{
  static void *others[1000];
  void *const wrong = operator new (400, __hot_cold_t (254));
  operator delete (wrong, 16);
  void *const resized
    = heapprof_realloc_hinted (operator new (16, __hot_cold_t (254)), 600, 1);
  operator delete (resized, 16);
  for (unsigned i = 0; i < 1000; i++)
    {
      others[i] = operator new (16 + i % 2 * 384, __hot_cold_t (254));
      hint_fill (others[i], 16 + i % 2 * 384, i);
    }
  for (unsigned i = 0; i < 1000; i++)
    {
      CHECK (hint_is_filled (others[i], 16 + i % 2 * 384, i));
      operator delete (others[i], 16 + i % 2 * 384);
    }
}

int
main (int argc, char **argv)
{
  check_plain ();
  for (int hint : { 1, 128, 254 })
    check_hint (__hot_cold_t (hint));
  check_plain ();
  // In other allocators the size must be right.
  if (argc == 2)
    check_wrong_size ();
  hint_expect_backend (argc, argv);
  return hint_finish ();
}
