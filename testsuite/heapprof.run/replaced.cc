/* A program that defines one form of operator new and delete, and with
   -DOWN_MALLOC also malloc: all other forms must call those.  Exits with 0 if
   all blocks were allocated and released by them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

static long taken, given;
static const std::size_t header = 16;

#ifdef OWN_MALLOC
static char pool[1 << 20];
static std::size_t used;

extern "C" void *
malloc (std::size_t size)
{
  size = (size + 2 * header - 1) & -header;
  if (size > sizeof pool - used)
    return nullptr;
  char *p = pool + used;
  used += size;
  taken++;
  std::memcpy (p, "mine", 5);
  return p + header;
}

extern "C" void
free (void *p)
{
  if (p == nullptr)
    return;
  if (std::strcmp (static_cast<char *> (p) - header, "mine") != 0)
    std::abort ();
  given++;
}

extern "C" void *
calloc (std::size_t count, std::size_t size)
{
  return malloc (count * size);
}

extern "C" void *
realloc (void *, std::size_t size)
{
  return malloc (size);
}
#else
void *
operator new (std::size_t size)
{
  char *p = size > std::numeric_limits<std::size_t>::max () / 4 ? nullptr
	    : static_cast<char *> (std::malloc (size + header));
  if (p == nullptr)
    throw std::bad_alloc ();
  taken++;
  return p + header;
}

void
operator delete (void *p) noexcept
{
  if (p == nullptr)
    return;
  given++;
  std::free (static_cast<char *> (p) - header);
}

void
operator delete (void *p, std::size_t) noexcept
{
  operator delete (p);
}
#endif

struct point { int x, y; };

static void *volatile sink;

static void
take_and_give ()
{
  point *const one = new (std::nothrow) point;
  point *const many = new point[5];
  point *const more = new (std::nothrow) point[5];
  sink = one;
  sink = many;
  sink = more;
  delete one;
  delete[] many;
  delete[] more;
  ::operator delete (::operator new (8), std::nothrow);
}

static void
throw_one ()
{
  throw 1;
}

static bool
fails_as_it_should ()
{
  const std::size_t volatile huge
    = std::numeric_limits<std::size_t>::max () / 2;
  if (::operator new (huge, std::nothrow) != nullptr
      || ::operator new[] (huge, std::nothrow) != nullptr)
    return false;
  std::set_new_handler ([] { throw std::bad_alloc (); });
  if (::operator new (huge, std::nothrow) != nullptr)
    return false;
  std::set_new_handler (nullptr);
  int caught = 0;
  try { sink = ::operator new (huge); }
  catch (const std::bad_alloc &) { caught++; }
  try { throw_one (); }
  catch (int) { caught++; }
  return caught == 2;
}

int
main ()
{
  const long taken_before = taken, given_before = given;
#ifdef OWN_MALLOC
  std::free (strdup ("text"));
#endif
  take_and_give ();
  if (taken - taken_before < 4 || taken - taken_before != given - given_before)
    return 1;
  return fails_as_it_should () ? 0 : 2;
}
