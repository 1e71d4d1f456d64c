// Exceptions through frames that allocate, rethrown, nested, from constructors
// and across threads.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int destroyed;

struct counted
{
  explicit counted (int n) : values (new int[n])
  {
    for (int i = 0; i < n; i++)
      values[i] = i;
    if (n % 7 == 3)
      throw std::runtime_error ("constructor " + std::to_string (n));
  }
  ~counted () { destroyed++; }
  std::unique_ptr<int[]> values;
};

static int
descend (int depth, int n)
{
  counted here (n * 7);
  if (depth == 0)
    throw std::out_of_range (std::string (n, 'x'));
  try
    {
      return descend (depth - 1, n + 1) + here.values[depth];
    }
  catch (std::out_of_range &error)
    {
      if (depth % 2)
	throw;
      std::throw_with_nested (std::logic_error (error.what ()));
    }
}

static size_t
unwrap (const std::exception &error)
{
  size_t length = std::string (error.what ()).size ();
  try
    {
      std::rethrow_if_nested (error);
    }
  catch (const std::exception &inner)
    {
      length = length * 3 + unwrap (inner);
    }
  return length;
}

static std::vector<std::unique_ptr<counted>>
many (int n)
{
  std::vector<std::unique_ptr<counted>> all;
  for (int i = 0; i < n; i++)
    all.push_back (std::make_unique<counted> (i));
  return all;
}

int
main ()
{
  size_t sum = 0;
  for (int depth = 1; depth < 6; depth++)
    try
      {
	descend (depth, depth);
      }
    catch (const std::exception &error)
      {
	sum = sum * 5 + unwrap (error);
      }
  for (int n : { 2, 3, 4, 20 })
    try
      {
	sum += many (n).size ();
      }
    catch (const std::runtime_error &error)
      {
	printf ("%s\n", error.what ());
      }
  std::exception_ptr caught;
  std::thread ([&] {
    try
      {
	counted (10);
      }
    catch (...)
      {
	caught = std::current_exception ();
      }
  }).join ();
  try
    {
      std::rethrow_exception (caught);
    }
  catch (const std::exception &error)
    {
      printf ("%s\n", error.what ());
    }
  try
    {
      delete[] new char[(size_t) -1 / 4 + destroyed];
    }
  catch (const std::bad_alloc &)
    {
      sum++;
    }
  printf ("%zu, %d destroyed\n", sum, destroyed);
  return 0;
}
