// An archive of articles, for the tasks of the manual: `archive [COUNT [QUERIES]]'.
// With - for QUERIES, it is a server: it answers the numbers on its standard input.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

struct article
{
  std::string title;
  std::string text;
  unsigned views = 0;
};

struct session
{
  unsigned user;
  char *cookie;
};

static std::vector<article *> articles;
static std::unordered_map<unsigned, session *> sessions;

// Texts are long, and the queries below do not read them.
static article *
make_article (int number)
{
  article *made = new article;
  made->title = "The title of article number " + std::to_string (number);
  made->text = std::string (400 + number % 400, 'a' + number % 26);
  return made;
}

// Words of all texts, sorted to find the frequent ones: needed only for a moment.
static size_t
count_words ()
{
  std::vector<std::string> words;
  for (const article *each : articles)
    for (size_t from = 0; from < each->text.size (); from += 40)
      words.push_back (each->text.substr (from, 40));
  std::sort (words.begin (), words.end ());
  return std::unique (words.begin (), words.end ()) - words.begin ();
}

// A user who comes back gets a new session, and the old one is lost.
static session *
open_session (unsigned user)
{
  session *opened = new session;
  opened->user = user;
  opened->cookie = strdup (("cookie of user " + std::to_string (user)).c_str ());
  sessions[user] = opened;
  return opened;
}

static unsigned
answer (unsigned number)
{
  open_session (number % 100);
  std::string query = "The title of article number " + std::to_string (number);
  for (article *each : articles)
    if (each->title == query)
      return ++each->views;
  return 0;
}

int
main (int argc, char **argv)
{
  int count = argc > 1 ? std::atoi (argv[1]) : 2000;
  bool is_server = argc > 2 && std::strcmp (argv[2], "-") == 0;
  int queries = argc > 2 ? std::atoi (argv[2]) : 5000;
  for (int i = 0; i < count; i++)
    articles.push_back (make_article (i));
  size_t words = count_words ();
  unsigned found = 0;
  for (int i = 0; i < queries; i++)
    found += answer (i * 7 % count) != 0;
  unsigned number;
  while (is_server && std::scanf ("%u", &number) == 1)
    found += answer (number) != 0;
  std::printf ("%zu words, %u found\n", words, found);
  for (article *each : articles)
    delete each;
  for (auto &each : sessions)
    {
      free (each.second->cookie);
      delete each.second;
    }
  return 0;
}
