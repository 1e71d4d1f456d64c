// Hash maps of strings, of pointers and of other hash maps.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <memory>
#include <string>
#include <unordered_map>

int
main ()
{
  std::unordered_map<std::string, int> counts;
  std::string text = "it was the best of times it was the worst of times it was "
		     "the age of wisdom it was the age of foolishness ";
  for (int turn = 0; turn < 20; turn++)
    for (std::size_t from = 0, to; (to = text.find (' ', from))
				     != std::string::npos; from = to + 1)
      counts[text.substr (from, to - from) + std::to_string (turn)]++;

  std::unordered_map<int, std::unique_ptr<std::string>> owners;
  for (int i = 0; i < 1000; i++)
    owners[i * i % 997] = std::make_unique<std::string> (100, 'x');
  for (int i = 0; i < 300; i++)
    owners.erase (i);
  std::unordered_map<int, std::unordered_map<int, int>> nested;
  for (int i = 0; i < 2000; i++)
    nested[i % 41][i % 53] += i;
  long sum = 0;
  for (const auto &[key, inner] : nested)
    for (const auto &[other, value] : inner)
      sum += value + key * other;
  std::unordered_multimap<int, int> several;
  for (int i = 0; i < 600; i++)
    several.emplace (i % 20, i);
  std::printf ("%zu %d %zu\n", counts.size (), counts["was7"], owners.size ());
  std::printf ("%ld %zu\n", sum, several.count (3));
  return 0;
}
