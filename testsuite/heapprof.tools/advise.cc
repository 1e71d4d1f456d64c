// Containers: what the program's own line should do.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <string>
#include <vector>

static volatile long sum;

// A class template of the program: its callers are the sites.
template <typename T> class bag
{
public:
  void put (const T &value) { values.push_back (value); }
  void make_room (size_t count) { values.reserve (count); }
  long last () const { return values.back (); }

private:
  std::vector<T> values;
};

__attribute__ ((noinline)) static void
join_words (int count)
{
  for (int i = 0; i < count; i++)
    {
      std::string word (40, 'a'); // temporaries
      sum = sum + word[i % 40];
    }
}

__attribute__ ((noinline)) static void
fill (bag<long> &numbers, int count)
{
  for (int i = 0; i < count; i++)
    numbers.put (i); // reserve
}

__attribute__ ((noinline)) static void
fill_known (bag<long> &numbers, int count)
{
  numbers.make_room (count);
  for (int i = 0; i < count; i++)
    numbers.put (i); // nothing: reserved
}

struct words
{
  std::vector<long> numbers;
};

__attribute__ ((noinline)) static long
last_of (words copy) // nothing: the copy is made by the caller
{
  return copy.numbers.back ();
}

__attribute__ ((noinline)) static void
pass_copies (const words &all, int count)
{
  for (int i = 0; i < count; i++)
    sum = sum + last_of (all); // copies
}

int
main ()
{
  bag<long> growing, known;
  fill (growing, 100000);
  fill_known (known, 100000);
  join_words (20000);
  words all;
  all.numbers.assign (5, 1L);
  pass_copies (all, 10000);
  return growing.last () == known.last () && sum > 0 ? 0 : 1;
}
