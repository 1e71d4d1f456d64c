// Algorithms that allocate temporary memory, and algorithms that move owners.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

int
main ()
{
  std::vector<std::pair<int, std::string>> pairs;
  for (int i = 0; i < 2000; i++)
    pairs.emplace_back (i * 31 % 50, "the element with the number "
				       + std::to_string (i));
  std::stable_sort (pairs.begin (), pairs.end (),
		    [] (const auto &a, const auto &b) {
		      return a.first < b.first;
		    });
  bool stable = true;
  for (std::size_t i = 1; i < pairs.size (); i++)
    stable = stable && (pairs[i - 1].first < pairs[i].first
			|| std::stoi (pairs[i - 1].second.substr (28))
			     < std::stoi (pairs[i].second.substr (28)));
  auto middle = std::stable_partition (pairs.begin (), pairs.end (),
				       [] (const auto &pair) {
					 return pair.first % 2 == 0;
				       });
  std::inplace_merge (pairs.begin (), middle, pairs.end ());
  std::rotate (pairs.begin (), pairs.begin () + 700, pairs.end ());
  std::nth_element (pairs.begin (), pairs.begin () + 1000, pairs.end ());

  std::vector<std::unique_ptr<int>> owners;
  for (int i = 0; i < 500; i++)
    owners.push_back (std::make_unique<int> (i * 7919 % 503));
  std::sort (owners.begin (), owners.end (), [] (const auto &a, const auto &b) {
    return *a < *b;
  });
  owners.erase (std::remove_if (owners.begin (), owners.end (),
				[] (const auto &each) {
				  return *each % 3 == 0;
				}), owners.end ());
  std::make_heap (owners.begin (), owners.end ());
  long sum = std::accumulate (owners.begin (), owners.end (), 0L,
			      [] (long so_far, const auto &each) {
				return so_far + *each;
			      });
  std::string letters = "abcde";
  int permutations = 0;
  do
    permutations++;
  while (std::next_permutation (letters.begin (), letters.end ()));
  std::printf ("%d %d %zu %ld %d\n", stable, pairs[1000].first, owners.size (),
	       sum, permutations);
  return 0;
}
