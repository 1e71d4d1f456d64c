// C++17: algorithms that several threads execute.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counters are not atomic: each element has its own.

#include "truth.h"
#include <algorithm>
#include <execution>
#include <numeric>

struct alignas (64) Element
{
  long value;
};

static const long COUNT = 10000;

int
main ()
{
  Element *elements = new Element[COUNT]; // site: elements
  for (long i = 0; i < COUNT; i++)
    elements[i].value = i;
  std::for_each (std::execution::par, elements, elements + COUNT,
		 [] (Element &element) { element.value *= 2; });
  long sum = std::transform_reduce (
    std::execution::par_unseq, elements, elements + COUNT, 0L, std::plus<> (),
    [] (const Element &element) { return element.value; });
  if (sum == COUNT * (COUNT - 1))
    truth_site ("elements", 1, COUNT * sizeof (Element), 4 * COUNT);
  delete[] elements;
}
