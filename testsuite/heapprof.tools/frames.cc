// A program whose addresses are hard to name: inlining of several levels,
// lambdas, constructors, templates, static and anonymous functions, functions
// split into hot and cold parts, and a function that is discarded.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// Discarded by --gc-sections, it leaves an empty range in .debug_aranges.
void
never ()
{
  __builtin_unreachable ();
}

namespace
{
struct item
{
  int number;
  std::string name;
  item (int n) : number (n), name (std::to_string (n)) {}
  virtual ~item () {}
};

struct labelled : virtual item
{
  std::vector<std::string> labels;
  labelled (int n) : item (n), labels (n, "label") {}
};

__attribute__ ((noinline)) item *
make_item (int n)
{
  if (n < 0)
    throw std::invalid_argument ("negative");
  return n % 2 ? new item (n) : new labelled (n);
}
}

static inline int
use_item (int n)
{
  std::unique_ptr<item> one (make_item (n));
  return one->number + one->name.size ();
}

template <typename T>
static T
sum_of (const std::vector<T> &values)
{
  std::vector<T> copy (values);
  std::sort (copy.begin (), copy.end (), [] (const T &a, const T &b) {
    return std::to_string (a) < std::to_string (b);
  });
  T sum = 0;
  for (const T &value : copy)
    sum += value;
  return sum;
}

int
main (int argc, char **argv)
{
  std::map<std::string, std::vector<int>> table;
  for (int i = 0; i < argc; i++)
    table[argv[i]].push_back (use_item (i));
  std::function<int (int)> later = [&] (int n) {
    auto numbers = std::make_unique<std::vector<int>> (n, 1);
    return sum_of (*numbers) + (int) table.size ();
  };
  return later (argc) + sum_of (std::vector<long> (argc, 2)) == 0;
}
