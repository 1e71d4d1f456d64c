// The second unit of names.cc.
// SPDX-License-Identifier: GPL-3.0-or-later

#ifdef OUT_OF_LINE
# define PLACED __attribute__ ((noinline))
#else
# define PLACED __attribute__ ((always_inline)) inline
#endif

extern void *volatile sink;
void other_unit ();

// In DWARF 4, an empty range at the start of the code ends a list of ranges.
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
