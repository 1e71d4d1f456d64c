// Shared pointers: weak, aliasing, with custom allocators, atomic.
// SPDX-License-Identifier: GPL-3.0-or-later

// Atomic functions for shared pointers.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct part : std::enable_shared_from_this<part>
{
  std::string name;
  std::weak_ptr<part> parent;
  std::vector<std::shared_ptr<part>> children;

  explicit part (std::string text) : name (std::move (text)) {}

  std::shared_ptr<part>
  add (const std::string &text)
  {
    children.push_back (std::make_shared<part> (name + "/" + text));
    children.back ()->parent = shared_from_this ();
    return children.back ();
  }
};

static int
count (const part &top)
{
  int found = 1;
  for (const auto &child : top.children)
    found += count (*child);
  return found;
}

int
main ()
{
  auto top = std::make_shared<part> ("a root with a long enough name");
  std::shared_ptr<part> deep = top;
  for (int i = 0; i < 20; i++)
    {
      for (int j = 0; j < 5; j++)
	deep->add (std::to_string (j));
      deep = deep->children[2];
    }
  std::shared_ptr<std::string> alias (deep, &deep->name);
  std::weak_ptr<part> observer = top->children[2];
  std::printf ("%d %zu %ld %d\n", count (*top), alias->size (),
	       deep.use_count (), observer.expired ());
  top.reset ();
  std::printf ("%d %ld %d\n", observer.expired (), alias.use_count (),
	       deep->parent.expired ());
  int closed = 0;
  {
    std::shared_ptr<int> with_deleter (new int (5), [&closed] (int *number) {
      closed = *number;
      delete number;
    });
    auto copy = with_deleter;
    std::shared_ptr<const int> constant = std::allocate_shared<int> (
      std::allocator<int> (), 9);
    closed -= *constant;
  }
  std::shared_ptr<int> cell = std::make_shared<int> (1);
  for (int i = 0; i < 100; i++)
    std::atomic_store (&cell, std::make_shared<int> (*std::atomic_load (&cell)
						     + i));
  std::printf ("%d %d\n", closed, *cell);
  return 0;
}
