// The part of both.d that is in C++.
// SPDX-License-Identifier: GPL-3.0-or-later

struct counter
{
  virtual long add (long n)
  {
    total += n;
    return total;
  }
  long total = 0;
};

struct Pair
{
  long first, second;
};

counter *
make_counter ()
{
  return new counter; // site: counter counter
}

Pair *
make_pair ()
{
  return new Pair; // site: pair Pair
}
