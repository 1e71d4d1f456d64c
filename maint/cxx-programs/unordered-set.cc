// Hash sets that rehash, with a custom hash function.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <string>
#include <unordered_set>

struct point
{
  int x, y;

  bool
  operator== (const point &other) const
  {
    return x == other.x && y == other.y;
  }
};

struct point_hash
{
  std::size_t
  operator() (const point &p) const
  {
    return static_cast<std::size_t> (p.x) * 31 + static_cast<std::size_t> (p.y);
  }
};

int
main ()
{
  std::unordered_set<point, point_hash> points;
  for (int i = 0; i < 5000; i++)
    points.insert ({ i % 71, i % 13 });
  std::size_t found = 0;
  for (int x = 0; x < 100; x++)
    found += points.count ({ x, x % 13 });

  std::unordered_set<std::string> words;
  words.reserve (10);
  for (int i = 0; i < 3000; i++)
    words.insert ("the word with the number " + std::to_string (i % 700));
  for (int i = 0; i < 700; i += 2)
    words.erase ("the word with the number " + std::to_string (i));
  words.rehash (0);
  std::unordered_multiset<int> repeated;
  for (int i = 0; i < 900; i++)
    repeated.insert (i % 30);
  auto copy = words;
  words.clear ();
  std::printf ("%zu %zu %zu %zu\n", points.size (), found, copy.size (),
	       repeated.count (4));
  std::printf ("%d %zu\n", copy.contains ("the word with the number 699"),
	       words.size ());
  return 0;
}
