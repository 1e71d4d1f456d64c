// Locales with custom facets.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

struct dots : std::numpunct<char>
{
  char do_thousands_sep () const override { return '.'; }
  char do_decimal_point () const override { return ','; }
  std::string do_grouping () const override { return "\3"; }
  std::string do_truename () const override { return "yes, it is so indeed"; }
  std::string do_falsename () const override { return "no"; }
};

struct shouting : std::ctype<char>
{
  char
  do_toupper (char c) const override
  {
    return c == 'z' ? '!' : std::ctype<char>::do_toupper (c);
  }
  using std::ctype<char>::do_toupper;
};

int
main ()
{
  std::locale own (std::locale (std::locale::classic (), new dots),
		   new shouting);
  std::ostringstream out;
  out.imbue (own);
  for (int i = 0; i < 10; i++)
    out << 1234567 * (i + 1) << ' ' << 1.5 * i << ' ' << std::boolalpha
	<< (i % 2 == 0) << '\n';
  std::istringstream in ("1.234.567 2,25");
  in.imbue (own);
  long whole;
  double real;
  in >> whole >> real;
  std::string text = "buzz";
  for (char &c : text)
    c = std::toupper (c, own);
  std::tm day = {};
  day.tm_year = 124;
  day.tm_mon = 1;
  day.tm_mday = 29;
  std::ostringstream when;
  when << std::put_time (&day, "%Y-%m-%d");
  std::ostringstream money;
  money << std::showbase << std::put_money ("123456");
  std::locale combined = std::locale::classic ().combine<std::numpunct<char>> (
    own);
  std::locale::global (own);
  std::ostringstream fresh;
  fresh << 1000000;
  std::locale::global (std::locale::classic ());
  std::cout << out.str () << whole << ' ' << real << ' ' << text << ' '
	    << when.str () << ' ' << money.str () << ' ' << fresh.str () << ' '
	    << (combined == own) << ' '
	    << std::has_facet<std::collate<char>> (own) << '\n';
  return 0;
}
