/* The exec functions, which end the program if they succeed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The C library's versions call its own execve, not ours, so all are replaced.
   A vfork child may call any of them.  It shares its parent's memory: so memory
   is allocated only on the stack, and nothing else changes until it is clear
   that the process owns the profile.

   The kernel reports only failure.  So the complete profile replaces the
   running one before the call, and if the call returns, the running one is
   restored.  Each time a complete file is renamed, so a valid file exists at
   every moment.  Threads wait meanwhile, so that nothing is counted in
   between.  */

#include "abi-symbols.h"
#include "bytes.h"
#include "dump.h"
#include "ending.h"
#include "gate.h"
#include "sys.h"
#include "text.h"
#include "thread.h"
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

/* True if the call may succeed.  Searches along PATH fail most of the time;
   this detects missing files without writing a profile.  */

static bool
is_there (int folder, const char *path, int flags)
{
  if ((flags & AT_EMPTY_PATH) != 0 && path != NULL && *path == '\0')
    return true;
  const int fd = sys_open_at (folder, path, O_PATH);
  if (fd >= 0)
    sys_close (fd);
  /* Having too many open files, or a filter of system calls, does not matter to
     exec.  */
  return fd >= 0 || fd == -EMFILE || fd == -ENFILE || fd == -EPERM
	 || fd == -ENOSYS;
}

/* Complete the profile and execute PATH in FOLDER, like execveat.  On failure
   restore the profile and return a negative errno.  */

static int
exec_at (int folder, const char *path, char *const *arguments,
	 char *const *environment, int flags)
{
  if (!rt_gate_is_mine () || rt_is_inside () || !is_there (folder, path, flags))
    return sys_exec (folder, path, arguments, environment, flags);
  rt_enter ();
  const bool is_complete = rt_suspend ();
  if (is_complete)
    rt_ending_allow ();
  const int error = sys_exec (folder, path, arguments, environment, flags);
  if (is_complete)
    {
      rt_ending_forbid ();
      rt_continue ();
    }
  rt_leave ();
  return error;
}

static int
fail (int error)
{
  errno = -error;
  return -1;
}

ENTRY int
execve (const char *path, char *const arguments[], char *const environment[])
{
  return fail (exec_at (AT_FDCWD, path, arguments, environment, 0));
}

ENTRY int
execv (const char *path, char *const arguments[])
{
  return fail (exec_at (AT_FDCWD, path, arguments, __environ, 0));
}

ENTRY int
execveat (int folder, const char *path, char *const arguments[],
	  char *const environment[], int flags)
{
  return fail (exec_at (folder, path, arguments, environment, flags));
}

ENTRY int
fexecve (int fd, char *const arguments[], char *const environment[])
{
  if (fd < 0)
    return fail (-EINVAL);
  return fail (exec_at (fd, "", arguments, environment, AT_EMPTY_PATH));
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
  return exec_at (AT_FDCWD, words[0], words, environment, 0);
}

static int
execute (const char *path, char *const *arguments, char *const *environment)
{
  const int error = exec_at (AT_FDCWD, path, arguments, environment, 0);
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
  return fail (exec_at (AT_FDCWD, path, words, __environ, 0));
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
  return fail (exec_at (AT_FDCWD, path, words, environment, 0));
}
