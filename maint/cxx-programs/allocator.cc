// Containers with custom allocators, based on malloc and on a pool.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <scoped_allocator>
#include <string>
#include <vector>

static long taken;

template <typename T>
struct from_malloc
{
  using value_type = T;

  from_malloc () = default;
  template <typename U> from_malloc (const from_malloc<U> &) {}

  T *
  allocate (std::size_t count)
  {
    void *block = std::malloc (count * sizeof (T));
    if (!block)
      throw std::bad_alloc ();
    taken += static_cast<long> (count * sizeof (T));
    return static_cast<T *> (block);
  }
  void
  deallocate (T *block, std::size_t count)
  {
    taken -= static_cast<long> (count * sizeof (T));
    std::free (block);
  }
  template <typename U> bool
  operator== (const from_malloc<U> &) const
  {
    return true;
  }
};

/* Blocks of one size, cut from large ones, and used again.  */
struct pool
{
  std::vector<std::unique_ptr<char[]>> large;
  std::vector<void *> unused;
  std::size_t size = 0;

  void *
  take (std::size_t wanted)
  {
    if (unused.empty () || size < wanted)
      {
	size = wanted;
	large.push_back (std::make_unique<char[]> (64 * size));
	for (int i = 0; i < 64; i++)
	  unused.push_back (large.back ().get ()
			    + static_cast<std::size_t> (i) * size);
      }
    void *block = unused.back ();
    unused.pop_back ();
    return block;
  }
};

template <typename T>
struct from_pool
{
  using value_type = T;
  pool *source;

  explicit from_pool (pool *given) : source (given) {}
  template <typename U>
  from_pool (const from_pool<U> &other) : source (other.source)
  {
  }
  T *
  allocate (std::size_t count)
  {
    return static_cast<T *> (source->take (count * sizeof (T)));
  }
  void deallocate (T *block, std::size_t) { source->unused.push_back (block); }
  template <typename U> bool
  operator== (const from_pool<U> &other) const
  {
    return source == other.source;
  }
};

using text = std::basic_string<char, std::char_traits<char>, from_malloc<char>>;

int
main ()
{
  long most = 0;
  {
    std::vector<text, std::scoped_allocator_adaptor<from_malloc<text>>> words;
    std::map<int, text, std::less<>, from_malloc<std::pair<const int, text>>>
      names;
    for (int i = 0; i < 300; i++)
      {
	words.emplace_back ("a text whose memory malloc has given");
	names[i % 40] += "long enough ";
      }
    most = taken > 10000;
    std::printf ("%zu %zu %ld\n", words.size (), names[3].size (), most);
  }
  pool blocks;
  std::list<long, from_pool<long>> numbers { from_pool<long> (&blocks) };
  for (long i = 0; i < 1000; i++)
    {
      numbers.push_back (i);
      if (i % 3 == 0)
	numbers.pop_front ();
    }
  long sum = 0;
  for (long number : numbers)
    sum += number;
  std::printf ("%ld %ld %zu\n", taken, sum, numbers.size ());
  return 0;
}
