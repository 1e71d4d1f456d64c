// Coroutines whose frames are on the heap: generators, recursion, exceptions.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <coroutine>
#include <cstdio>
#include <exception>
#include <memory>
#include <utility>

template<typename T>
struct generator
{
  struct promise_type
  {
    T value;
    std::exception_ptr error;
    generator get_return_object ()
    {
      return generator (handle::from_promise (*this));
    }
    std::suspend_always initial_suspend () { return {}; }
    std::suspend_always final_suspend () noexcept { return {}; }
    std::suspend_always yield_value (T next)
    {
      value = std::move (next);
      return {};
    }
    void return_void () {}
    void unhandled_exception () { error = std::current_exception (); }
  };
  using handle = std::coroutine_handle<promise_type>;

  explicit generator (handle from) : coroutine (from) {}
  generator (generator &&other)
      : coroutine (std::exchange (other.coroutine, nullptr))
  {}
  ~generator ()
  {
    if (coroutine)
      coroutine.destroy ();
  }
  bool next ()
  {
    coroutine.resume ();
    if (coroutine.promise ().error)
      std::rethrow_exception (coroutine.promise ().error);
    return !coroutine.done ();
  }
  T &value () { return coroutine.promise ().value; }
  handle coroutine;
};

struct node
{
  int key;
  std::unique_ptr<node> left, right;
};

static std::unique_ptr<node>
insert (std::unique_ptr<node> tree, int key)
{
  if (!tree)
    return std::unique_ptr<node> (new node{ key, nullptr, nullptr });
  auto &side = key < tree->key ? tree->left : tree->right;
  side = insert (std::move (side), key);
  return tree;
}

static generator<int>
walk (const node *tree)
{
  if (!tree)
    co_return;
  for (auto side = walk (tree->left.get ()); side.next ();)
    co_yield side.value ();
  co_yield tree->key;
  for (auto side = walk (tree->right.get ()); side.next ();)
    co_yield side.value ();
}

static generator<std::unique_ptr<int>>
failing (int n)
{
  for (int i = 0; i < n; i++)
    co_yield std::make_unique<int> (i);
  throw n;
}

int
main ()
{
  std::unique_ptr<node> tree;
  unsigned key = 1;
  for (int i = 0; i < 50; i++)
    {
      key = key * 1103515245 + 12345;
      tree = insert (std::move (tree), key >> 16 & 0x3ff);
    }
  unsigned sum = 0;
  for (auto keys = walk (tree.get ()); keys.next ();)
    sum = sum * 31 + keys.value ();
  try
    {
      for (auto numbers = failing (9); numbers.next ();)
	sum += *numbers.value ();
    }
  catch (int n)
    {
      sum += n;
    }
  printf ("%u\n", sum);
  return 0;
}
