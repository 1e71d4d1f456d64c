/* Lines that are hard to count: loops on one line, instances of templates,
   handlers, destructors, lambdas.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

template <typename T> struct stack
{
  std::vector<T> items;
  void push (const T &x) { if (items.size () > 100) items.clear (); items.push_back (x); }
  T sum () const { T s = T (); for (const T &x : items) s = s + x; return s; }
  ~stack () { while (!items.empty ()) items.pop_back (); }
};

struct guard
{
  int &depth;
  explicit guard (int &d) : depth (d) { depth++; }
  ~guard () { depth--; }
};

static int
risky (int x, int &depth)
{
  guard g (depth);
  if (x % 10 == 3)
    throw std::runtime_error (std::to_string (x));
  return x;
}

static int
careful (int x, int &depth)
{
  try
    {
      return risky (x, depth) + risky (x / 2, depth);
    }
  catch (const std::runtime_error &e)
    {
      return std::atoi (e.what ());
    }
}

static int
dense (int n)
{
  int s = 0, i, j; for (i = 0; i < n; i++) for (j = 0; j < i; j++) { if (j % 3) continue; s += j; while (s > 1000) s /= 2; }
  do s--; while (s > 10 && s % 7); return s ? s > 3 ? 2 : 1 : 0;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? std::atoi (argv[1]) : 20;
  stack<int> ints;
  stack<std::string> texts;
  int depth = 0;
  auto keep = [&] (int x) { if (x > 5) ints.push (x); else texts.push ("x"); };
  for (int i = 0; i < n; i++)
    {
      keep (careful (i, depth));
      keep (dense (i));
    }
  if (depth != 0)
    std::abort ();
  return ints.sum () == 0 && texts.sum ().empty ();
}
