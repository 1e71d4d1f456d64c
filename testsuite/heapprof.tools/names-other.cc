// The second unit of names.cc.
// SPDX-License-Identifier: GPL-3.0-or-later

#ifdef OUT_OF_LINE
# define PLACED __attribute__ ((noinline))
#else
# define PLACED __attribute__ ((always_inline)) inline
#endif

extern void *volatile sink;
void other_unit ();

// DWARF 4 ends a list of ranges where one is empty at the start of the code.
void before ();
void before () {}
namespace { PLACED void duplicate (long bytes) { sink = new char[bytes]; } }
static PLACED void keep (long bytes) { sink = new char[bytes]; }

void
other_unit ()
{
  duplicate (401);
  keep (402);
}
