// Numeric arrays: expressions, slices and masks create new arrays.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <valarray>

int
main ()
{
  std::valarray<double> row (1000), other (2.0, 1000);
  for (std::size_t i = 0; i < row.size (); i++)
    row[i] = static_cast<double> (i % 17);
  std::valarray<double> sum = row * 2.0 + other * other - row / other;
  std::valarray<double> shifted = sum.shift (5).cshift (-3);
  std::valarray<double> part = sum[std::slice (1, 100, 7)];
  std::valarray<double> masked = row[row > 8.0];
  std::valarray<std::size_t> places = { 1, 4, 9, 16, 25, 36 };
  std::valarray<double> chosen = sum[places];
  sum[std::slice (0, 10, 2)] = std::valarray<double> (1.5, 10);
  std::valarray<double> changed
    = row.apply ([] (double value) { return value * value; });
  std::printf ("%.3f %.3f %.3f\n", sum.sum (), shifted.sum (), part.max ());
  std::printf ("%zu %.3f %.3f %.3f\n", masked.size (), chosen.sum (),
	       changed.min (), std::sqrt (changed).sum ());
  return 0;
}
