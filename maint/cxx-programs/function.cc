// Function objects that are too large to be stored in place.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct account
{
  long balance = 0;
  long add (long amount) { return balance += amount; }
};

static long
add_all (long a, long b, const std::string &text)
{
  return a + b + static_cast<long> (text.size ());
}

int
main ()
{
  std::vector<std::function<long (long)>> steps;
  for (long i = 0; i < 50; i++)
    {
      std::array<long, 10> table;
      table.fill (i);
      steps.push_back ([table] (long value) { return value + table[3]; });
      steps.push_back ([i] (long value) { return value * 3 % (i + 101) + 1; });
    }
  long value = 1;
  for (int turn = 0; turn < 10; turn++)
    for (const auto &step : steps)
      value = step (value);

  auto state = std::make_shared<account> ();
  std::function<long (long)> add = std::bind (&account::add, state,
					      std::placeholders::_1);
  std::function<long ()> bound
    = std::bind (add_all, 3, 4, std::string (100, 'x'));
  std::map<std::string, std::function<double (double, double)>> operators = {
    { "plus", std::plus<double> () },
    { "times", std::multiplies<double> () },
    { "power of something", [] (double a, double b) {
	double result = 1;
	for (; b >= 1; b--)
	  result *= a;
	return result;
      } } };
  auto copy = steps;
  steps.clear ();
  std::function<long (long)> factorial = [&factorial] (long n) {
    return n < 2 ? 1 : n * factorial (n - 1);
  };
  add (20);
  bool empty = false;
  try
    {
      std::function<void ()> ().operator() ();
    }
  catch (const std::bad_function_call &)
    {
      empty = true;
    }
  std::printf ("%ld %ld %ld %zu\n", value, add (22), bound (), copy.size ());
  std::printf ("%.1f %.1f %ld %d\n", operators["plus"] (1, 2),
	       operators["power of something"] (2, 10), factorial (10), empty);
  return 0;
}
