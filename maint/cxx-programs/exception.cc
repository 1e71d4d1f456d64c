// Exceptions thrown through owners, kept, nested and thrown again.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

static int alive;

struct owner
{
  std::string text;

  explicit owner (int number) : text (60, static_cast<char> ('a' + number % 26))
  {
    if (number == 13)
      throw std::invalid_argument ("no owner has the number " + text);
    alive++;
  }

  ~owner ()
  {
    alive--;
  }
};

struct large : std::exception
{
  char room[5000] = "a large exception";
  const char *what () const noexcept override { return room; }
};

static void
descend (int depth)
{
  owner here (100 + depth);
  std::vector<std::string> many (10, std::string (40, 'z'));
  try
    {
      if (depth == 0)
	throw large ();
      descend (depth - 1);
    }
  catch (const std::exception &)
    {
      if (depth % 5 == 0)
	std::throw_with_nested (std::runtime_error (
	  "at depth " + std::to_string (depth) + " of the descent"));
      throw;
    }
}

static std::string
chain (const std::exception &error)
{
  std::string text = error.what ();
  try
    {
      std::rethrow_if_nested (error);
    }
  catch (const std::exception &inner)
    {
      text += "; " + chain (inner);
    }
  return text;
}

int
main ()
{
  std::vector<std::exception_ptr> kept;
  for (int i = 0; i < 20; i++)
    try
      {
	std::vector<std::unique_ptr<owner>> owners;
	for (int j = 0; j < i; j++)
	  owners.push_back (std::make_unique<owner> (j));
	owner (i + 14);
      }
    catch (...)
      {
	kept.push_back (std::current_exception ());
      }
  std::printf ("%d %zu\n", alive, kept.size ());
  try
    {
      std::rethrow_exception (kept.back ());
    }
  catch (const std::invalid_argument &error)
    {
      std::printf ("%s\n", error.what ());
    }
  try
    {
      descend (12);
    }
  catch (const std::exception &error)
    {
      std::printf ("%s\n", chain (error).c_str ());
    }
  try
    {
      volatile std::size_t much = static_cast<std::size_t> (-1) / 4;
      delete[] new char[much];
    }
  catch (const std::bad_alloc &)
    {
      std::printf ("bad_alloc, %d\n", alive);
    }
  return 0;
}
