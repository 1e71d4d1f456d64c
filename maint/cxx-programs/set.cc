// Ordered sets, their bounds and their set operations.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <string>

struct by_length
{
  using is_transparent = void;

  bool
  operator() (const std::string &a, const std::string &b) const
  {
    return a.size () != b.size () ? a.size () < b.size () : a < b;
  }
};

int
main ()
{
  std::set<int> odd, threes, both;
  for (int i = 0; i < 3000; i++)
    {
      if (i % 2)
	odd.insert (i);
      if (i % 3 == 0)
	threes.emplace_hint (threes.end (), i);
    }
  std::set_intersection (odd.begin (), odd.end (), threes.begin (),
			 threes.end (), std::inserter (both, both.end ()));
  std::multiset<int> repeated;
  for (int i = 0; i < 1000; i++)
    repeated.insert (i % 37);
  repeated.erase (5);
  both.merge (threes);

  std::set<std::string, by_length> words;
  std::string word;
  for (int i = 0; i < 120; i++)
    {
      word += static_cast<char> ('a' + i % 26);
      words.insert (word);
      words.insert (word.substr (word.size () / 2));
    }
  auto node = words.extract (words.begin ());
  std::printf ("%zu %d %zu %zu\n", both.size (), *both.lower_bound (100),
	       threes.size (), repeated.count (7));
  std::printf ("%zu %s %zu %s\n", repeated.size (), node.value ().c_str (),
	       words.size (), words.rbegin ()->c_str ());
  return 0;
}
