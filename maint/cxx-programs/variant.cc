// Values of one of several types, of any type, and optional values.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <any>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

struct value;
using object = std::map<std::string, std::shared_ptr<value>>;

struct value
{
  std::variant<std::monostate, long, double, std::string,
	       std::vector<value>, object> is;
};

static std::string
print (const value &what)
{
  struct
  {
    std::string operator() (std::monostate) { return "null"; }
    std::string operator() (long n) { return std::to_string (n); }
    std::string operator() (double n) { return std::to_string (n); }
    std::string operator() (const std::string &s) { return '"' + s + '"'; }
    std::string
    operator() (const std::vector<value> &list)
    {
      std::string text = "[";
      for (const value &each : list)
	text += print (each) + ",";
      return text + "]";
    }
    std::string
    operator() (const object &members)
    {
      std::string text = "{";
      for (const auto &[name, member] : members)
	text += name + ":" + print (*member) + ",";
      return text + "}";
    }
  } printer;
  return std::visit (printer, what.is);
}

int
main ()
{
  value top;
  std::vector<value> list;
  for (long i = 0; i < 8; i++)
    list.push_back (i % 2 ? value { i }
			  : value { std::string (20, 'a' + char (i)) });
  object members;
  members["list of several things"]
    = std::make_shared<value> (value { list });
  members["none"] = std::make_shared<value> ();
  members["real"] = std::make_shared<value> (value { 1.25 });
  top.is = members;
  std::printf ("%s\n", print (top).c_str ());

  std::vector<std::any> bag;
  for (int i = 0; i < 100; i++)
    if (i % 3 == 0)
      bag.emplace_back (i);
    else if (i % 3 == 1)
      bag.emplace_back (std::string (50, 'y'));
    else
      bag.emplace_back (std::vector<int> (10, i));
  long sum = 0;
  for (const std::any &each : bag)
    if (const int *number = std::any_cast<int> (&each))
      sum += *number;
    else if (const auto *numbers = std::any_cast<std::vector<int>> (&each))
      sum += (*numbers)[9];
  std::optional<std::string> maybe;
  for (int i = 0; i < 10; i++)
    maybe = maybe ? *maybe + *maybe : std::string ("ab");
  std::printf ("%ld %zu %s\n", sum, maybe->size (),
	       std::optional<std::string> ().value_or ("nothing").c_str ());
  return 0;
}
