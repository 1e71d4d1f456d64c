// A C++ program that is linked without the C++ library: it calls only operators
// new with hints, and operators delete with a size.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// With a second argument it requests too much memory, which ends it.

#include "hint.h"
#include <initializer_list>
#include <new>

enum class __hot_cold_t : unsigned char {};

void *operator new (size_t, __hot_cold_t);
void *operator new[] (size_t, const std::nothrow_t &, __hot_cold_t) noexcept;
void *operator new (size_t, std::align_val_t, __hot_cold_t);

// Replaces the library's constant.
static const std::nothrow_t nothrow{};

int
main (int argc, char **argv)
{
  volatile size_t too_much = SIZE_MAX / 2;

  hint_expect_backend (argc, argv);
  // Cold, neither, hot.
  for (int hint : { 1, 128, 255 })
    {
      const __hot_cold_t kind = static_cast<__hot_cold_t> (hint);
      for (size_t size : { 0, 1, 72, 5000 })
	{
	  void *data = operator new (size, kind);
	  CHECK (data != nullptr);
	  memset (data, hint, size);
	  operator delete (data, size);
	}
      void *aligned = operator new (100, std::align_val_t (256), kind);
      CHECK (reinterpret_cast<uintptr_t> (aligned) % 256 == 0);
      free (aligned);
      aligned = operator new (1, std::align_val_t (1), kind);
      CHECK (aligned != nullptr);
      free (aligned);
      CHECK (operator new[] (too_much, nothrow, kind) == nullptr);
    }
  if (argc > 2)
    operator new (too_much, __hot_cold_t (1));
  return hint_finish ();
}
