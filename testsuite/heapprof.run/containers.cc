// A hot and a cold instance of each container of the C++ library.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same function makes both, so only its caller tells them apart; many of the
// blocks are allocated by code that is compiled in the library.  Hot blocks have 45% of
// the accesses, `filler', the least dense hot block, has half, and `others' most of the
// rest.  The regex is one of wide characters: the library tries the set of one of char
// with each of 256 characters, with strings that would be most of the blocks.  Prints
// for each container where its blocks are, hot and cold instance.

#include <any>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

extern "C" void *heapprof_malloc_hinted (size_t, int) __attribute__ ((weak));

#define APART __attribute__ ((noinline)) static

static const long cold_instances = 200;
static const char text[]
  = "a text that does not fit into the object of a string itself";

struct wide
{
  long value[8];
};

// Makes the start of a buffer accessible.
struct peek : std::stringbuf
{
  static char *
  begin (std::stringstream &stream)
  {
    return (stream.rdbuf ()->*&peek::pbase) ();
  }
};

struct instance
{
  std::string string;
  std::wstring wstring;
  std::vector<long> vector;
  std::vector<std::string> strings;
  std::deque<long> deque;
  std::list<long> list;
  std::map<long, long> map;
  std::set<std::string> set;
  std::unordered_map<long, std::string> unordered_map;
  std::unordered_set<long> unordered_set;
  std::stringstream stringstream;
  std::filesystem::path path;
  std::function<const void *()> function;
  std::shared_ptr<wide> shared;
  std::wregex regex;
  std::any any;
  std::optional<std::string> optional;
  std::variant<int, std::string> variant;
};

APART std::string
make_string ()
{
  std::string made (text);
  made += " and more";
  return made;
}

APART std::wstring
make_wstring ()
{
  return std::wstring (L"a text that does not fit into the object").append (L"!");
}

APART std::vector<long>
make_vector ()
{
  std::vector<long> made;
  made.reserve (20);
  for (long i = 0; i < 20; i++)
    made.push_back (i);
  return made;
}

APART std::vector<std::string>
make_strings ()
{
  return std::vector<std::string> (3, text);
}

APART std::deque<long>
make_deque ()
{
  std::deque<long> made;
  for (long i = 0; i < 20; i++)
    made.push_back (i);
  return made;
}

APART std::list<long>
make_list ()
{
  return std::list<long> (5, 1);
}

APART std::map<long, long>
make_map ()
{
  std::map<long, long> made;
  for (long i = 0; i < 5; i++)
    made[i] = i;
  return made;
}

APART std::set<std::string>
make_set ()
{
  return { text };
}

APART std::unordered_map<long, std::string>
make_unordered_map ()
{
  std::unordered_map<long, std::string> made;
  made[1] = text;
  return made;
}

APART std::unordered_set<long>
make_unordered_set ()
{
  std::unordered_set<long> made;
  for (long i = 0; i < 5; i++)
    made.insert (i);
  return made;
}

APART void
fill_stringstream (std::stringstream &stream)
{
  for (int i = 0; i < 10; i++)
    stream << text << i;
}

APART std::filesystem::path
make_path ()
{
  return std::filesystem::path ("/a/folder/with/a/long/name") / text;
}

APART std::function<const void *()>
make_function ()
{
  wide captured = {};
  return [captured] { return (const void *) &captured; };
}

APART std::shared_ptr<wide>
make_shared ()
{
  return std::make_shared<wide> ();
}

APART std::wregex
make_regex ()
{
  return std::wregex (L"a[bc]+d");
}

APART std::any
make_any ()
{
  return wide ();
}

APART std::optional<std::string>
make_optional ()
{
  return std::string (text);
}

APART std::variant<int, std::string>
make_variant ()
{
  return std::string (text);
}

APART void
touch (const void *block, long words, long times)
{
  volatile long *p = (volatile long *) block;
  for (long i = 0; i < times; i++)
    p[i % words] = p[i % words];
}

