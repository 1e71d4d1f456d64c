// Objects constructed before main and destroyed after it, and exit handlers.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct log
{
  std::vector<std::string> lines;

  ~log ()
  {
    for (const std::string &line : lines)
      std::printf ("%s\n", line.c_str ());
    std::printf ("log: %zu lines\n", lines.size ());
  }
};

static log &
the_log ()
{
  static log only;
  return only;
}

struct registered
{
  std::string name;

  explicit registered (const char *text) : name (text)
  {
    the_log ().lines.push_back ("made " + name);
  }
  ~registered ()
  {
    the_log ().lines.push_back ("released " + name);
  }
};

static registered first ("the first object of this program");
static const std::map<std::string, int> table
  = { { "a key that is not short", 1 }, { "another key of this table", 2 } };
static registered second ("the second object of this program");
inline std::vector<std::shared_ptr<registered>> shared
  = { std::make_shared<registered> ("a shared object") };

static void
at_exit ()
{
  the_log ().lines.push_back ("atexit");
  delete new std::vector<int> (1000);
}

int
main ()
{
  std::atexit (at_exit);
  static thread_local registered local ("an object of the main thread");
  shared.push_back (std::make_shared<registered> ("another shared object"));
  the_log ().lines.push_back (local.name + ", "
			      + std::to_string (table.size ()));
  std::exit (table.at ("another key of this table") - 2);
}
