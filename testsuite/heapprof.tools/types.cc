// Allocations of known types, in C++.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The comment of a line with an allocation names the type.

#include <list>
#include <map>
#include <memory>
#include <new>
#include <vector>

namespace ns
{
template <class T> struct Box
{
  T value;
  long count;
  Box () : value (), count (0) {}
  ~Box () { count = 1; }
};

struct Base
{
  virtual ~Base () {}
  int number = 0;
};

struct Side
{
  virtual ~Side () {}
  long more = 0;
};

struct Derived : Base, Side
{
  char letter = 0;
  double value = 0;
};
}

namespace
{
struct Local
{
  int number;
  Local *next;
};

struct Owner
{
  Local *local;
  Owner () : local (new Local ()) {}			// Local
  ~Owner () { delete local; }
};
}

static void *volatile sink;

template <class T> static T *
keep (T *data)
{
  sink = const_cast<void *> (static_cast<const volatile void *> (data));
  return data;
}

int
main ()
{
  auto *box = keep (new ns::Box<int>);			// ns::Box<int>
  auto *boxes = keep (new ns::Box<double>[5]);		// ns::Box<double>
  ns::Base *base = keep<ns::Base> (new ns::Derived);	// ns::Derived
  ns::Side *side = keep<ns::Side> (new ns::Derived);	// ns::Derived
  int *numbers = keep (new int[10]);			// int
  auto *quiet = keep (new (std::nothrow) Local ());	// Local
  struct Inner { int number; };
  auto *inner = keep (new Inner ());			// main::Inner
  auto make = [] { return keep (new Local ()); };	// Local
  Local *made = make ();
  Owner *owner = keep (new Owner);			// Owner
  std::vector<ns::Box<int>> vector (3);			// ns::Box<int>
  keep (vector.data ());
  std::list<long> list;
  list.push_back (1);					// std::_List_node
  auto shared = std::make_shared<Local> ();		// _Sp_counted_ptr_inplace
  keep (shared.get ());
  auto unique = std::make_unique<ns::Box<char>> ();	// ns::Box<char>
  keep (unique.get ());
  delete box;
  delete[] boxes;
  delete base;
  delete side;
  delete[] numbers;
  delete quiet;
  delete inner;
  delete made;
  delete owner;
  return 0;
}
