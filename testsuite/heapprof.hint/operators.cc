// The operators new with a hint: the right alignment, the same failures as the
// plain operators, and blocks that the operators delete release.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// With OWN_OPERATORS the program replaces the plain operators, which must allocate
// and release each block.  With a second argument the plain operators are another
// allocator's, and may behave differently without memory.

#include "hint.h"
#include <new>

enum class __hot_cold_t : unsigned char {};

void *operator new (size_t, __hot_cold_t);
void *operator new[] (size_t, __hot_cold_t);
void *operator new (size_t, const std::nothrow_t &, __hot_cold_t) noexcept;
void *operator new[] (size_t, const std::nothrow_t &, __hot_cold_t) noexcept;
void *operator new (size_t, std::align_val_t, __hot_cold_t);
void *operator new[] (size_t, std::align_val_t, __hot_cold_t);
void *operator new (size_t, std::align_val_t, const std::nothrow_t &,
		    __hot_cold_t) noexcept;
void *operator new[] (size_t, std::align_val_t, const std::nothrow_t &,
		      __hot_cold_t) noexcept;

#ifdef OWN_OPERATORS
static const size_t head_bytes = 64;
static long own_blocks;

void *
operator new (size_t size)
{
  char *const block = (char *) malloc (size + head_bytes);
  if (block == nullptr || size + head_bytes < size)
    throw std::bad_alloc ();
  own_blocks++;
  return block + head_bytes;
}

void
operator delete (void *data) noexcept
{
  if (data == nullptr)
    return;
  own_blocks--;
  free ((char *) data - head_bytes);
}

void
operator delete (void *data, size_t) noexcept
{
  operator delete (data);
}
#endif

static const int hints[] = { 0, 1, 127, 128, 222, 223, 254, 255 };

#ifndef OWN_OPERATORS
static int handler_calls;

static void
handler ()
{
  if (++handler_calls == 3)
    std::set_new_handler (nullptr);
}
#endif

template <typename Call>
static bool
throws (Call call)
{
  try
    {
      call ();
    }
  catch (const std::bad_alloc &)
    {
      return true;
    }
  return false;
}

static void
check_sizes (__hot_cold_t hint, bool is_plain_ours)
{
  const std::align_val_t alignment = std::align_val_t (64);
  for (size_t size = 0; size < 300000; size = size * 2 + 1)
    {
      void *const one = operator new (size, hint);
      void *const many = operator new[] (size, hint);
      void *const quiet = operator new (size, std::nothrow, hint);
      void *const quiet_many = operator new[] (size, std::nothrow, hint);
      void *const wide = operator new (size, alignment, hint);
      void *const wide_many = operator new[] (size, alignment, hint);
      void *const quiet_wide
	= operator new (size, alignment, std::nothrow, hint);
      void *const quiet_wide_many
	= operator new[] (size, alignment, std::nothrow, hint);
      void *const all[] = { one, many, quiet, quiet_many, wide, wide_many,
			    quiet_wide, quiet_wide_many };
      for (unsigned i = 0; i < 8; i++)
	{
	  CHECK (all[i] != nullptr);
	  CHECK ((uintptr_t) all[i] % (i >= 4 ? 64 : size < 16 ? 8 : 16) == 0);
	  hint_fill (all[i], size, i);
	}
      for (unsigned i = 0; i < 8; i++)
	CHECK (hint_is_filled (all[i], size, i));
#ifdef OWN_OPERATORS
      CHECK (own_blocks == 4);
#endif
      operator delete (one);
      operator delete[] (many);
      operator delete (quiet, std::nothrow);
      operator delete[] (quiet_many, size);
      operator delete (wide, alignment);
      operator delete[] (wide_many, alignment);
      /* jemalloc 5.3 takes a wide block of 0 bytes for one of 8 if it is told the
	 size, whoever allocated it.  */
      if (size == 0 && !is_plain_ours)
	operator delete (quiet_wide, alignment);
      else
	operator delete (quiet_wide, size, alignment);
      operator delete[] (quiet_wide_many, alignment, std::nothrow);
    }
#ifdef OWN_OPERATORS
  CHECK (own_blocks == 0);
#endif
}

static void
check_failures (__hot_cold_t hint)
{
  const size_t volatile huge = (size_t) 1 << 62;
  const std::align_val_t alignment = std::align_val_t (256);
  CHECK (throws ([&] { operator new (huge, hint); }));
  CHECK (throws ([&] { operator new[] (huge, hint); }));
  CHECK (throws ([&] { operator new (huge, alignment, hint); }));
  CHECK (throws ([&] { operator new[] (huge, alignment, hint); }));
  CHECK (operator new (huge, std::nothrow, hint) == nullptr);
  CHECK (operator new[] (huge, std::nothrow, hint) == nullptr);
  CHECK (operator new (huge, alignment, std::nothrow, hint) == nullptr);
  CHECK (operator new[] (huge, alignment, std::nothrow, hint) == nullptr);
#ifndef OWN_OPERATORS
  handler_calls = 0;
  std::set_new_handler (handler);
  CHECK (throws ([&] { operator new (huge, hint); }));
  CHECK (handler_calls == 3);
#endif
}

int
main (int argc, char **argv)
{
  hint_expect_backend (argc, argv);
  for (int hint : hints)
    {
      check_sizes (__hot_cold_t (hint), argc == 2);
      if (argc == 2)
	check_failures (__hot_cold_t (hint));
    }
  return hint_finish ();
}
