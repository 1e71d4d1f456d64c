/* Suppressions: lost blocks that are known and not worth a report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "leak-suppressions.h"
#include "diagnostics.h"
#include "file-content.h"
#include "function-name.h"
#include "saturating.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Thread-local variables, and other memory that belongs to the C and C++
   libraries: they lose it when a thread or a library ends before they do.  */
static const char builtin[] = "leak:^_dl_allocate_tls$\n"
			      "leak:^allocate_dtv$\n"
			      "leak:^tls_get_addr_tail$\n"
			      "leak:^__tls_get_addr\n"
			      "leak:^_dlerror_run$\n"
			      "leak:^_dl_exception_create\n"
			      "leak:^__cxa_get_globals$\n"
			      "leak:^_GLOBAL__sub_I_eh_alloc.cc$\n"
			      "leak:^__gnu_cxx::__freeres\n";

enum rule_kind
{
  RULE_ANY,   /* leak: */
  RULE_FUN,   /* fun: */
  RULE_OBJ,   /* obj: */
  RULE_SRC,   /* src: */
  RULE_FRAMES /* ... */
};

struct rule
{
  enum rule_kind kind;
  char *pattern;
};

enum
{
  SUPPRESS_LOST = 1,
  SUPPRESS_INDIRECT = 2
};

struct leak_suppression
{
  unsigned int what;
  struct rule *rules;
  size_t count;
};

/* ---- Patterns.  */

/* Return true if all of TEXT matches PATTERN, in which `*' matches any
   characters, and if HAS_ONE, `?' any one.  */
