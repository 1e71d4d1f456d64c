// String and file streams, and a custom stream buffer.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

class counting_buffer : public std::streambuf
{
public:
  long lines = 0;
  std::string kept;

protected:
  int_type
  overflow (int_type c) override
  {
    lines += c == '\n';
    kept.push_back (static_cast<char> (c));
    return c;
  }
};

int
main ()
{
  std::stringstream table;
  for (int i = 0; i < 200; i++)
    table << std::setw (8) << std::setfill ('.') << i << ' ' << std::hex << i
	  << std::dec << ' ' << std::fixed << std::setprecision (3) << i / 7.0
	  << '\n';
  std::string name = "streams-file.text";
  {
    std::ofstream file (name);
    file << table.rdbuf ();
  }
  std::ifstream file (name);
  std::vector<std::string> lines;
  for (std::string line; std::getline (file, line);)
    lines.push_back (line);
  file.close ();
  std::remove (name.c_str ());

  std::istringstream numbers (" 12 0x1f 3.5e2 word true");
  int a;
  unsigned b;
  double c;
  std::string word;
  bool flag;
  numbers >> a >> std::hex >> b >> std::dec >> c >> word >> std::boolalpha
    >> flag;
  counting_buffer buffer;
  std::ostream counted (&buffer);
  for (const std::string &line : lines)
    counted << std::quoted (line) << std::endl;
  std::cout << lines.size () << ' ' << lines[77] << ' ' << a << ' ' << b << ' '
	    << c << ' ' << word << ' ' << flag << '\n'
	    << buffer.lines << ' ' << buffer.kept.size () << std::endl;
  return 0;
}
