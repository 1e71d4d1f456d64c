/* Unusual code, compiled with checking: the pass must leave valid GIMPLE.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <coroutine>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#include <variant>
#include <functional>
#include <unordered_map>
#include <algorithm>
struct task
{
  struct promise_type
  {
    int v;
    task
    get_return_object ()
    {
      return {};
    }
    std::suspend_never
    initial_suspend ()
    {
      return {};
    }
    std::suspend_always
    final_suspend () noexcept
    {
      return {};
    }
    void
    return_void ()
    {
    }
    void
    unhandled_exception ()
    {
    }
  };
};

task
co (int *p)
{
  *p = 3;
  co_await std::suspend_always{};
  p[1]++;
  std::string s (*p, 'x');
  co_await std::suspend_never{};
  p[2] = s.size ();
}

struct A
{
  virtual ~A () {}
  virtual A &operator= (const A &) = default;
  int x[5];
  std::string s;
};

struct B : virtual A
{
  int y;
  B () : y (x[2]) {}
};

struct C : B, std::vector<int>
{
  C (C const &) = default;
  C () = default;
};

C
f1 (C *p)
{
  return *p;
}

void
f2 (C *p)
{
  *p = C ();
}

void f3 (C c);
void
f4 (C *p)
{
  f3 (*p);
}

int
f5 (int *p)
{
  try
    {
      if (*p)
	throw p;
      p[1] = 2;
    }
  catch (int *q)
    {
      *q = 4;
      throw;
    }
  catch (...)
    {
      return p[3];
    }
  return 0;
}

int
f6 (int *p) noexcept
{
  std::unique_ptr<int[]> u (new int[*p]);
  return u[3] + [&] { return p[4]++; }();
}

std::variant<int, std::string>
f7 (std::variant<int, std::string> *p)
{
  auto v = *p;
  *p = "x";
  return v;
}

void
f8 (std::unordered_map<std::string, std::vector<int> > &m)
{
  for (auto &[k, v] : m)
    {
      std::sort (v.begin (), v.end ());
      m[k + "x"].push_back (v.size ());
    }
}

std::function<int (int)>
f9 (int *p)
{
  return [p] (int i) { return p[i]; };
}

thread_local A ta;
static A sa;
A *
f10 ()
{
  static A la;
  return &(ta = sa = la);
}

template <class T>
T
f11 (T *p, int n)
{
  T s{};
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}

template int f11 (int *, int);
template double f11 (double *, int);
template std::string f11 (std::string *, int);
int A::*f12 = nullptr;
int
f13 (A *a, int (A::*m)[5])
{
  return (a->*m)[2];
}

void
f14 (A &&a, A &b)
{
  b = std::move (a);
  std::swap (a, b);
}

int
f15 (int *p)
{
  struct G
  {
    int *q;
    ~G () { ++*q; }
  } g{ p };
  if (*p > 4)
    throw std::runtime_error ("x");
  return *p;
}
