/* Finding the file on this machine that is a module of a profile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "object-finder.h"
#include "debug-server.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_DEBUG_DIRECTORY "/usr/lib/debug"

/* Room for a build ID in hexadecimal: 32 bytes are more than any linker's.  */
#define BUILD_ID_TEXT_BYTES 65

struct named_file
{
  const char *path;
  uint8_t *build_id;
  size_t build_id_bytes;
  bool has_debug_info;
  bool is_used;
  struct profile_error refusal; /* its cause is why it was rejected for the
				   module of its name; empty if it was not
				   requested */
};

struct object_finder
{
  const char *debug_directories;
  struct named_file *named;
  size_t named_count;
  size_t named_capacity;
};

const char *
build_id_text (char *text, size_t text_bytes, const uint8_t *build_id,
	       size_t size)
{
  if (size == 0)
    snprintf (text, text_bytes, "none");
  for (size_t i = 0; i < size && 2 * i + 3 <= text_bytes; i++)
    snprintf (text + 2 * i, text_bytes - 2 * i, "%02x", build_id[i]);
  return text;
}

struct object_finder *
object_finder_new (const char *debug_directories)
{
  struct object_finder *finder = calloc (1, sizeof *finder);
  if (finder != NULL)
    finder->debug_directories = debug_directories;
  return finder;
}

void
object_finder_free (struct object_finder *finder)
{
  if (finder == NULL)
    return;
  for (size_t i = 0; i < finder->named_count; i++)
    free (finder->named[i].build_id);
  free (finder->named);
  free (finder);
}

static bool
grow (struct object_finder *finder)
{
  if (finder->named_count < finder->named_capacity)
    return true;
  size_t capacity = finder->named_capacity > 0 ? 2 * finder->named_capacity : 8;
  void *grown = realloc (finder->named, capacity * sizeof *finder->named);
  if (grown == NULL)
    return false;
  finder->named = grown;
  finder->named_capacity = capacity;
  return true;
}

bool
object_finder_add (struct object_finder *finder, const char *path,
		   struct profile_error *err)
{
  struct object_file *file
    = object_file_open (path, finder->debug_directories, err);
  if (file == NULL)
    return false;
  size_t size;
  const uint8_t *build_id = object_file_build_id (file, &size);
  uint64_t bias;
  struct debug_content *content;
  struct named_file named = { .path = path, .build_id_bytes = size };
  named.has_debug_info
    = object_file_partial_info (file, &bias, &content) != NULL;
  named.build_id = malloc (size > 0 ? size : 1);
  bool is_done = named.build_id != NULL && grow (finder);
  if (is_done)
    {
      if (size > 0)
	memcpy (named.build_id, build_id, size);
      finder->named[finder->named_count++] = named;
    }
  else
    {
      free (named.build_id);
      profile_error_set_memory (err, path);
    }
  object_file_close (file);
  return is_done;
}

const char *
object_finder_unused (const struct object_finder *finder, size_t number,
		      const char **why)
{
  for (size_t i = 0; i < finder->named_count; i++)
    if (!finder->named[i].is_used && number-- == 0)
      {
	*why = finder->named[i].refusal.cause;
	return finder->named[i].path;
      }
  return NULL;
}

static const char *
last_component (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* Return true if NAMED, a file that the user named, is the module.  */
static bool
is_module (const struct named_file *named, const char *path,
	   const uint8_t *build_id, size_t size)
{
  if (size == 0)
    return strcmp (last_component (named->path), last_component (path)) == 0;
  return named->build_id_bytes == size
	 && memcmp (named->build_id, build_id, size) == 0;
}

/* Set *ERR: the file PATH has the build ID of FOUND_SIZE bytes at FOUND, not
   that of SIZE bytes at WANTED, as in the profile.  */
static void
set_other_build (struct profile_error *err, const char *path,
		 const uint8_t *found, size_t found_size, const uint8_t *wanted,
		 size_t size)
{
  char wanted_text[BUILD_ID_TEXT_BYTES];
  char found_text[BUILD_ID_TEXT_BYTES];
  profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
		     "another build: its build ID is %s, the "
		     "profile has %s",
		     build_id_text (found_text, sizeof found_text, found,
				    found_size),
		     build_id_text (wanted_text, sizeof wanted_text, wanted,
				    size));
}

/* Note that NAMED is not the module, if it has its name.  Of several builds the
   least is reported, so that the order of requests does not matter.  */
static void
note_refusal (struct named_file *named, const char *path,
	      const uint8_t *build_id, size_t size)
{
  struct profile_error refusal;
  if (size == 0
      || strcmp (last_component (named->path), last_component (path)) != 0)
    return;
  set_other_build (&refusal, named->path, named->build_id,
		   named->build_id_bytes, build_id, size);
  if (*named->refusal.cause == '\0'
      || strcmp (refusal.cause, named->refusal.cause) < 0)
    named->refusal = refusal;
}

