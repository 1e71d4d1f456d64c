/* 100,000 calling contexts, for the report.
   SPDX-License-Identifier: GPL-3.0-or-later

   Ten functions call each other, five levels deep, in all 100,000 orders; the
   innermost one allocates one to three objects of its own type, writes to some
   of their members, and keeps one in seven.  */

#include <cstdlib>
#include <cstring>

using visitor = void (*) (int depth, int path);

template <int number> struct widget
{
  long sums[4];
  int path;
  char text[number * 8 + 8];
};

static const int paths = 100000;
extern const visitor visitors[10];
static void *kept[3 * paths];
static int kept_count;

template <int number>
static __attribute__ ((noinline)) void
visit (int depth, int path)
{
  if (depth > 0)
    visitors[path % 10](depth - 1, path / 10);
  else
    for (int i = 0; i <= path % 3; i++)
      {
	auto *object = new widget<number>;
	object->path = path;
	for (int k = 0; k < path % 17 * 3; k++)
	  object->sums[k % 4] = k;
	memset (object->text, 0, sizeof object->text);
	asm volatile("" : : "r"(object) : "memory");
	if (path % 7 == 0)
	  kept[kept_count++] = object;
	else
	  delete object;
      }
  /* Not a tail call, which would remove the frame.  */
  asm volatile("" : : : "memory");
}

const visitor visitors[10]
  = { visit<0>, visit<1>, visit<2>, visit<3>, visit<4>,
      visit<5>, visit<6>, visit<7>, visit<8>, visit<9> };

int
main ()
{
  for (int path = 0; path < paths; path++)
    visitors[path % 10](4, path / 10);
  return 0;
}
