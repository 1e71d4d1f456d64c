/* Hand-counted accesses in C++; the counts hold at every optimization level.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include <map>
#include "counts.h"
struct big
{
  long v[25];
};

struct nonpod
{
  long v[4];
  nonpod (long x)
  {
    for (int i = 0; i < 4; i++)
      v[i] = x;
  }
  nonpod (const nonpod &o)
  {
    for (int i = 0; i < 4; i++)
      v[i] = o.v[i];
  }
  ~nonpod () {}
};

KEEP nonpod
mk (long x)
{
  return nonpod (x);
}

KEEP void
t_place (void *p)
{
  new (p) nonpod (mk (3));
} // 4 stores, in callee
KEEP void
t_copyctor (nonpod *p, nonpod *q)
{
  new (p) nonpod (*q);
} // 4 + 4
struct impl
{
  int a;
  std::string *s;
  double d[3];
};

KEEP void
t_implicit (impl *p, impl *q)
{
  *p = *q;
} // 40 bytes: 5 + 5
struct base
{
  virtual ~base () {}
  virtual long
  get ()
  {
    return 1;
  }
};

struct der : base
{
  long x = 4;
  long
  get () override
  {
    return x;
  }
};

KEEP long
t_virt (base *b)
{
  return b->get ();
} // vptr + slot (global) + x = 1 vptr + 1 x
KEEP void
thrower (int i)
{
  if (i > 2)
    throw i;
}

KEEP long
t_eh (int *p)
{
  long s = 0;
  for (int i = 0; i < 5; i++)
    {
      try
	{
	  p[i] = i;
	  thrower (i);
	  p[i + 16]++;
	}
      catch (int e)
	{
	  s += p[i];
	}
    }
  return s;
}

KEEP int
t_mayv (big *p)
{
  big b = *p;
  return b.v[2];
}

struct d2
{
  int *p;
  KEEP
  d2 (int *q)
      : p (q)
  {
  }
  ~d2 () { *p += 1; }
};

KEEP void
t_dtor (int *p)
{
  d2 d (p);
  thrower (*p);
}

KEEP long
t_lambda (long *p)
{
  auto f = [=] (long k) { return p[k]; };
  return f (3) + f (4);
}

KEEP void
t_ref (long &a, long &b)
{
  long t = a;
  a = b;
  b = t;
}

KEEP bool
t_views (std::string_view p, std::string_view q)
{
  return p == q;
} // 32 bytes: 4 + 4
KEEP int
t_traits (const char *p, const char *q)
{
  return (std::char_traits<char>::length (p) == 0
	  && std::char_traits<char>::compare (p, q, 24) == 0);
} // 1 + 3, 3
int
main ()
{
  char *p = (char *)new_block (BLOCK_BYTES),
       *q = (char *)new_block (BLOCK_BYTES);
  clear_blocks (p, q);
  COUNTS (t_place (p), 4, 0);
  COUNTS (t_copyctor ((nonpod *)p, (nonpod *)q), 4, 4);
  COUNTS (t_implicit ((impl *)p, (impl *)q), 5, 5);
  der *d = new (p) der;
  take_count (p, BLOCK_BYTES);
  COUNTS (t_virt (d), 2, 0);
  COUNTS (t_eh ((int *)p), 5 + 3 * 2 + 2, 0);
  COUNTS (t_dtor ((int *)p), 3, 0);
  COUNTS (t_lambda ((long *)p), 2, 0);
  COUNTS (t_ref (*(long *)p, *(long *)q), 2, 2);
  COUNTS (t_views ({ p, 32 }, { q, 32 }), 4, 4);
  COUNTS (t_traits (p, q), 4, 3);
  std::map<int, std::string> m;
  for (int i = 0; i < 100; i++)
    m[i * 7 % 31] += std::to_string (i);
  std::vector<std::unique_ptr<base> > v;
  for (int i = 0; i < 10; i++)
    v.push_back (std::make_unique<der> ());
  long s = 0;
  for (auto &x : v)
    s += x->get ();
  if (s != 40 || m.size () != 31)
    n_wrong++;
  return report ();
}
