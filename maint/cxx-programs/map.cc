// Ordered maps: extracted nodes, erased ranges, maps of maps.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <map>
#include <string>
#include <vector>

int
main ()
{
  std::map<std::string, std::vector<int>> index;
  for (int i = 0; i < 2000; i++)
    index["a key that is longer than sixteen bytes " + std::to_string (i % 97)]
      .push_back (i);
  std::map<std::string, std::vector<int>> other;
  other.insert (index.extract (index.begin ()));
  other.merge (index);
  other.erase (other.begin (), std::next (other.begin (), 10));

  std::map<int, std::map<int, long>> table;
  for (int row = 0; row < 30; row++)
    for (int column = 0; column <= row; column++)
      table[row].try_emplace (column, row * 100L + column);
  table.erase (7);
  long sum = 0;
  for (const auto &[row, columns] : table)
    for (const auto &[column, value] : columns)
      sum += value - row - column;

  std::multimap<int, std::string> several;
  for (int i = 0; i < 500; i++)
    several.emplace (i % 50, std::to_string (i));
  auto [from, to] = several.equal_range (13);
  std::string joined;
  for (; from != to; ++from)
    joined += from->second + ' ';

  std::printf ("%zu %zu %zu\n", index.size (), other.size (),
	       other.rbegin ()->second.size ());
  std::printf ("%ld %s\n", sum, joined.c_str ());
  return 0;
}
