// Vectors that grow, shrink, move and hold other vectors.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

struct tile
{
  int number;
  std::string name;
};

int
main ()
{
  std::vector<int> numbers;
  for (int i = 0; i < 5000; i++)
    numbers.push_back (i * 3);
  numbers.erase (numbers.begin () + 10, numbers.begin () + 20);
  numbers.insert (numbers.begin (), 7, -1);
  numbers.shrink_to_fit ();

  std::vector<std::vector<int>> rows (40);
  for (std::size_t i = 0; i < rows.size (); i++)
    rows[i].assign (i, static_cast<int> (i));
  rows.resize (60, std::vector<int> (5, 1));
  long sum = 0;
  for (const auto &row : rows)
    sum += std::accumulate (row.begin (), row.end (), 0L);

  std::vector<tile> tiles;
  for (int i = 0; i < 100; i++)
    tiles.push_back ({ i, "a tile with a name of some length "
			    + std::to_string (i) });
  std::vector<tile> moved = std::move (tiles);
  moved.pop_back ();
  std::vector<bool> bits (1000);
  for (std::size_t i = 0; i < bits.size (); i += 7)
    bits[i].flip ();
  long set = 0;
  for (bool bit : bits)
    set += bit;

  std::printf ("%zu %ld %ld\n", numbers.size (),
	       std::accumulate (numbers.begin (), numbers.end (), 0L), sum);
  std::printf ("%zu %s %ld\n", moved.size (), moved.back ().name.c_str (), set);
  return 0;
}
