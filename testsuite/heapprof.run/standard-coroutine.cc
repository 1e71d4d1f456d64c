// C++20: coroutines, with frames in the heap.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the compiler keeps in a frame, and how often it accesses that, is up to it.

#include "truth.h"
#include <coroutine>
#include <cstdlib>

static unsigned long frames;
static unsigned long frame_bytes;

class Numbers
{
public:
  struct promise_type
  {
    long value;

    NOINLINE static void *operator new (std::size_t bytes)
    {
      frames++;
      frame_bytes += bytes;
      return std::malloc (bytes); // site: frames
    }
    static void operator delete (void *frame) { std::free (frame); }
    Numbers get_return_object ()
    {
      return Numbers (std::coroutine_handle<promise_type>::from_promise (*this));
    }
    std::suspend_always initial_suspend () { return {}; }
    std::suspend_always final_suspend () noexcept { return {}; }
    std::suspend_always yield_value (long next)
    {
      value = next;
      return {};
    }
    void return_void () {}
    void unhandled_exception () { std::abort (); }
  };

  Numbers (const Numbers &) = delete;
  ~Numbers () { handle.destroy (); }
  bool next ()
  {
    handle.resume ();
    return !handle.done ();
  }
  long value () { return handle.promise ().value; }

private:
  explicit Numbers (std::coroutine_handle<promise_type> h) : handle (h) {}
  std::coroutine_handle<promise_type> handle;
};

// Store each number, then pass on what is stored.
static Numbers
count_to (long last)
{
  volatile long *kept = new long[last]; // site: kept
  for (long i = 0; i < last; i++)
    {
      kept[i] = i + 1;
      co_yield kept[i];
    }
  delete[] kept;
}

NOINLINE static long
sum_to (long last)
{
  long sum = 0;
  Numbers numbers = count_to (last);
  while (numbers.next ())
    sum += numbers.value ();
  return sum;
}

int
main ()
{
  if (sum_to (100) + sum_to (10) + sum_to (1000) != 5050 + 55 + 500500)
    return 1;
  printf ("site frames %lu %lu *\n", frames, frame_bytes);
  truth_site ("kept", 3, 1110 * sizeof (long), 2 * 1110);
}
