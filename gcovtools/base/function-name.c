/* Demangling and shortening of function names for display.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-name.h"
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

/* Return true if FILE is a source file of Ada.  */
static bool
is_ada (const char *file)
{
  size_t n = strlen (file);
  return n > 4
	 && (strcmp (file + n - 4, ".adb") == 0
	     || strcmp (file + n - 4, ".ads") == 0);
}

char *
function_name_demangle_in (const char *name, const char *file,
			   bool with_parameters)
{
  int options = DMGL_ANSI | (with_parameters ? DMGL_PARAMS : 0);
  /* Names of D have a prefix of their own, names of Ada have none.  */
  if (is_ada (file))
    options |= DMGL_GNAT;
  else if (strncmp (name, "_D", 2) == 0)
    options |= DMGL_DLANG;
  char *demangled = cplus_demangle (name, options);
  /* The demangler of Ada puts other names in angle brackets.  */
  if (demangled != NULL && *demangled == '<' && *name != '<')
    {
      free (demangled);
      demangled = NULL;
    }
  return demangled != NULL ? demangled : strdup (name);
}

char *
function_name_demangle (const char *name, bool with_parameters)
{
  return function_name_demangle_in (name, "", with_parameters);
}

/* Remove BYTES bytes at AT from the string that contains them.  */
static void
cut (char *at, size_t bytes)
{
  memmove (at, at + bytes, strlen (at + bytes) + 1);
}

/* Return the end, after the `>', of the template argument list that opens at
   OPEN; NULL if it is not closed.  */
static char *
end_of_arguments (char *open)
{
  int depth = 0;
  for (char *at = open; *at != '\0'; at++)
    {
      depth += *at == '<';
      /* The `>' of operator-> closes nothing.  */
      depth -= *at == '>' && at[-1] != '-';
      if (depth == 0)
	return at + 1;
    }
  return NULL;
}

/* Remove from NAME each last template argument that starts with
   DEFAULT_ARGUMENT, such as `, std::less<'.  Arguments may be nested, so keep
   searching after each removal.  */
static void
cut_default (char *name, const char *default_argument)
{
  size_t bytes = strlen (default_argument);
  char *at = name;
  while ((at = strstr (at, default_argument)) != NULL)
    {
      char *end = end_of_arguments (at + bytes - 1);
      if (end != NULL && end[strspn (end, " ")] == '>')
	cut (at, (size_t) (end - at));
      else
	at += bytes;
    }
}

/* Longer template argument lists are abbreviated.  */
#define MAX_ARGUMENT_BYTES 48

/* Replace long template argument lists by `<...>'.  */
static void
cut_long_arguments (char *name)
{
  for (char *at = strchr (name, '<'); at != NULL; at = strchr (at, '<'))
    {
      static const char operator[] = "operator";
      size_t before = (size_t) (at - name);
      if (before >= sizeof operator- 1 && memcmp (at - (sizeof operator- 1),
						  operator, sizeof operator- 1)
	  == 0)
	{
	  at += strspn (at, "<=>");
	  continue;
	}
      char *end = end_of_arguments (at);
      if (end == NULL)
	return;
      if (end - at > MAX_ARGUMENT_BYTES)
	{
	  memcpy (at + 1, "...", 3);
	  cut (at + 4, (size_t) (end - 1 - (at + 4)));
	  end = at + 5;
	}
      at = end;
    }
}

/* Remove all occurrences of TEXT from NAME.  */
static void
cut_each (char *name, const char *text)
{
  for (char *at = strstr (name, text); at != NULL; at = strstr (at, text))
    cut (at, strlen (text));
}

void
type_name_shorten (char *name)
{
  /* The last argument of a list must be removed first.  */
  static const char *const defaults[]
    = { ", std::allocator<", ", std::less<",	    ", std::equal_to<",
	", std::hash<",	     ", std::char_traits<", ", std::default_delete<" };
  static const char string[] = "std::basic_string<char";
  char *at;
  cut_each (name, "__cxx11::");
  cut_each (name, "[abi:cxx11]");
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    cut_default (name, defaults[i]);
  while ((at = strstr (name, " >")) != NULL && at > name)
    cut (at, 1);
  at = name;
  while ((at = strstr (at, string)) != NULL)
    {
      char *end = at + sizeof string - 1;
      if (*end == '>')
	{
	  memcpy (at, "std::string", 11);
	  cut (at + 11, (size_t) (end + 1 - at) - 11);
	}
      at++;
    }
}

void
function_name_shorten (char *name)
{
  type_name_shorten (name);
  cut_long_arguments (name);
}

/* Starts of mangled names of the C++ library, of which function_name_class is
   left: std::, its abbreviations, __gnu_cxx::, operator new and
   new [].  */
static const char *const library_names[]
  = { "St", "Sa", "Ss", "Sb", "Si", "So", "Sd", "9__gnu_cxx", "nw", "na" };

const char *
function_name_class (const char *name)
{
  if (strncmp (name, "_Z", 2) != 0)
    return NULL;
  name += 2;
  if (*name == 'N')
    name++;
  return name + strspn (name, "rVKRO");
}

bool
function_name_is_library (const char *name)
{
  name = function_name_class (name);
  if (name == NULL)
    return false;
  for (size_t i = 0; i < sizeof library_names / sizeof *library_names; i++)
    if (strncmp (name, library_names[i], strlen (library_names[i])) == 0)
      return true;
  return false;
}

const char *
function_name_last (const char *name, bool *is_of_template)
{
  const char *last = name;
  int depth = 0;
  *is_of_template = false;
  for (const char *at = name; *at != '\0'; at++)
    {
      depth += *at == '<' || *at == '(';
      depth -= (*at == '>' && at > name && at[-1] != '-') || *at == ')';
      if (depth != 0 || at[0] != ':' || at[1] != ':')
	continue;
      *is_of_template |= at > name && at[-1] == '>';
      last = at + 2;
    }
  return last;
}

bool
function_name_is_copy (const char *name)
{
  /* The parameter is a constant reference to a type that the name has already,
     as the class.  */
  static const char *const parts[] = { "C1ERKS", "C2ERKS", "C4ERKS", "aSERKS" };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strncmp (name, "_ZN", 3) == 0 && strstr (name, parts[i]) != NULL)
      return true;
  return false;
}

bool
function_name_matches (const char *name, const struct pattern_list *expression)
{
  return function_name_matches_in (name, "", expression);
}

bool
function_name_matches_in (const char *name, const char *file,
			  const struct pattern_list *expression)
{
  if (pattern_list_matches (expression, name))
    return true;
  char *demangled = function_name_demangle_in (name, file, true);
  if (demangled == NULL)
    return false;
  bool is_match = pattern_list_matches (expression, demangled);
  function_name_shorten (demangled);
  is_match = is_match || pattern_list_matches (expression, demangled);
  free (demangled);
  return is_match;
}
