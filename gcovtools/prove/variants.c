/* Variants of a program, from options.
   SPDX-License-Identifier: GPL-3.0-or-later

   Commands that are only words are run without a shell, which would add to what
   is measured.  */

#include "variants.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Variants if the user names none.  */
static const char *const default_variants[] = { "off=HEAPHINT=off", "hints=" };

/* Names of allocators, and their libraries; NULL: the program's own.  */
static const struct
{
  const char *name;
  const char *library;
} allocators[] = { { "own", NULL },
		   { "jemalloc", "libjemalloc.so.2" },
		   { "mimalloc", "libmimalloc.so.2" },
		   { "tcmalloc", "libtcmalloc_minimal.so.4" } };

bool
variant_texts_add (struct variant_texts *texts, const char *text)
{
  size_t bytes = strcspn (text, "=");
  if (text[bytes] == '\0' || bytes == 0)
    {
      diagnostics_usage ("prove",
			 "invalid variant '%s' (expected NAME=COMMAND)", text);
      return false;
    }
  for (size_t i = 0; i < texts->variant_count; i++)
    if (strncmp (texts->variants[i], text, bytes + 1) == 0)
      {
	diagnostics_usage ("prove", "variant '%.*s' is given twice",
			   (int) bytes, text);
	return false;
      }
  if (texts->variant_count == MAX_VARIANTS)
    {
      diagnostics_usage ("prove", "too many variants (at most %d)",
			 MAX_VARIANTS);
      return false;
    }
  texts->variants[texts->variant_count++] = text;
  return true;
}

/* Find the library of the allocator TEXT, a name or a path; set *LIBRARY to
   NULL if there is none.  Return false if TEXT is invalid.  */
static bool
find_library (const char *text, const char **library)
{
  *library = text;
  if (strchr (text, '/') != NULL)
    return strpbrk (text, " :'") == NULL;
  for (size_t i = 0; i < sizeof allocators / sizeof *allocators; i++)
    if (strcmp (text, allocators[i].name) == 0)
      {
	*library = allocators[i].library;
	return true;
      }
  return false;
}

bool
variant_texts_add_allocator (struct variant_texts *texts, const char *text)
{
  const char *library;
  if (!find_library (text, &library))
    diagnostics_usage ("prove",
		       "invalid allocator '%s' (expected own, jemalloc, "
		       "mimalloc, tcmalloc, or the path of a library without "
		       "blanks, colons and quotes)",
		       text);
  else if (texts->allocator_count == MAX_ALLOCATORS)
    diagnostics_usage ("prove", "too many allocators (at most %d)",
		       MAX_ALLOCATORS);
  else
    {
      texts->allocators[texts->allocator_count++] = text;
      return true;
    }
  return false;
}

/* Return the setting that preloads LIBRARY in addition to others; NULL: an
   empty text.  The result is malloced, or NULL if memory is exhausted.  */
static char *
make_preload (const char *library)
{
  char *text = NULL;
  const char *others = getenv ("LD_PRELOAD");
  if (library == NULL)
    return strdup ("");
  bool has_others = others != NULL && *others != '\0';
  if (asprintf (&text, "LD_PRELOAD=%s%s%s", library, has_others ? ":" : "",
		has_others ? others : "")
      < 0)
    return NULL;
  return text;
}

/* Return true if the dynamic linker finds LIBRARY; otherwise set *ERR.  */
static bool
check_library (const char *library, struct profile_error *err)
{
  char *script = NULL;
  char line[PROFILE_ERROR_CAUSE_BYTES] = "cannot be preloaded";
  FILE *messages = NULL;
  if (asprintf (&script, "exec env LD_PRELOAD='%s' env true 2>&1", library) > 0)
    messages = popen (script, "re");
  free (script);
  if (messages == NULL)
    return profile_error_set_errno (err, library, "cannot start a process",
				    errno);
  bool has_message = fgets (line, sizeof line, messages) != NULL;
  line[strcspn (line, "\n")] = '\0';
  if (pclose (messages) == 0 && !has_message)
    return true;
  return profile_error_set (err, library, PROFILE_ERROR_NO_OFFSET, "%s", line);
}

#define BLANKS " \t\n"

/* Return true if COMMAND needs a shell.  */
static bool
needs_shell (const char *command)
{
  return strpbrk (command, "|&;<>()$`\\\"'*?[]#~{}!") != NULL;
}

/* Return true if WORD is NAME=VALUE.  */
static bool
is_setting (const char *word)
{
  size_t bytes = strspn (word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			       "abcdefghijklmnopqrstuvwxyz0123456789_");
  return bytes > 0 && word[bytes] == '=' && (*word < '0' || *word > '9');
}

static char **
add_words (char **place, char **words)
{
  while (*words != NULL)
    *place++ = *words++;
  return place;
}

/* Store the words of TEXT, split in place, at PLACE: settings at the beginning
   in VARIANT's settings, the others in its command.  Return the place after
   them.  */
