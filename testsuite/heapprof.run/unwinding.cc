// Frames that are left by exceptions and by longjmp, and replaced by others at the
// same stack addresses: no context may contain the old frames.
// Prints FUNCTION DEPTH COUNT: the number of blocks that FUNCTION allocated below
// DEPTH frames of descend.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#define NOINLINE __attribute__ ((noinline, noclone))

enum { DEPTHS = 13, ROUNDS = 2000 };

static jmp_buf back;
static volatile unsigned calls;
static unsigned thrown[DEPTHS], jumped[DEPTHS], returned[DEPTHS],
  released[DEPTHS];

static NOINLINE void
in_thrower ()
{
  free (malloc (11));
}

static NOINLINE void
in_jumper ()
{
  free (malloc (22));
}

static NOINLINE void
in_returner ()
{
  free (malloc (33));
}

static NOINLINE void
in_cleanup ()
{
  free (malloc (44));
  calls++;
}

// Allocates while an exception is propagated.
struct guard
{
  explicit guard (unsigned number) : depth (number) {}
  ~guard ()
  {
    in_cleanup ();
    released[depth]++;
  }
  unsigned depth;
};

enum class way { EXCEPTION, JUMP, RETURN };

static NOINLINE void
leave (way how)
{
  switch (how)
    {
    case way::EXCEPTION:
      in_thrower ();
      throw 1;
    case way::JUMP:
      in_jumper ();
      longjmp (back, 1);
    case way::RETURN:
      in_returner ();
    }
  calls++;
}

static NOINLINE void
descend (unsigned levels, way how)
{
  if (levels > 0)
    descend (levels - 1, how);
  else
    leave (how);
  calls++;
}

// Like descend, with a destructor to run when it is left.
static NOINLINE void
descend_guarded (unsigned levels, unsigned depth)
{
  guard here (depth);
  if (levels > 0)
    descend_guarded (levels - 1, depth + 1);
  else
    throw 2;
  calls++;
}

static NOINLINE void
go (unsigned round)
{
  const unsigned levels = round * 7 % DEPTHS;
  try
    {
      descend (levels, way::EXCEPTION);
    }
  catch (int)
    {
    }
  thrown[levels]++;
  if (setjmp (back) == 0)
    descend (levels, way::JUMP);
  jumped[levels]++;
  descend (round * 5 % DEPTHS, way::RETURN);
  returned[round * 5 % DEPTHS]++;
  try
    {
      descend_guarded (levels, 0);
    }
  catch (int)
    {
    }
}

int
main ()
{
  for (unsigned round = 0; round < ROUNDS; round++)
    go (round);
  for (unsigned i = 0; i < DEPTHS; i++)
    {
      printf ("in_thrower %u %u\n", i + 1, thrown[i]);
      printf ("in_jumper %u %u\n", i + 1, jumped[i]);
      printf ("in_returner %u %u\n", i + 1, returned[i]);
      printf ("in_cleanup %u %u\n", i + 1, released[i]);
    }
  return 0;
}
