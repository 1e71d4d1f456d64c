// Regular expressions: match, search, replace, and invalid expressions.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <regex>
#include <string>
#include <vector>

int
main ()
{
  std::string text;
  for (int i = 0; i < 60; i++)
    text += "user" + std::to_string (i) + "@host" + std::to_string (i % 7)
	    + ".example.org, 2024-0" + std::to_string (i % 9 + 1) + "-1"
	    + std::to_string (i % 10) + "; ";
  std::regex mail (R"((\w+)@(\w+)\.example\.(org|net))");
  std::regex date (R"((\d{4})-(\d\d)-(\d\d))");
  std::size_t mails = 0, length = 0;
  for (std::sregex_iterator it (text.begin (), text.end (), mail), end;
       it != end; ++it)
    {
      mails++;
      length += (*it)[1].str ().size () + it->str (2).size ();
    }
  std::string turned = std::regex_replace (text, date, "$3.$2.$1");
  std::regex separator ("[,;] *");
  std::vector<std::string> words (
    std::sregex_token_iterator (text.begin (), text.end (), separator, -1), {});
  std::smatch match;
  bool found = std::regex_match (words[4], match, mail);
  std::regex folded ("USER1[0-9]", std::regex::icase | std::regex::extended);
  auto count = std::distance (
    std::sregex_iterator (text.begin (), text.end (), folded), {});
  bool wrong = false;
  try
    {
      std::regex bad ("(never closed");
    }
  catch (const std::regex_error &error)
    {
      wrong = error.code () == std::regex_constants::error_paren;
    }
  std::printf ("%zu %zu %s %zu\n", mails, length,
	       turned.substr (27, 20).c_str (), words.size ());
  std::printf ("%d %s %td %d\n", found, match[2].str ().c_str (), count, wrong);
  return 0;
}
