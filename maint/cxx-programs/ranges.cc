// Range views and algorithms that create containers.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

int
main ()
{
  auto even_squares
    = std::views::iota (0, 1000)
      | std::views::filter ([] (int n) { return n % 2 == 0; })
      | std::views::transform ([] (int n) { return long (n) * n; })
      | std::views::take (200);
  std::vector<long> squares;
  std::ranges::copy (even_squares, std::back_inserter (squares));

  std::vector<std::string> words;
  for (int i : std::views::iota (0, 300))
    words.push_back ("a word of the list that is sorted "
		     + std::to_string (i * 37 % 301));
  std::ranges::sort (words, {}, [] (const std::string &word) {
    return std::stoi (word.substr (word.rfind (' ')));
  });
  std::ranges::reverse (words);
  auto [from, to] = std::ranges::unique (squares, {}, [] (long n) {
    return n / 1000;
  });
  squares.erase (from, to);
  auto found = std::ranges::find_if (words, [] (const std::string &word) {
    return word.ends_with ("100");
  });
  std::string joined;
  for (const std::string &word : words | std::views::drop (295))
    joined += word.substr (word.size () - 2) + '/';
  std::vector<std::vector<int>> nested (10, std::vector<int> (7, 3));
  long flat = 0;
  for (int n : nested | std::views::join)
    flat += n;
  std::printf ("%zu %ld %td\n", squares.size (),
	       std::accumulate (squares.begin (), squares.end (), 0L),
	       found - words.begin ());
  std::printf ("%s %ld\n", joined.c_str (), flat);
  return 0;
}
