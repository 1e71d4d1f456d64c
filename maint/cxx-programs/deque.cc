// Deques used at both ends, and container adaptors built on them.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <deque>
#include <functional>
#include <queue>
#include <stack>
#include <string>
#include <vector>

int
main ()
{
  std::deque<std::string> line;
  for (int i = 0; i < 2000; i++)
    {
      line.push_back ("behind, and long enough to need memory "
		      + std::to_string (i));
      if (i % 3 == 0)
	line.push_front (std::to_string (i));
      if (i % 5 == 0)
	line.pop_front ();
    }
  line.insert (line.begin () + 100, 50, "in the middle");
  line.erase (line.begin () + 5, line.begin () + 25);

  std::stack<int> nested;
  std::queue<long, std::deque<long>> waiting;
  std::priority_queue<int, std::vector<int>, std::greater<int>> sorted;
  for (int i = 0; i < 3000; i++)
    {
      nested.push (i);
      waiting.push (i * 2L);
      sorted.push ((i * 7919) % 3001);
    }
  long sum = 0;
  while (nested.size () > 10)
    {
      sum += nested.top ();
      nested.pop ();
    }
  while (waiting.size () > 10)
    waiting.pop ();
  int last = -1;
  bool ordered = true;
  for (; !sorted.empty (); sorted.pop ())
    {
      ordered = ordered && sorted.top () >= last;
      last = sorted.top ();
    }
  std::printf ("%zu %s %s\n", line.size (), line.front ().c_str (),
	       line.back ().c_str ());
  std::printf ("%ld %ld %d %d\n", sum, waiting.front (), ordered, last);
  return 0;
}
