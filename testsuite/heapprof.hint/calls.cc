// A program that counts the calls of its own functions: libheaphint makes none.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// With OWN_DELETE the program defines operator delete, with OWN_NEW also operator
// new, and with OWN_FREE malloc and free.  Each must be called once for each block
// that the program allocates, and never with a null pointer, which would crash it.

#include "hint.h"
#include <new>

enum class __hot_cold_t : unsigned char {};

void *operator new (size_t, __hot_cold_t);
void *operator new[] (size_t, __hot_cold_t);
void *operator new (size_t, std::align_val_t, __hot_cold_t);

static int taken;
static int released;

// Releasing a null pointer is an error of the caller.
static void
note_release (void *data)
{
  if (data == nullptr)
    abort ();
  released++;
}

#ifdef OWN_NEW
void *
operator new (size_t size)
{
  taken++;
  return malloc (size);
}

void *
operator new (size_t size, std::align_val_t alignment)
{
  taken++;
  return aligned_alloc (size_t (alignment), size);
}
#endif

#ifdef OWN_DELETE
void
operator delete (void *data) noexcept
{
  note_release (data);
  free (data);
}

void
operator delete (void *data, size_t) noexcept
{
  operator delete (data);
}

void
operator delete (void *data, std::align_val_t) noexcept
{
  note_release (data);
  free (data);
}
#endif

#ifdef OWN_FREE
static char memory[1 << 20] __attribute__ ((aligned (64)));
static size_t used;

extern "C" void *
malloc (size_t size)
{
  taken++;
  used += 64 + (size + 63) / 64 * 64;
  return used > sizeof memory ? nullptr : &memory[used - (size + 63) / 64 * 64];
}

extern "C" void *
calloc (size_t count, size_t size)
{
  return malloc (count * size);
}

extern "C" void *
realloc (void *, size_t)
{
  abort ();
}

extern "C" void *
aligned_alloc (size_t, size_t size)
{
  return malloc (size);
}

extern "C" int
posix_memalign (void **result, size_t, size_t size)
{
  *result = malloc (size);
  return *result == nullptr ? ENOMEM : 0;
}

extern "C" size_t
malloc_usable_size (void *)
{
  abort ();
}

extern "C" void
free (void *data)
{
  note_release (data);
}
#endif

int
main (int argc, char **argv)
{
  const __hot_cold_t cold = __hot_cold_t (1);
  const int before = taken;
  const int before_released = released;
  void *const blocks[]
    = { operator new (64, cold), operator new[] (64, cold),
	operator new (64, std::align_val_t (64), cold) };
  const int taken_after_new = taken - before;
  operator delete (blocks[0]);
  operator delete[] (blocks[1]);
  operator delete (blocks[2], std::align_val_t (64));
  const int released_after_new = released - before_released;
  void *const block = heapprof_malloc_hinted (64, 1);
  const int taken_in_all = taken - before;
  free (block);
  const int released_in_all = released - before_released;
#if defined OWN_NEW || defined OWN_FREE
  CHECK (taken_after_new == 3);
#else
  CHECK (taken_after_new == 0);
#endif
#if defined OWN_DELETE || defined OWN_FREE
  CHECK (released_after_new == 3);
#else
  CHECK (released_after_new == 0);
#endif
#ifdef OWN_FREE
  const int by_malloc = 1;
#else
  const int by_malloc = 0;
#endif
  CHECK (taken_in_all == taken_after_new + by_malloc);
  CHECK (released_in_all == released_after_new + by_malloc);
#ifdef TAKES_ADDRESS
  void (*volatile release) (void *) = operator delete;
  CHECK (release != nullptr);
#endif
  hint_expect_backend (argc, argv);
  return hint_finish ();
}
