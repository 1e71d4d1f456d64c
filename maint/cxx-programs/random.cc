// Random numbers and their distributions, including distributions with tables.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <memory>
#include <random>
#include <vector>

int
main ()
{
  auto engine = std::make_unique<std::mt19937_64> (42);
  std::vector<double> weights = { 1, 2, 3, 4, 10, 0.5 };
  std::discrete_distribution<int> discrete (weights.begin (), weights.end ());
  std::vector<int> counts (weights.size ());
  for (int i = 0; i < 2000; i++)
    counts[static_cast<std::size_t> (discrete (*engine))]++;
  std::vector<double> borders = { 0, 1, 5, 20 }, densities = { 3, 2, 1 };
  std::piecewise_constant_distribution<> pieces (borders.begin (),
						 borders.end (),
						 densities.begin ());
  double most = 0;
  for (int i = 0; i < 500; i++)
    most = std::max (most, pieces (*engine));
  std::seed_seq seeds { 1, 2, 3, 4, 5 };
  std::minstd_rand small (seeds);
  std::vector<std::unique_ptr<std::mt19937>> several;
  for (unsigned i = 0; i < 10; i++)
    several.push_back (std::make_unique<std::mt19937> (small () + i));
  unsigned mixed = 0;
  for (auto &each : several)
    {
      each->discard (1000);
      mixed ^= static_cast<unsigned> ((*each) ());
    }
  int total = 0;
  for (int count : counts)
    total += count;
  std::printf ("%d %d %d %u\n", total, counts[4] > counts[0], most < 20, mixed);
  return 0;
}
