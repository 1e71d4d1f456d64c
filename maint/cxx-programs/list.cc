// Singly and doubly linked lists, spliced, sorted and merged.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <forward_list>
#include <list>
#include <string>

int
main ()
{
  std::list<int> one, other;
  for (int i = 0; i < 1000; i++)
    {
      one.push_back ((i * 31) % 1009);
      other.push_front ((i * 17) % 1013);
    }
  one.sort ();
  other.sort ();
  one.merge (other);
  one.unique ();
  one.remove_if ([] (int number) { return number % 10 == 3; });
  std::list<int> part;
  part.splice (part.begin (), one, one.begin (), std::next (one.begin (), 50));
  one.reverse ();

  std::forward_list<std::string> words;
  for (int i = 0; i < 300; i++)
    words.push_front ("a word that does not fit into the object "
		      + std::to_string (i % 60));
  words.sort ();
  words.unique ();
  words.insert_after (words.before_begin (), "first");
  std::size_t length = 0;
  for (const std::string &word : words)
    length += word.size ();

  std::printf ("%zu %d %d %zu\n", one.size (), one.front (), part.back (),
	       other.size ());
  std::printf ("%zu %s\n", length, words.front ().c_str ());
  return 0;
}
