// Coroutines, whose frames are blocks: generators and tasks.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <coroutine>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

template <typename T>
struct generator
{
  struct promise_type
  {
    T value;

    generator
    get_return_object ()
    {
      return generator (
	std::coroutine_handle<promise_type>::from_promise (*this));
    }
    std::suspend_always initial_suspend () { return {}; }
    std::suspend_always final_suspend () noexcept { return {}; }
    std::suspend_always
    yield_value (T given)
    {
      value = std::move (given);
      return {};
    }
    void return_void () {}
    void unhandled_exception () { throw; }
  };

  std::coroutine_handle<promise_type> handle;

  explicit generator (std::coroutine_handle<promise_type> given)
    : handle (given)
  {
  }
  generator (generator &&other)
    : handle (std::exchange (other.handle, nullptr))
  {
  }
  ~generator ()
  {
    if (handle)
      handle.destroy ();
  }
  bool
  next ()
  {
    handle.resume ();
    return !handle.done ();
  }
};

static generator<int>
numbers (int from, int to)
{
  std::vector<int> buffer (64, from);
  for (int i = from; i < to; i++)
    co_yield i + buffer[i % 64] - from;
}

static generator<std::string>
names (int count)
{
  auto inner = numbers (0, count);
  while (inner.next ())
    co_yield "the name with the number "
      + std::to_string (inner.handle.promise ().value);
}

static generator<int>
tree (int depth)
{
  if (depth == 0)
    {
      co_yield 1;
      co_return;
    }
  for (int side = 0; side < 2; side++)
    {
      auto below = tree (depth - 1);
      while (below.next ())
	co_yield below.handle.promise ().value + depth;
    }
}

int
main ()
{
  std::size_t length = 0;
  auto all = names (300);
  while (all.next ())
    length += all.handle.promise ().value.size ();
  long sum = 0, leaves = 0;
  auto top = tree (8);
  for (; top.next (); leaves++)
    sum += top.handle.promise ().value;
  // One that is destroyed where it waits.
  std::vector<generator<int>> waiting;
  for (int i = 0; i < 40; i++)
    {
      waiting.push_back (numbers (i, i + 10));
      waiting.back ().next ();
    }
  long first = 0;
  for (auto &each : waiting)
    first += each.handle.promise ().value;
  std::printf ("%zu %ld %ld %ld\n", length, sum, leaves, first);
  return 0;
}