/* Return the best matching file that the user named: one with debug information
   if there are several, such as a stripped program and its debug file.  */
static struct object_file *
find_named (struct object_finder *finder, const char *path,
	    const uint8_t *build_id, size_t size, struct profile_error *err)
{
  struct named_file *best = NULL;
  for (size_t i = 0; i < finder->named_count; i++)
    {
      struct named_file *named = &finder->named[i];
      if (!is_module (named, path, build_id, size))
	{
	  note_refusal (named, path, build_id, size);
	  continue;
	}
      named->is_used = true;
      if (best == NULL || (named->has_debug_info && !best->has_debug_info))
	best = named;
    }
  if (best == NULL)
    return NULL;
  return object_file_open (best->path, finder->debug_directories, err);
}

/* Open PATH if it has the wanted build ID.  Otherwise return NULL and
   set *ABSENCE and *ERR.  */
static struct object_file *
open_if_same (struct object_finder *finder, const char *path,
	      const uint8_t *build_id, size_t size,
	      enum object_absence *absence, struct profile_error *err)
{
  struct object_file *file
    = object_file_open (path, finder->debug_directories, err);
  if (file == NULL)
    *absence = access (path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
		 ? OBJECT_NOT_THERE
		 : OBJECT_UNREADABLE;
  if (file == NULL || size == 0)
    return file;
  size_t found_size;
  const uint8_t *found = object_file_build_id (file, &found_size);
  if (found_size == size && memcmp (found, build_id, size) == 0)
    return file;
  *absence = OBJECT_OTHER_BUILD;
  set_other_build (err, path, found, found_size, build_id, size);
  object_file_close (file);
  return NULL;
}

/* Search one folder for separate debug files, DIRECTORY of LENGTH bytes: for
   the module itself, otherwise for its debug file.  */
static struct object_file *
find_in_directory (struct object_finder *finder, const char *directory,
		   int length, const uint8_t *build_id, size_t size)
{
  static const char *const suffixes[] = { ".debug", "" };
  char text[BUILD_ID_TEXT_BYTES];
  char path[PATH_MAX];
  enum object_absence no_matter;
  struct profile_error ignored;
  build_id_text (text, sizeof text, build_id, size);
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    {
      int bytes = snprintf (path, sizeof path, "%.*s/.build-id/%.2s/%s%s",
			    length, directory, text, text + 2, suffixes[i]);
      if (bytes < 0 || (size_t) bytes >= sizeof path)
	continue;
      struct object_file *file
	= open_if_same (finder, path, build_id, size, &no_matter, &ignored);
      if (file != NULL)
	return file;
    }
  return NULL;
}

static struct object_file *
find_in_directories (struct object_finder *finder, const uint8_t *build_id,
		     size_t size)
{
  const char *list = finder->debug_directories;
  if (list == NULL)
    list = DEFAULT_DEBUG_DIRECTORY;
  while (*list != '\0')
    {
      size_t length = strcspn (list, ":");
      struct object_file *file = NULL;
      if (length > 0 && length < PATH_MAX)
	file = find_in_directory (finder, list, (int) length, build_id, size);
      if (file != NULL)
	return file;
      list += length;
      list += *list == ':';
    }
  return NULL;
}

/* Ask servers for the debug information, otherwise for the binary, so that at
   least exported functions have names.  */
static struct object_file *
find_on_server (struct object_finder *finder, const uint8_t *build_id,
		size_t size)
{
  enum object_absence no_matter;
  struct profile_error ignored;
  struct object_file *file = NULL;
  for (int part = DEBUG_SERVER_INFO;
       part <= DEBUG_SERVER_EXECUTABLE && file == NULL; part++)
    {
      char *path;
      int descriptor = debug_server_fetch ((enum debug_server_part) part,
					   build_id, size, &path);
      if (descriptor < 0)
	continue;
      close (descriptor);
      file = open_if_same (finder, path, build_id, size, &no_matter, &ignored);
      free (path);
    }
  return file;
}

struct object_file *
object_finder_find_named (struct object_finder *finder, const char *path,
			  struct profile_error *err)
{
  struct object_file *file = find_named (finder, path, NULL, 0, err);
  if (file == NULL)
    profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
		       "it has no build ID, and no file with its name "
		       "was given");
  return file;
}

struct object_file *
object_finder_find (struct object_finder *finder, const char *path,
		    const uint8_t *build_id, size_t size,
		    enum object_absence *absence, struct profile_error *err)
{
  enum object_absence why = OBJECT_NOT_THERE;
  struct object_file *file = find_named (finder, path, build_id, size, err);
  if (file == NULL && *path != '\0')
    file = open_if_same (finder, path, build_id, size, &why, err);
  else if (file == NULL)
    profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
		       "the program had no file for it");
  if (file == NULL && size > 1)
    file = find_in_directories (finder, build_id, size);
  if (file == NULL)
    file = find_on_server (finder, build_id, size);
  if (file == NULL && absence != NULL)
    *absence = why;
  return file;
}