static const void *
automaton (const std::wregex &regex)
{
  struct layout
  {
    std::wregex::flag_type flags;
    std::locale locale;
    const void *automaton;
  };
  static_assert (sizeof (layout) + sizeof (void *) == sizeof (std::wregex), "");
  return reinterpret_cast<const layout &> (regex).automaton;
}

struct block
{
  const char *name;
  const void *data;
};

static std::vector<block>
blocks_of (instance &of)
{
  return { { "string", of.string.data () },
	   { "wstring", of.wstring.data () },
	   { "vector", of.vector.data () },
	   { "vector of strings", of.strings.data () },
	   { "string in a vector", of.strings[1].data () },
	   { "deque", &of.deque[1] },
	   { "list", &of.list.front () },
	   { "map", &of.map[2] },
	   { "set", &*of.set.begin () },
	   { "string in a set", of.set.begin ()->data () },
	   { "unordered_map", &of.unordered_map[1] },
	   { "string in an unordered_map", of.unordered_map[1].data () },
	   { "unordered_set", &*of.unordered_set.begin () },
	   { "stringstream", peek::begin (of.stringstream) },
	   { "path", of.path.native ().data () },
	   { "function", of.function () },
	   { "shared_ptr", of.shared.get () },
	   { "regex", automaton (of.regex) },
	   { "any", std::any_cast<wide> (&of.any) },
	   { "optional", of.optional->data () },
	   { "variant", std::get<1> (of.variant).data () } };
}

APART void
touch_all (instance &of, long times)
{
  for (const block &each : blocks_of (of))
    touch (each.data, 2, times);
}

static char *
reference (int hint)
{
  return heapprof_malloc_hinted ? (char *) heapprof_malloc_hinted (64, hint)
				: nullptr;
}

static const char *
place (const void *data)
{
  static const long far = 1 << 30;
  static char *const hot = reference (254), *const cold = reference (1);
  return labs ((char *) data - hot) < far	 ? "hot"
	 : labs ((char *) data - cold) < far ? "cold"
						 : "other";
}

int
main ()
{
  static instance hot, colds[cold_instances];
  long *filler = (long *) malloc (64000);
  long *others = (long *) malloc (2000000);

  for (instance &cold : colds)
    {
      cold.string = make_string ();
      cold.wstring = make_wstring ();
      cold.vector = make_vector ();
      cold.strings = make_strings ();
      cold.deque = make_deque ();
      cold.list = make_list ();
      cold.map = make_map ();
      cold.set = make_set ();
      cold.unordered_map = make_unordered_map ();
      cold.unordered_set = make_unordered_set ();
      fill_stringstream (cold.stringstream);
      cold.path = make_path ();
      cold.function = make_function ();
      cold.shared = make_shared ();
      cold.regex = make_regex ();
      cold.any = make_any ();
      cold.optional = make_optional ();
      cold.variant = make_variant ();
    }
  hot.string = make_string ();
  hot.wstring = make_wstring ();
  hot.vector = make_vector ();
  hot.strings = make_strings ();
  hot.deque = make_deque ();
  hot.list = make_list ();
  hot.map = make_map ();
  hot.set = make_set ();
  hot.unordered_map = make_unordered_map ();
  hot.unordered_set = make_unordered_set ();
  fill_stringstream (hot.stringstream);
  hot.path = make_path ();
  hot.function = make_function ();
  hot.shared = make_shared ();
  hot.regex = make_regex ();
  hot.any = make_any ();
  hot.optional = make_optional ();
  hot.variant = make_variant ();

  const long times = 2000000, n = (long) blocks_of (hot).size ();
  touch_all (hot, times);
  for (instance &cold : colds)
    touch_all (cold, 1);
  touch (filler, 8000, n * times);
  touch (others, 250000, n * times / 10);

  std::vector<block> hot_blocks = blocks_of (hot), cold_blocks = blocks_of (colds[cold_instances / 2]);
  for (long i = 0; i < n; i++)
    printf ("%s: %s %s\n", hot_blocks[i].name, place (hot_blocks[i].data),
	    place (cold_blocks[i].data));
  return 0;
}
