// Strings of all widths, short and long ones.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

int
main ()
{
  std::string text;
  for (int i = 0; i < 500; i++)
    text += "line " + std::to_string (i) + '\n';
  std::size_t lines = 0, longest = 0;
  std::string_view rest = text;
  while (!rest.empty ())
    {
      std::string line (rest.substr (0, rest.find ('\n')));
      longest = std::max (longest, line.size ());
      rest.remove_prefix (line.size () + 1);
      lines++;
    }
  text.replace (10, 400, "replaced by something much shorter");
  text.insert (5, 300, '-');
  text.erase (700);
  std::string copy = text;
  copy.append (copy).resize (900);
  std::reverse (copy.begin (), copy.end ());

  std::wstring wide (L"a wide string that needs more than its own sixteen bytes");
  std::u16string sixteen (u"sixteen bits a character, and many of those");
  std::u32string thirty_two (100, U'x');
  wide += wide.substr (2, 30);
  sixteen.insert (0, sixteen);
  std::string small = "short";
  std::swap (small, copy);
  std::printf ("%zu %zu %zu %zu\n", lines, longest, text.size (),
	       small.find ("decalper"));
  std::printf ("%zu %zu %zu %s %d\n", wide.size (), sixteen.size (),
	       thirty_two.capacity () >= 100 ? thirty_two.size () : 0,
	       copy.c_str (), small < text);
  return 0;
}