static bool
matches (const char *pattern, const char *text, bool has_one)
{
  const char *star = NULL;
  const char *back = NULL;
  while (*text != '\0')
    if (*pattern == '*')
      {
	star = ++pattern;
	back = text;
      }
    else if (*pattern == *text || (has_one && *pattern == '?'))
      {
	pattern++;
	text++;
      }
    else if (star != NULL)
      {
	pattern = star;
	text = ++back;
      }
    else
      return false;
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

/* Return the wildcard pattern for LeakSanitizer's PATTERN, malloced.  */
static char *
wildcard_of (const char *pattern)
{
  size_t n = strlen (pattern);
  char *text = malloc (n + 3);
  if (text == NULL)
    return NULL;
  bool is_start = pattern[0] == '^';
  bool is_end = n > 0 && pattern[n - 1] == '$';
  size_t inner = n - is_start - (is_end && n > is_start);
  char *to = text;
  if (!is_start)
    *to++ = '*';
  memcpy (to, pattern + is_start, inner);
  to += inner;
  if (!is_end)
    *to++ = '*';
  *to = '\0';
  return text;
}

/* ---- Reading.  */

static struct leak_suppression *
add_suppression (struct leak_suppressions *suppressions)
{
  struct leak_suppression *grown
    = realloc (suppressions->of, (suppressions->count + 1) * sizeof *grown);
  if (grown == NULL)
    return NULL;
  suppressions->of = grown;
  struct leak_suppression *added = &grown[suppressions->count++];
  *added
    = (struct leak_suppression){ .what = SUPPRESS_LOST | SUPPRESS_INDIRECT };
  return added;
}

/* Add a rule with PATTERN, malloced, which it takes over.  */
static bool
add_rule (struct leak_suppression *suppression, enum rule_kind kind,
	  char *pattern)
{
  struct rule *grown
    = realloc (suppression->rules, (suppression->count + 1) * sizeof *grown);
  if (grown == NULL || pattern == NULL)
    {
      if (grown != NULL)
	suppression->rules = grown;
      free (pattern);
      return false;
    }
  suppression->rules = grown;
  grown[suppression->count++] = (struct rule){ kind, pattern };
  return true;
}

static void
free_last (struct leak_suppressions *suppressions)
{
  struct leak_suppression *last = &suppressions->of[--suppressions->count];
  for (size_t i = 0; i < last->count; i++)
    free (last->rules[i].pattern);
  free (last->rules);
}

void
leak_suppressions_release (struct leak_suppressions *suppressions)
{
  while (suppressions->count > 0)
    free_last (suppressions);
  free (suppressions->of);
  *suppressions = (struct leak_suppressions){ 0 };
}

/* Lines of a text, without blanks around them.  */
struct lines
{
  const char *path;
  char *next;
  uint64_t number;
};

/* Return the next line that is neither empty nor a comment; NULL at the
   end.  */
static char *
next_line (struct lines *lines)
{
  while (*lines->next != '\0')
    {
      char *line = lines->next;
      size_t n = strcspn (line, "\n");
      lines->next = line + n + (line[n] == '\n');
      lines->number++;
      while (n > 0 && strchr (" \t\r", line[n - 1]) != NULL)
	n--;
      line[n] = '\0';
      line += strspn (line, " \t");
      if (*line != '\0' && *line != '#')
	return line;
    }
  return NULL;
}

static bool
fail (const struct lines *lines, struct profile_error *err, const char *cause,
      const char *line)
{
  profile_error_set (err, lines->path, PROFILE_ERROR_NO_OFFSET,
		     "line %" PRIu64 ": %s%s%s%s", lines->number, cause,
		     line != NULL ? " '" : "", line != NULL ? line : "",
		     line != NULL ? "'" : "");
  return false;
}

/* Return the text of LINE after HEAD, NULL if it does not start with it.  */
static const char *
text_after (const char *line, const char *head)
{
  size_t n = strlen (head);
  return strncmp (line, head, n) == 0 ? line + n : NULL;
}

/* Return what the kinds in TEXT, separated by commas, suppress.  */
static unsigned int
kinds_of (const char *text)
{
  unsigned int what = 0;
  if (strstr (text, "definite") != NULL || strstr (text, "all") != NULL)
    what |= SUPPRESS_LOST;
  if (strstr (text, "indirect") != NULL || strstr (text, "all") != NULL)
    what |= SUPPRESS_INDIRECT;
  return what;
}

/* Add the frame of LINE to SUPPRESSION.  */
static bool
read_frame (struct leak_suppression *suppression, const char *line,
	    const struct lines *lines, struct profile_error *err)
{
  static const struct
  {
    const char *head;
    enum rule_kind kind;
  } heads[]
    = { { "fun:", RULE_FUN }, { "obj:", RULE_OBJ }, { "src:", RULE_SRC } };
  if (strcmp (line, "...") == 0)
    return add_rule (suppression, RULE_FRAMES, strdup (""))
	   || profile_error_set_memory (err, lines->path);
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    {
      const char *pattern = text_after (line, heads[i].head);
      if (pattern != NULL)
	return add_rule (suppression, heads[i].kind, strdup (pattern))
	       || profile_error_set_memory (err, lines->path);
    }
  return fail (lines, err, "invalid frame", line);
}

/* Return true if LINE, `Memcheck,Other:Leak' or the like, is about lost
   blocks.  */
static bool
is_about_leaks (const char *line)
{
  const char *colon = strchr (line, ':');
  const char *tool = strstr (line, "Memcheck");
  return colon != NULL && tool != NULL && tool < colon
	 && strcmp (colon + 1, "Leak") == 0;
}

/* Read a suppression of valgrind, after its `{'.  */
static bool
read_braces (struct leak_suppressions *suppressions, struct lines *lines,
	     struct profile_error *err)
{
  const char *name = next_line (lines);
  const char *kind = name != NULL ? next_line (lines) : NULL;
  if (kind == NULL)
    return fail (lines, err, "suppression without '}'", NULL);
  bool is_ours = is_about_leaks (kind);
  struct leak_suppression *suppression = add_suppression (suppressions);
  if (suppression == NULL)
    return profile_error_set_memory (err, lines->path);
  const char *line;
  while ((line = next_line (lines)) != NULL && strcmp (line, "}") != 0)
    {
      const char *kinds = text_after (line, "match-leak-kinds:");
      if (kinds != NULL)
	suppression->what = kinds_of (kinds);
      else if (is_ours && !read_frame (suppression, line, lines, err))
	return false;
    }
  if (line == NULL)
    return fail (lines, err, "suppression without '}'", NULL);
  if (!is_ours)
    free_last (suppressions);
  return true;
}

static bool
read_line (struct leak_suppressions *suppressions, const char *line,
	   struct lines *lines, struct profile_error *err)
{
  const char *pattern = text_after (line, "leak:");
  if (strcmp (line, "{") == 0)
    return read_braces (suppressions, lines, err);
  if (pattern == NULL)
    return fail (lines, err, "invalid suppression", line);
  struct leak_suppression *suppression = add_suppression (suppressions);
  return (suppression != NULL
	  && add_rule (suppression, RULE_ANY, wildcard_of (pattern)))
	 || profile_error_set_memory (err, lines->path);
}

/* Add those in TEXT, which is changed.  */
static bool
read_text (struct leak_suppressions *suppressions, char *text, const char *path,
	   struct profile_error *err)
{
  struct lines lines = { .path = path, .next = text };
  char *line;
  while ((line = next_line (&lines)) != NULL)
    if (!read_line (suppressions, line, &lines, err))
      return false;
  return true;
}

bool
leak_suppressions_add_file (struct leak_suppressions *suppressions,
			    const char *path, struct profile_error *err)
{
  void *data;
  size_t size;
  if (!file_content_read (path, &data, &size, err))
    return false;
  char *text = malloc (size + 1);
  if (text != NULL)
    {
      memcpy (text, data, size);
      text[size] = '\0';
    }
  free (data);
  bool is_done = text != NULL ? read_text (suppressions, text, path, err)
			      : profile_error_set_memory (err, path);
  free (text);
  return is_done;
}

bool
leak_suppressions_take (struct leak_suppressions *suppressions,
			const char *path)
{
  struct profile_error err;
  if (leak_suppressions_add_file (suppressions, path, &err))
    return true;
  diagnostics_error (&err);
  return false;
}

/* ---- Matching.  */

/* The frames of a context, innermost first.  */
struct stack
{
  const struct heap_profile *profile;
  uint32_t context;
};

static const struct heap_frame *
frame_of (const struct heap_profile *profile, uint32_t context)
{
  return heap_profile_frame (profile,
			     heap_profile_context_frame (profile, context));
}

/* Return true if the function of FRAME matches: its linkage name, or the name
   in the source with or without parameters.  */
static bool
function_matches (const struct heap_profile *profile,
		  const struct heap_frame *frame, const char *pattern,
		  bool has_one)
{
  const char *linkage_name
    = heap_profile_string (profile, frame->function_name);
  if (matches (pattern, linkage_name, has_one))
    return true;
  char *name = function_name_demangle (linkage_name, true);
  bool is_match = name != NULL && matches (pattern, name, has_one);
  if (name != NULL && !is_match)
    {
      name[strcspn (name, "(")] = '\0';
      is_match = matches (pattern, name, has_one);
    }
  free (name);
  return is_match;
}

/* Return true if MODULE matches PATTERN, usually of a path.  Profiles may have
   only the name of the file.  */
static bool
object_matches (const char *pattern, const char *module)
{
  const char *slash = strrchr (pattern, '/');
  return matches (pattern, module, true)
	 || (slash != NULL && strchr (module, '/') == NULL
	     && matches (slash + 1, module, true));
}

static bool
rule_matches (const struct rule *rule, const struct heap_profile *profile,
	      uint32_t context)
{
  const struct heap_frame *frame = frame_of (profile, context);
  const char *file = heap_profile_string (profile, frame->file);
  const char *module = heap_profile_string (profile, frame->module);
  switch (rule->kind)
    {
    case RULE_ANY:
      return function_matches (profile, frame, rule->pattern, false)
	     || matches (rule->pattern, file, false)
	     || matches (rule->pattern, module, false);
    case RULE_FUN:
      return function_matches (profile, frame, rule->pattern, true);
    case RULE_OBJ:
      return object_matches (rule->pattern, module);
    default:
      {
	char line[24];
	const char *slash = strrchr (file, '/');
	const char *base = slash != NULL ? slash + 1 : file;
	const char *colon = strrchr (rule->pattern, ':');
	size_t n = colon != NULL ? (size_t) (colon - rule->pattern)
				 : strlen (rule->pattern);
	char *pattern = strndup (rule->pattern, n);
	snprintf (line, sizeof line, "%" PRIu32, frame->line);
	bool is_match = pattern != NULL && matches (pattern, base, true)
			&& (colon == NULL || strcmp (colon + 1, line) == 0);
	free (pattern);
	return is_match;
      }
    }
}

/* Return true if the COUNT RULES match the frames from that of CONTEXT on.  */
static bool
frames_match (const struct rule *rules, size_t count,
	      const struct heap_profile *profile, uint32_t context)
{
  while (count > 0)
    {
      if (rules->kind == RULE_FRAMES)
	{
	  if (count == 1)
	    return true;
	  for (; context != 0;
	       context = heap_profile_context_caller (profile, context))
	    if (frames_match (rules + 1, count - 1, profile, context))
	      return true;
	  return false;
	}
      if (context == 0 || !rule_matches (rules, profile, context))
	return false;
      context = heap_profile_context_caller (profile, context);
      rules++;
      count--;
    }
  return true;
}

/* Return true if RULE names a function that allocates: valgrind's contexts have
   it, ours start with its caller.  */
static bool
is_allocator (const struct rule *rule)
{
  static const char *const names[] = { "malloc",
				       "calloc",
				       "realloc",
				       "memalign",
				       "posix_memalign",
				       "aligned_alloc",
				       "valloc",
				       "_Znwm",
				       "_Znam",
				       "operator new(unsigned long)",
				       "_ZnwmRKSt9nothrow_t",
				       "_ZnamRKSt9nothrow_t",
				       "strdup" };
  if (rule->kind != RULE_FUN)
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (matches (rule->pattern, names[i], true))
      return true;
  return false;
}

static bool
suppresses (const struct leak_suppression *suppression,
	    const struct heap_profile *profile, uint32_t context)
{
  const struct rule *rules = suppression->rules;
  size_t count = suppression->count;
  if (count == 0)
    return false;
  if (rules[0].kind == RULE_ANY)
    {
      for (; context != 0;
	   context = heap_profile_context_caller (profile, context))
	if (rule_matches (&rules[0], profile, context))
	  return true;
      return false;
    }
  return frames_match (rules, count, profile, context)
	 || (is_allocator (&rules[0])
	     && frames_match (rules + 1, count - 1, profile, context));
}

/* Return which lost blocks of CONTEXT are suppressed.  */
static unsigned int
suppressed_of (const struct leak_suppressions *suppressions,
	       const struct heap_profile *profile, uint32_t context)
{
  unsigned int what = 0;
  for (size_t i = 0; i < suppressions->count; i++)
    if ((suppressions->of[i].what & ~what) != 0
	&& suppresses (&suppressions->of[i], profile, context))
      what |= suppressions->of[i].what;
  return what;
}

/* Remove what WHAT says from CONTEXT's lost blocks.  */
static void
remove_lost (struct heap_profile *profile, uint32_t context, unsigned int what)
{
  struct memory_info info = *heap_profile_info (profile, context);
  struct heap_totals *totals = heap_profile_totals (profile);
  struct heap_totals more = { 0 };
  if ((what & SUPPRESS_LOST) != 0)
    {
      more.suppressed_count = info.lost_count;
      more.suppressed_bytes = info.lost_bytes;
      info.lost_count = info.lost_bytes = 0;
    }
  if ((what & SUPPRESS_INDIRECT) != 0)
    {
      more.suppressed_count
	= saturating_add (more.suppressed_count, info.indirect_count);
      more.suppressed_bytes
	= saturating_add (more.suppressed_bytes, info.indirect_bytes);
      info.indirect_count = info.indirect_bytes = 0;
    }
  totals->suppressed_count
    = saturating_add (totals->suppressed_count, more.suppressed_count);
  totals->suppressed_bytes
    = saturating_add (totals->suppressed_bytes, more.suppressed_bytes);
  heap_profile_set_info (profile, context, &info);
}

static void
apply (const struct leak_suppressions *suppressions,
       struct heap_profile *profile)
{
  uint32_t count = heap_profile_context_count (profile);
  for (uint32_t i = 0; i < count; i++)
    {
      const struct memory_info *info = heap_profile_info (profile, i);
      if (info == NULL || (info->lost_count | info->indirect_count) == 0)
	continue;
      unsigned int what = suppressed_of (suppressions, profile, i);
      if (what != 0)
	remove_lost (profile, i, what);
    }
}

bool
leak_suppressions_apply (const struct leak_suppressions *suppressions,
			 struct heap_profile *profile)
{
  struct leak_suppressions own = { 0 };
  struct profile_error err;
  char text[sizeof builtin];
  if (profile == NULL || heap_profile_totals (profile)->searched_runs == 0)
    return true;
  memcpy (text, builtin, sizeof text);
  bool is_done = read_text (&own, text, "built-in suppressions", &err);
  if (is_done)
    {
      apply (suppressions, profile);
      apply (&own, profile);
    }
  else
    diagnostics_error (&err);
  leak_suppressions_release (&own);
  return is_done;
}
