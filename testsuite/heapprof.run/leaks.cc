// C++ programs that lose blocks, or do not: as leaks.c.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Base1 { virtual ~Base1 () {} long a = 1; };
struct Base2 { virtual ~Base2 () {} long b = 2; };
struct Both : Base1, Base2 { long c = 3; };
struct Counted { ~Counted () { value = 0; } long value = 1; };
struct Shared { std::shared_ptr<Shared> other; };

std::vector<int *> *vector_kept;
std::map<int, std::string> *map_kept;
std::vector<int *> global_vector;
Base2 *base_kept;
Counted *array_kept;

// 3 blocks: the vector, its array, the number.
static void
vector_of_pointers ()
{
  vector_kept = new std::vector<int *>;
  vector_kept->push_back (new int (1));
}

// Destroyed at exit, without the number.
static void
vector_destroyed ()
{
  global_vector.push_back (new int (1));
}

static void
vector_lost ()
{
  (new std::vector<int *>)->push_back (new int (1));
}

// 3 blocks: the map, a node, a long string.
static void
map_of_strings ()
{
  map_kept = new std::map<int, std::string>;
  (*map_kept)[1] = std::string (100, 'x');
}

static void
map_lost ()
{
  auto map = new std::map<int, std::string>;
  (*map)[1] = std::string (100, 'x');
  map = nullptr;
}

static void second_base () { base_kept = new Both; }
static void array_with_count () { array_kept = new Counted[4]; }

static void
shared_cycle ()
{
  auto a = std::make_shared<Shared> ();
  a->other = std::make_shared<Shared> ();
  a->other->other = a;
}

static void
list_lost ()
{
  (new std::list<int>)->assign (3, 7);
}

static const struct { const char *name; void (*function) (); } cases[] = {
#define CASE(name) { #name, name }
  CASE (vector_of_pointers), CASE (vector_destroyed), CASE (vector_lost),
  CASE (map_of_strings), CASE (map_lost), CASE (second_base),
  CASE (array_with_count), CASE (shared_cycle), CASE (list_lost)
};

__attribute__ ((noinline)) static void
run_deep (void (*function) ())
{
  volatile char distance[65536];
  distance[0] = 0;
  function ();
  distance[1] = 0;
}

__attribute__ ((noinline)) static void
wash_all ()
{
  volatile char zeros[65536 + 16384];
  memset ((void *) zeros, 0, sizeof zeros);
}

int
main (int argc, char **argv)
{
  for (auto &one : cases)
    if (argc == 2 && strcmp (argv[1], one.name) == 0)
      {
	run_deep (one.function);
	wash_all ();
	return 0;
      }
  for (auto &one : cases)
    puts (one.name);
  return 2;
}
