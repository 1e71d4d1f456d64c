// Containers with polymorphic memory resources.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <list>
#include <map>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <vector>

class counting_resource : public std::pmr::memory_resource
{
public:
  long blocks = 0, bytes = 0;

private:
  void *
  do_allocate (std::size_t size, std::size_t alignment) override
  {
    blocks++;
    bytes += static_cast<long> (size);
    return std::pmr::new_delete_resource ()->allocate (size, alignment);
  }
  void
  do_deallocate (void *block, std::size_t size, std::size_t alignment) override
  {
    bytes -= static_cast<long> (size);
    std::pmr::new_delete_resource ()->deallocate (block, size, alignment);
  }
  bool
  do_is_equal (const memory_resource &other) const noexcept override
  {
    return this == &other;
  }
};

template <typename Resource>
static long
fill (Resource &resource)
{
  std::pmr::vector<std::pmr::string> words (&resource);
  std::pmr::map<int, std::pmr::list<int>> lists (&resource);
  std::pmr::unordered_map<std::pmr::string, int> counts (&resource);
  for (int i = 0; i < 400; i++)
    {
      words.emplace_back ("a string that takes its memory from elsewhere");
      lists[i % 23].push_back (i);
      counts[words.back () + std::pmr::string (std::to_string (i % 50))]++;
    }
  long sum = static_cast<long> (counts.size ());
  for (const auto &[key, list] : lists)
    for (int number : list)
      sum += key * number;
  return sum;
}

int
main ()
{
  counting_resource counted;
  long sums[4];
  sums[0] = fill (counted);
  std::printf ("%d %ld\n", counted.blocks > 1000, counted.bytes);
  {
    char room[2000];
    std::pmr::monotonic_buffer_resource buffer (room, sizeof room, &counted);
    sums[1] = fill (buffer);
  }
  {
    std::pmr::unsynchronized_pool_resource pool (&counted);
    sums[2] = fill (pool);
    std::pmr::synchronized_pool_resource locked (&pool);
    sums[3] = fill (locked);
  }
  std::printf ("%ld %ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3],
	       counted.bytes);
  bool refused = false;
  try
    {
      std::pmr::vector<int> none (std::pmr::null_memory_resource ());
      none.push_back (1);
    }
  catch (const std::bad_alloc &)
    {
      refused = true;
    }
  std::printf ("%d\n", refused);
  return 0;
}