static char **
split_words (struct prove_variant *variant, char **place, char *text)
{
  char *rest = NULL;
  variant->command = NULL;
  for (char *word = strtok_r (text, BLANKS, &rest); word != NULL;
       word = strtok_r (NULL, BLANKS, &rest))
    {
      if (variant->command == NULL && !is_setting (word))
	variant->command = ++place;
      *place++ = word;
    }
  if (variant->command == NULL)
    variant->command = ++place;
  return place;
}

/* Set VARIANT's words from COMMAND, OPERANDS, and the setting PRELOAD, which
   may be empty.  */
static bool
make_words (struct prove_variant *variant, char *preload, const char *command,
	    char **operands)
{
  static char shell[] = "/bin/sh";
  static char option[] = "-c";
  static char shell_name[] = "sh";
  size_t most = strlen (command) + 8;
  for (char **operand = operands; *operand != NULL; operand++)
    most++;
  bool has_shell = needs_shell (command);
  const char *end = has_shell && operands[0] != NULL ? " \"$@\"" : "";
  variant->words = calloc (most, sizeof *variant->words);
  if (variant->words == NULL
      || asprintf (&variant->text, "%s%c%s%s", preload, '\0', command, end) < 0)
    {
      variant->text = NULL;
      return false;
    }
  char *text = variant->text + strlen (preload) + 1;
  char **place = variant->settings = variant->words;
  if (*preload != '\0')
    *place++ = variant->text;
  if (has_shell)
    {
      char *words[] = { shell, option, text, shell_name, NULL };
      variant->command = ++place;
      place = add_words (place, words);
    }
  else
    place = split_words (variant, place, text);
  add_words (place, operands);
  return true;
}

/* Set VARIANT from TEXT, OPERANDS, and ALLOCATOR, NULL if none is named.  */
static bool
make_variant (struct prove_variant *variant, const char *text, char **operands,
	      const char *allocator)
{
  size_t bytes = strcspn (text, "=");
  const char *library = NULL;
  if (allocator != NULL)
    find_library (allocator, &library);
  variant->allocator = allocator;
  if (asprintf (&variant->name, "%.*s%s%s", (int) bytes, text,
		allocator != NULL ? ", " : "",
		allocator != NULL ? allocator : "")
      < 0)
    {
      variant->name = NULL;
      return false;
    }
  char *preload = make_preload (library);
  bool is_done = preload != NULL
		 && make_words (variant, preload, text + bytes + 1, operands);
  free (preload);
  return is_done;
}

/* Set PROVE's variants from COUNT TEXTS and the allocators in NAMED.  */
static bool
make_variants (struct prove *prove, const char *const *texts, size_t count,
	       char **operands, const struct variant_texts *named)
{
  size_t allocator_count
    = named->allocator_count > 0 ? named->allocator_count : 1;
  prove->variants = calloc (count * allocator_count, sizeof *prove->variants);
  if (prove->variants == NULL)
    return false;
  for (size_t i = 0; i < allocator_count; i++)
    for (size_t j = 0; j < count; j++)
      {
	struct prove_variant *variant = &prove->variants[prove->variant_count];
	variant->base = prove->variant_count++ - j;
	if (!make_variant (variant, texts[j], operands, named->allocators[i]))
	  return false;
      }
  return true;
}

/* Check that all allocators of TEXTS can be used.  */
static bool
check_allocators (const struct variant_texts *texts)
{
  struct profile_error err;
  for (size_t i = 0; i < texts->allocator_count; i++)
    {
      const char *library;
      if (find_library (texts->allocators[i], &library) && library != NULL
	  && !check_library (library, &err))
	{
	  diagnostics_error (&err);
	  return false;
	}
    }
  return true;
}

/* Return true if COMMAND is only blanks and settings.  */
static bool
is_incomplete (const char *command)
{
  if (needs_shell (command))
    return false;
  for (command += strspn (command, BLANKS); *command != '\0';
       command += strspn (command, BLANKS))
    {
      if (!is_setting (command))
	return false;
      command += strcspn (command, BLANKS);
    }
  return true;
}

/* Return true if each of TEXTS is a command together with OPERANDS.  */
static bool
check_commands (const struct variant_texts *texts, char **operands)
{
  if (operands[0] != NULL)
    return true;
  if (texts->variant_count == 0)
    {
      diagnostics_usage ("prove", "no command given");
      return false;
    }
  for (size_t i = 0; i < texts->variant_count; i++)
    {
      const char *command = strchr (texts->variants[i], '=') + 1;
      if (!is_incomplete (command))
	continue;
      diagnostics_usage ("prove", "variant '%.*s' has no command",
			 (int) (command - 1 - texts->variants[i]),
			 texts->variants[i]);
      return false;
    }
  return true;
}

bool
variant_texts_expand (const struct variant_texts *texts, char **operands,
		      struct prove *prove, enum exit_status *status)
{
  *status = STATUS_USAGE;
  if (!check_commands (texts, operands))
    return false;
  *status = STATUS_FAILED;
  if (!check_allocators (texts))
    return false;
  bool is_default = texts->variant_count == 0;
  if (make_variants (prove, is_default ? default_variants : texts->variants,
		     is_default
		       ? sizeof default_variants / sizeof *default_variants
		       : texts->variant_count,
		     operands, texts))
    return true;
  *status = diagnostics_memory ();
  return false;
}
