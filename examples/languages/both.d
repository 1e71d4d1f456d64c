// D and C++ in one program: C++ allocates an object, D changes it and calls a virtual
// function of it.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines with "site:" in both-make.cc allocate.  The program prints, for each, how many
// blocks, bytes and accesses its profile must have.
//
// Changes: where the compiler makes other accesses than those of the text.
//    -O0 counter 42: add reads the total again to return it
//    -O2 pair 2: what was stored need not be read

module both;

import core.stdc.stdio;

extern (C++) interface Counter
{
  long add (long n);
}

extern (C++) struct Pair
{
  long first, second;
}

extern (C++) Counter make_counter ();
extern (C++) Pair* make_pair ();

int main ()
{
  Counter counter = make_counter ();
  long sum = 0;
  for (int i = 0; i < 10; i++)
    sum = counter.add (i);
  Pair* pair = make_pair ();
  pair.first = sum;
  pair.second = pair.first;

  if (sum == 45 && pair.second == 45)
    {
      // Each call reads the virtual table's address, and reads and writes the total.
      // The constructor stores both.
      puts ("site counter 1 16 32");
      puts ("site pair 1 16 4");
    }
  return 0;
}
