// Results of other threads: async, promises, tasks, and their exceptions.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <future>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::vector<int>
sorted (std::vector<int> numbers)
{
  if (numbers.size () < 200)
    {
      for (std::size_t i = 1; i < numbers.size (); i++)
	for (std::size_t j = i; j > 0 && numbers[j] < numbers[j - 1]; j--)
	  std::swap (numbers[j], numbers[j - 1]);
      return numbers;
    }
  auto middle = numbers.begin () + static_cast<long> (numbers.size () / 2);
  auto first = std::async (std::launch::async, sorted,
			   std::vector<int> (numbers.begin (), middle));
  std::vector<int> second = sorted ({ middle, numbers.end () });
  std::vector<int> left = first.get (), all;
  all.reserve (numbers.size ());
  std::size_t i = 0, j = 0;
  while (i < left.size () || j < second.size ())
    if (j == second.size () || (i < left.size () && left[i] <= second[j]))
      all.push_back (left[i++]);
    else
      all.push_back (second[j++]);
  return all;
}

int
main ()
{
  std::vector<int> numbers (1500);
  for (std::size_t i = 0; i < numbers.size (); i++)
    numbers[i] = static_cast<int> (i * 7919 % 1511);
  numbers = sorted (numbers);
  bool ordered = true;
  for (std::size_t i = 1; i < numbers.size (); i++)
    ordered = ordered && numbers[i - 1] <= numbers[i];

  std::promise<std::string> promise;
  std::shared_future<std::string> text = promise.get_future ().share ();
  std::thread teller ([&promise] { promise.set_value (std::string (80, 't')); });
  std::packaged_task<long (long)> task ([] (long n) { return n * n; });
  std::future<long> square = task.get_future ();
  std::thread runner (std::move (task), 12);
  auto failing = std::async (std::launch::async, [] () -> int {
    throw std::runtime_error ("a text of an exception that is long enough");
  });
  std::string said;
  try
    {
      failing.get ();
    }
  catch (const std::runtime_error &error)
    {
      said = error.what ();
    }
  auto later = std::async (std::launch::deferred, [] { return 5; });
  teller.join ();
  runner.join ();
  std::printf ("%d %zu %ld %d\n%s\n", ordered, text.get ().size (),
	       square.get (), later.get (), said.c_str ());
  return 0;
}
