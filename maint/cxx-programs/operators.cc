// All forms of new and delete, and those of a class.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

struct alignas (128) wide
{
  char room[128];
};

static int calls;

struct own
{
  int value = 3;

  static void *
  operator new (std::size_t size)
  {
    calls++;
    return ::operator new (size + 16);
  }
  static void *
  operator new (std::size_t size, int more)
  {
    calls += more;
    return ::operator new (size);
  }
  static void
  operator delete (void *block)
  {
    calls += 100;
    ::operator delete (block);
  }
};

struct throwing
{
  char room[300];

  throwing () { throw 5; }
};

static void
give_up ()
{
  calls += 10000;
  std::set_new_handler (nullptr);
}

int
main ()
{
  int wrong = 0;
  for (int i = 1; i < 200; i++)
    {
      wide *one = new wide;
      wide *several = new wide[3];
      wide *maybe = new (std::nothrow) wide;
      wrong += reinterpret_cast<std::uintptr_t> (one) % 128 != 0;
      wrong += reinterpret_cast<std::uintptr_t> (several) % 128 != 0;
      wrong += reinterpret_cast<std::uintptr_t> (maybe) % 128 != 0;
      several[2].room[127] = static_cast<char> (i);
      delete one;
      delete[] several;
      delete maybe;
      void *raw = ::operator new (static_cast<std::size_t> (i));
      static_cast<char *> (raw)[i - 1] = 'x';
      ::operator delete (raw, static_cast<std::size_t> (i));
      void *far = ::operator new (100, std::align_val_t (4096));
      wrong += reinterpret_cast<std::uintptr_t> (far) % 4096 != 0;
      ::operator delete (far, std::align_val_t (4096));
    }
  delete new own;
  own *other = new (7) own;
  delete other;
  alignas (own) char room[sizeof (own)];
  own *placed = ::new (room) own;
  placed->~own ();
  int caught = 0;
  for (int i = 0; i < 50; i++)
    try
      {
	delete new throwing;
      }
    catch (int number)
      {
	caught += number;
      }
  std::set_new_handler (give_up);
  volatile std::size_t much = static_cast<std::size_t> (-1) / 2;
  bool none = ::operator new (much, std::nothrow) == nullptr;
  void *block = std::aligned_alloc (64, 640);
  block = std::realloc (block, 1000);
  std::free (block);
  std::printf ("%d %d %d %d\n", wrong, calls, caught, none);
  return 0;
}
