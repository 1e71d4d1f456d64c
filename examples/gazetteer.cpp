/* The demo: a gazetteer of countries and their subdivisions.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: gazetteer FOLDER [QUERIES]

   Reads iso_3166-1.json and iso_3166-2.json from FOLDER (the package iso-codes
   installs them in /usr/share/iso-codes/json) with the library nlohmann-json,
   builds an index of words, and answers QUERIES searches.  Three of its
   allocation sites show what a heap profile can find:

     build_index	hot: every search walks its postings
     keep_source	cold: the text of the files, kept "in case", never read
     answer		leaks: a result for each search, never released

   keep_source and make_titles allocate through the same function, duplicate:
   only the calling context distinguishes cold text from text in use.  */

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using nlohmann::json;

namespace gazetteer
{

struct place
{
  std::string code;
  std::string name;
  std::string country;
};

/* The numbers of the places whose names contain a word.  */
struct postings
{
  std::uint32_t *places;
  std::size_t count;
};

struct result
{
  std::uint32_t best;
  std::uint32_t matches;
  char word[24];
};

using index_map = std::map<std::string, postings>;

std::vector<char *> kept_sources;

/* A copy of TEXT, to be released with delete[].  */
char *
duplicate (const std::string &text)
{
  char *copy = new char[text.size () + 1];
  std::memcpy (copy, text.c_str (), text.size () + 1);
  return copy;
}

void
keep_source (const std::string &text)
{
  kept_sources.push_back (duplicate (text));
}

std::string
read_file (const std::string &path)
{
  std::ifstream file (path);
  if (!file)
    throw std::runtime_error (path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf ();
  return text.str ();
}

json
load (const std::string &folder, const std::string &file)
{
  const std::string text = read_file (folder + "/" + file);
  keep_source (text);
  return json::parse (text);
}

std::vector<place>
read_places (const std::string &folder)
{
  std::vector<place> places;
  const json countries = load (folder, "iso_3166-1.json");
  for (const json &country : countries.at ("3166-1"))
    places.push_back ({ country.at ("alpha_2"), country.at ("name"),
			country.at ("alpha_2") });
  const json subdivisions = load (folder, "iso_3166-2.json");
  for (const json &part : subdivisions.at ("3166-2"))
    {
      const std::string code = part.at ("code");
      places.push_back ({ code, part.at ("name"), code.substr (0, 2) });
    }
  return places;
}

/* The words of TEXT in lower case; bytes above 127 belong to words.  */
std::vector<std::string>
words_of (const std::string &text)
{
  std::vector<std::string> words;
  std::string word;
  for (unsigned char c : text + " ")
    if (c >= 128 || std::isalnum (c))
      word += static_cast<char> (std::tolower (c));
    else if (!word.empty ())
      {
	words.push_back (word);
	word.clear ();
      }
  return words;
}

index_map
build_index (const std::vector<place> &places)
{
  std::map<std::string, std::vector<std::uint32_t>> lists;
  for (std::size_t i = 0; i < places.size (); i++)
    for (const std::string &word : words_of (places[i].name))
      lists[word].push_back (static_cast<std::uint32_t> (i));

  index_map index;
  for (const auto &[word, list] : lists)
    {
      postings entry = { new std::uint32_t[list.size ()], list.size () };
      std::memcpy (entry.places, list.data (), list.size () * 4);
      index[word] = entry;
    }
  return index;
}

/* The names only, for printing.  */
std::vector<char *>
make_titles (const std::vector<place> &places)
{
  std::vector<char *> titles;
  for (const place &each : places)
    titles.push_back (duplicate (each.name));
  return titles;
}

/* How far the name of PLACE is from a good answer to WORD: its length, and a
   little for not beginning with the word.  */
std::size_t
distance (const place &place, const std::string &word)
{
  return place.name.size () * 2 + (place.name.compare (0, 1, word, 0, 1) != 0);
}

result *
answer (const index_map &index, const std::vector<place> &places,
	const std::string &word)
{
  result *found = new result ();
  std::strncpy (found->word, word.c_str (), sizeof found->word - 1);
  const auto entry = index.find (word);
  if (entry == index.end ())
    return found;
  std::size_t least = SIZE_MAX;
  for (std::size_t i = 0; i < entry->second.count; i++)
    {
      const std::uint32_t number = entry->second.places[i];
      const std::size_t d = distance (places[number], word);
      if (d < least)
	{
	  least = d;
	  found->best = number;
	}
      found->matches++;
    }
  return found;
}

int
run (const std::string &folder, unsigned long queries)
{
  const std::vector<place> places = read_places (folder);
  const index_map index = build_index (places);
  const std::vector<char *> titles = make_titles (places);

  std::vector<std::string> asked;
  for (const auto &entry : index)
    if (entry.second.count >= 10)
      asked.push_back (entry.first);
  if (asked.empty ())
    throw std::runtime_error ("no word is frequent enough to ask for");

  std::uint64_t matches = 0;
  const char *last = "";
  unsigned int checksum = 0;
  for (unsigned long i = 0; i < queries; i++)
    {
      const result *found = answer (index, places, asked[i % asked.size ()]);
      matches += found->matches;
      last = titles[found->best];
      for (const char *c = last; *c; c++)
	checksum = checksum * 31 + static_cast<unsigned char> (*c);
    }
  std::cout << places.size () << " places, " << index.size () << " words, "
	    << queries << " queries, " << matches << " matches, the last: "
	    << last << ", checksum " << checksum << '\n';

  for (const auto &entry : index)
    delete[] entry.second.places;
  for (char *source : kept_sources)
    delete[] source;
  for (char *title : titles)
    delete[] title;
  return 0;
}

} // namespace gazetteer

int
main (int argc, char **argv)
{
  if (argc < 2 || argc > 3)
    {
      std::cerr << "usage: gazetteer FOLDER [QUERIES]\n";
      return 2;
    }
  try
    {
      const unsigned long queries
	= argc > 2 ? std::strtoul (argv[2], nullptr, 10) : 20000;
      return gazetteer::run (argv[1], queries);
    }
  catch (const std::exception &error)
    {
      std::cerr << "gazetteer: " << error.what () << '\n';
      return 1;
    }
}
