/* The functions of counts-names.cc.
   SPDX-License-Identifier: GPL-3.0-or-later  */

struct page;

extern "C" unsigned long
rindex (const page *, int which)
{
  return which;
}

extern "C" int
strpbrk (page *, int which)
{
  return which;
}

namespace other
{
int
strcmp (const char *, const char *)
{
  return 4;
}

const char *
index (const char *where, int)
{
  return where;
}
}
