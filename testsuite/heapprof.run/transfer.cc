/* Coroutines that resume each other so often that the stack would overflow.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <coroutine>
#include <cstdio>

struct task
{
  struct promise_type
  {
    task get_return_object ()
    {
      return { std::coroutine_handle<promise_type>::from_promise (*this) };
    }
    std::suspend_always initial_suspend () noexcept { return {}; }
    std::suspend_always final_suspend () noexcept { return {}; }
    void return_void () {}
    void unhandled_exception () {}
  };
  std::coroutine_handle<promise_type> handle;
};

/* Continue with NEXT.  */
struct transfer
{
  std::coroutine_handle<> next;
  bool await_ready () noexcept { return false; }
  std::coroutine_handle<> await_suspend (std::coroutine_handle<>) noexcept
  {
    return next;
  }
  void await_resume () noexcept {}
};

static std::coroutine_handle<> handles[2];
static long *sums[2];

static task
run (int own, int times)
{
  for (int i = 0; i < times; i++)
    {
      if (i % 100000 == 0)
	{
	  delete sums[own];
	  sums[own] = new long (i);
	}
      ++*sums[own];
      co_await transfer { handles[1 - own] };
    }
}

int
main ()
{
  const int times = 1000000;
  task first = run (0, times), second = run (1, times);
  handles[0] = first.handle;
  handles[1] = second.handle;
  first.handle.resume ();
  std::printf ("%ld %ld\n", *sums[0], *sums[1]);
  first.handle.destroy ();
  second.handle.destroy ();
}
