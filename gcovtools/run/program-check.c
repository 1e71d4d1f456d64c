/* Finding a program, and whether it can be profiled without recompiling.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "program-check.h"
#include "program-kind.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

/* What the kernel reads of a script, and how many scripts it follows.  */
#define SCRIPT_START_BYTES 256
#define MOST_SCRIPTS 4

#define BLANKS " \t"

/* ---- Finding.  */

/* Return 0 if PATH can be executed, otherwise an error number.  */
static int
execution_error (const char *path)
{
  struct stat status;
  if (stat (path, &status) != 0)
    return errno;
  if (S_ISDIR (status.st_mode))
    return EISDIR;
  if (!S_ISREG (status.st_mode) || access (path, X_OK) != 0)
    return EACCES;
  return 0;
}

/* Store the path of the program NAME in PATH, of PATH_MAX bytes.  Return 0, or
   an error number.  */
static int
find_program (const char *name, char *path)
{
  const char *folders = getenv ("PATH");
  int found_error = ENOENT;
  if (strlen (name) >= PATH_MAX)
    return ENAMETOOLONG;
  if (strchr (name, '/') != NULL)
    {
      strcpy (path, name);
      return execution_error (path);
    }
  if (*name == '\0')
    return ENOENT;
  if (folders == NULL)
    folders = "/bin:/usr/bin";
  for (;;)
    {
      int bytes = (int) strcspn (folders, ":");
      if (snprintf (path, PATH_MAX, "%.*s%s%s", bytes, folders,
		    bytes > 0 ? "/" : "./", name)
	  < PATH_MAX)
	{
	  int error = execution_error (path);
	  if (error == 0)
	    return 0;
	  if (error == EACCES)
	    found_error = error;
	}
      if (folders[bytes] == '\0')
	return found_error;
      folders += bytes + 1;
    }
}

/* ---- Rights.  */

/* Return true if a program in the file PATH with STATUS gets other rights than
   its user's, so that the dynamic linker ignores LD_PRELOAD.  */
static bool
is_privileged (const char *path, const struct stat *status)
{
  struct statvfs system;
  const mode_t group_bits = S_ISGID | S_IXGRP;
  bool changes_user
    = (status->st_mode & S_ISUID) != 0 && status->st_uid != getuid ();
  bool changes_group = (status->st_mode & group_bits) == group_bits
		       && status->st_gid != getgid ();
  bool has_capabilities
    = geteuid () != 0 && getxattr (path, "security.capability", NULL, 0) > 0;
  if (!changes_user && !changes_group && !has_capabilities)
    return false;
  return statvfs (path, &system) != 0 || (system.f_flag & ST_NOSUID) == 0;
}

/* ---- Checking.  */

/* Why the program in the file PATH of KIND cannot be profiled; NULL if it
   can.  */
static const char *
refusal (const char *path, const struct program_kind *kind)
{
  struct stat status;
  if (stat (path, &status) == 0 && is_privileged (path, &status))
    return "runs with other rights than its user's (set-user-ID or the like), "
	   "so no library can be preloaded; profile a copy without them";
  if (!kind->is_elf)
    return NULL;
  if (kind->is_32_bit)
    return "a 32-bit program; build it for " HOST_MACHINE_NAME " to profile it";
  if (!kind->is_of_machine)
    return "a program for another machine; build it for " HOST_MACHINE_NAME
	   " to profile it";
  if (kind->has_runtime)
    return NULL;
  if (kind->loader[0] == '\0')
    return "statically linked, so no library can be preloaded; link it "
	   "dynamically, or with heapprof-gcc -static";
  if (strstr (kind->loader, "/ld-musl") != NULL)
    return "uses another C library, musl; build it for the GNU C library to "
	   "profile it";
  return NULL;
}

static int check_file (const char *path, const char *script, unsigned scripts,
		       struct profile_error *err);

/* Set *ERR for ERROR, of the program NAME, run by SCRIPT unless that is NULL.
   Return the exit status.  */
static int
set_absence (const char *name, const char *script, int error,
	     struct profile_error *err)
{
  const char *cause = error == ENOENT ? "not found" : strerror (error);
  if (script == NULL)
    profile_error_set (err, name, PROFILE_ERROR_NO_OFFSET, "%s", cause);
  else
    profile_error_set (err, script, PROFILE_ERROR_NO_OFFSET,
		       "its interpreter %s: %s", name, cause);
  return error == ENOENT || error == ENOTDIR ? PROGRAM_ABSENT : PROGRAM_REFUSED;
}

/* Check the interpreter that TEXT, the first line of SCRIPT without `#!',
   names; of `env' also the program that it runs.  */
static int
check_interpreter (char *text, const char *script, unsigned scripts,
		   struct profile_error *err)
{
  char path[PATH_MAX];
  char *rest;
  const char *interpreter = strtok_r (text, BLANKS, &rest);
  if (interpreter == NULL)
    return PROGRAM_USABLE;
  int error = find_program (interpreter, path);
  if (error != 0)
    return set_absence (interpreter, script, error, err);
  int status = check_file (path, script, scripts + 1, err);
  const char *name = strrchr (interpreter, '/');
  if (status != PROGRAM_USABLE || name == NULL || strcmp (name, "/env") != 0)
    return status;
  const char *word;
  while ((word = strtok_r (NULL, BLANKS, &rest)) != NULL
	 && (word[0] == '-' || strchr (word, '=') != NULL))
    ;
  if (word == NULL)
    return status;
  error = find_program (word, path);
  return error != 0 ? set_absence (word, script, error, err)
		    : check_file (path, script, scripts + 1, err);
}

/* Read the first line of the script PATH into LINE, without `#!'.  Return false
   if it is none.  */
static bool
read_first_line (const char *path, char line[SCRIPT_START_BYTES])
{
  int descriptor = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t bytes
    = descriptor < 0 ? -1 : pread (descriptor, line, SCRIPT_START_BYTES - 1, 0);
  if (descriptor >= 0)
    close (descriptor);
  if (bytes < 2 || line[0] != '#' || line[1] != '!')
    return false;
  line[bytes] = '\0';
  line[strcspn (line, "\n")] = '\0';
  memmove (line, line + 2, strlen (line + 2) + 1);
  return true;
}

/* Check the file PATH, the SCRIPTS-th interpreter of SCRIPT unless that is
   NULL.  */
static int
check_file (const char *path, const char *script, unsigned scripts,
	    struct profile_error *err)
{
  struct program_kind kind = { 0 };
  struct profile_error ignored;
  char line[SCRIPT_START_BYTES];
  /* A program that may be executed but not read is tried.  */
  bool is_read = program_kind_read (&kind, path, &ignored);
  const char *why = refusal (path, &kind);
  if (why == NULL && !is_read)
    return PROGRAM_USABLE;
  if (why == NULL)
    return !kind.is_elf && scripts < MOST_SCRIPTS
	       && read_first_line (path, line)
	     ? check_interpreter (line, script != NULL ? script : path, scripts,
				  err)
	     : PROGRAM_USABLE;
  if (script == NULL)
    profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET, "%s", why);
  else
    profile_error_set (err, script, PROFILE_ERROR_NO_OFFSET,
		       "its interpreter %s: %s", path, why);
  return PROGRAM_REFUSED;
}

int
program_check (struct checked_program *program, const char *name,
	       struct profile_error *err)
{
  int error = find_program (name, program->path);
  if (error != 0)
    return set_absence (name, NULL, error, err);
  int status = check_file (program->path, NULL, 0, err);
  if (status != PROGRAM_USABLE)
    err->path = name;
  return status;
}
