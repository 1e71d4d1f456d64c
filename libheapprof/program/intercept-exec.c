/* The exec functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The C library's versions call its own execve, not ours, so all are replaced.
   A vfork child may call any of them, so memory is allocated only on the
   stack.  */

#include "abi-symbols.h"
#include "bytes.h"
#include "exec.h"
#include "sys.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#define ENTRY RT_ENTRY

/* Folders to search for programs if PATH is not set.  */
#define DEFAULT_PATH "/bin:/usr/bin"

ENTRY int execveat (int folder, const char *path, char *const arguments[],
		    char *const environment[], int flags);

static int
fail (int error)
{
  errno = -error;
  return -1;
}

ENTRY int
execve (const char *path, char *const arguments[], char *const environment[])
{
  return fail (rt_exec (AT_FDCWD, path, arguments, environment, 0));
}

ENTRY int
execv (const char *path, char *const arguments[])
{
  return fail (rt_exec (AT_FDCWD, path, arguments, __environ, 0));
}

ENTRY int
execveat (int folder, const char *path, char *const arguments[],
	  char *const environment[], int flags)
{
  return fail (rt_exec (folder, path, arguments, environment, flags));
}

ENTRY int
fexecve (int fd, char *const arguments[], char *const environment[])
{
  if (fd < 0)
    return fail (-EINVAL);
  return fail (rt_exec (fd, "", arguments, environment, AT_EMPTY_PATH));
}

/* Return the number of words of ARGUMENTS, including the end.  */

static size_t
count_words (char *const *arguments)
{
  size_t count = 1;
  while (arguments[count - 1] != NULL)
    count++;
  return count;
}

/* Execute PATH by the shell, as the kernel does not know its format.  The words
   are on the stack, where a vfork child leaves nothing behind.  */

static __attribute__ ((noinline)) int
execute_script (const char *path, char *const *arguments,
		char *const *environment)
{
  const size_t count = count_words (arguments);
  char **const words = __builtin_alloca ((count + 2) * sizeof *words);
  words[0] = (char *) "/bin/sh";
  words[1] = (char *) path;
  words[2] = NULL;
  for (size_t i = 1; i < count; i++)
    words[i + 1] = arguments[i];
  return rt_exec (AT_FDCWD, words[0], words, environment, 0);
}

static int
execute (const char *path, char *const *arguments, char *const *environment)
{
  const int error = rt_exec (AT_FDCWD, path, arguments, environment, 0);
  return error == -ENOEXEC ? execute_script (path, arguments, environment)
			   : error;
}

static const char *
search_path (void)
{
  const char *const path = environment_value ("PATH");
  return path != NULL ? path : DEFAULT_PATH;
}

/* Store the first folder of the list FOLDER, a slash and NAME in PATH, which
   has BYTES bytes; return false if they do not fit.  An empty folder is the
   current one.  */

static bool
join (const char *folder, const char *name, char *path, size_t bytes)
{
  size_t used = 0;
  for (; *folder != '\0' && *folder != ':' && used < bytes; folder++)
    path[used++] = *folder;
  if (used > 0 && used < bytes)
    path[used++] = '/';
  for (; *name != '\0' && used < bytes; name++)
    path[used++] = *name;
  if (used < bytes)
    path[used] = '\0';
  return used < bytes;
}

/* Return the rest of the list after its first folder, or NULL.  */

static const char *
next_folder (const char *folder)
{
  while (*folder != '\0' && *folder != ':')
    folder++;
  return *folder == ':' ? folder + 1 : NULL;
}

/* True if the search continues after ERROR.  */

static bool
is_elsewhere (int error)
{
  switch (-error)
    {
    case EACCES:
    case ENOENT:
    case ESTALE:
    case ENOTDIR:
    case ENODEV:
    case ETIMEDOUT:
      return true;
    default:
      return false;
    }
}

static int
search (const char *name, char *const *arguments, char *const *environment)
{
  char path[PATH_MAX + NAME_MAX + 2];
  int error = -ENOENT;
  bool denied = false;
  if (own_strlen (name) > NAME_MAX)
    return -ENAMETOOLONG;
  for (const char *folder = search_path (); folder != NULL;
       folder = next_folder (folder))
    {
      if (!join (folder, name, path, sizeof path))
	continue;
      error = execute (path, arguments, environment);
      denied |= error == -EACCES;
      if (!is_elsewhere (error))
	return error;
    }
  return denied ? -EACCES : error;
}

static int
execute_named (const char *name, char *const *arguments,
	       char *const *environment)
{
  if (*name == '\0')
    return -ENOENT;
  return text_find (name, '/') != NULL ? execute (name, arguments, environment)
				       : search (name, arguments, environment);
}

ENTRY int
execvpe (const char *name, char *const arguments[], char *const environment[])
{
  return fail (execute_named (name, arguments, environment));
}

ENTRY int
execvp (const char *name, char *const arguments[])
{
  return fail (execute_named (name, arguments, __environ));
}

/* Count the words from FIRST on in LIST, including the end.  */

static size_t
count_list (const char *first, va_list list)
{
  size_t count = 1;
  for (const char *word = first; word != NULL;
       word = va_arg (list, const char *))
    count++;
  return count;
}

static void
take_list (char **words, const char *first, va_list list)
{
  words[0] = (char *) first;
  for (size_t i = 0; words[i] != NULL; i++)
    words[i + 1] = va_arg (list, char *);
}

/* Define WORDS, the words from FIRST on in a function's arguments; LIST is then
   after them.  */
#define WORDS(words, list, first)                                              \
  va_list list;                                                                \
  va_start (list, first);                                                      \
  const size_t words##_count = count_list (first, list);                       \
  va_end (list);                                                               \
  char **const words = __builtin_alloca (words##_count * sizeof *words);       \
  va_start (list, first);                                                      \
  take_list (words, first, list)

ENTRY int
execl (const char *path, const char *first, ...)
{
  WORDS (words, list, first);
  va_end (list);
  return fail (rt_exec (AT_FDCWD, path, words, __environ, 0));
}

ENTRY int
execlp (const char *name, const char *first, ...)
{
  WORDS (words, list, first);
  va_end (list);
  return fail (execute_named (name, words, __environ));
}

ENTRY int
execle (const char *path, const char *first, ...)
{
  WORDS (words, list, first);
  char *const *const environment = va_arg (list, char *const *);
  va_end (list);
  return fail (rt_exec (AT_FDCWD, path, words, environment, 0));
}
