/* Paths of raw profiles.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "path.h"
#include "abi-symbols.h"
#include "bytes.h"
#include "format.h"
#include "log.h"
#include "memory-map.h"
#include "options.h"
#include "sys.h"
#include "text.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>

#define DEFAULT_NAME "%n.%p.hpraw"

/* Default: the compiler was given no folder.  */
const char __heapprof_directory[] __attribute__ ((weak)) = "";

static char program[RT_PATH_BYTES];
static char called[256]; /* the program's name as its user called it */
static char pattern[2 * RT_PATH_BYTES]; /* absolute */
static uint64_t start_seconds;

static const char *
last_component (const char *path)
{
  const char *const slash = text_find_last (path, '/');
  return slash == NULL ? path : slash + 1;
}

bool
rt_path_expand (const char *text, const struct rt_path_facts *facts, char *path,
		size_t bytes)
{
  size_t used = 0;
  for (; *text != '\0'; text++)
    {
      char piece[2] = { *text, '\0' };
      char number[24];
      const char *add = piece;
      const char letter = *text == '%' ? text[1] : '\0';
      if (letter == 'p' || letter == 't')
	{
	  rt_format (number, sizeof number, "%u",
		     letter == 'p' ? facts->pid : facts->start_seconds);
	  add = number;
	}
      else if (letter == 'n')
	add = facts->program;
      else if (letter == 'h')
	add = facts->host;
      if (add != piece || letter == '%')
	text++;
      const size_t n = own_strlen (add);
      if (n >= bytes - used)
	return false;
      own_memcpy (path + used, add, n);
      used += n;
    }
  path[used] = '\0';
  return true;
}

/* True if PATH is a folder.  Creating an existing one may fail with any
   error.  */

static bool
is_folder (const char *path)
{
  const int fd = sys_open (path, O_PATH | O_DIRECTORY, 0);
  if (fd >= 0)
    sys_close (fd);
  return fd >= 0;
}

const char *
rt_path_advice (int error)
{
  static char advice[80];
  advice[0] = '\0';
  if (error == -ENOENT)
    return "; after chroot, the folder must exist below the new root, too";
  if (error == -EACCES || error == -EPERM || error == -EROFS)
    rt_format (advice, sizeof advice,
	       "; choose a folder that user %u can write to, with option file=",
	       (uint64_t) sys_user ());
  return advice;
}

/* Create the folders in PATH; return false, with a message, if that fails.  */

static bool
make_folders (char *path)
{
  for (char *slash = text_find (path + 1, '/'); slash != NULL;
       slash = text_find (slash + 1, '/'))
    {
      *slash = '\0';
      const int error = sys_make_directory (path, 0777);
      const bool made = error == 0 || error == -EEXIST || is_folder (path);
      if (!made)
	rt_log ("%s: cannot create folder: %e; no profile is written%s", path,
		error, rt_path_advice (error));
      *slash = '/';
      if (!made)
	return false;
    }
  return true;
}

bool
rt_path_choose (char *path, size_t bytes)
{
  char host[256] = "localhost";
  sys_host_name (host, sizeof host);
  const struct rt_path_facts facts = { .program = called,
				       .host = host,
				       .pid = (uint64_t) sys_pid (),
				       .start_seconds = start_seconds };
  if (pattern[0] == '\0' || !rt_path_expand (pattern, &facts, path, bytes))
    {
      rt_log ("raw profile path too long; no profile is written");
      return false;
    }
  return make_folders (path);
}

const char *
rt_path_of_program (void)
{
  return program;
}

/* Store the folder of FILE's path in FOLDER; empty if it has none.  */

static void
folder_of (const char *file, char *folder, size_t bytes)
{
  const size_t n = (size_t) (last_component (file) - file);
  folder[0] = '\0';
  if (n == 0 || n >= bytes)
    return;
  own_memcpy (folder, file, n);
  folder[n] = '\0';
}

/* Add TEXT to the pattern, doubling percent signs, which are literal in
   existing folders.  */

static void
add_literally (const char *text)
{
  size_t used = own_strlen (pattern);
  for (; *text != '\0' && used + 2 < sizeof pattern; text++)
    {
      if (*text == '%')
	pattern[used++] = '%';
      pattern[used++] = *text;
    }
  pattern[used] = '\0';
}

static void
add (const char *text)
{
  const size_t used = own_strlen (pattern);
  const size_t n = own_strlen (text);
  if (n >= sizeof pattern - used)
    pattern[0] = '\0';
  else
    own_memcpy (pattern + used, text, n + 1);
}

/* If MAPPING has the program's headers, its file is the program.  */

static void
recognize_program (const struct sys_mapping *mapping, void *data)
{
  const uintptr_t headers = *(const uintptr_t *) data;
  if (mapping->start <= headers && headers < mapping->end
      && mapping->path[0] != '\0')
    text_copy (program, mapping->path, sizeof program);
}

static void
find_program (void)
{
  if (!sys_read_link ("/proc/self/exe", program, sizeof program))
    text_copy (program, "program", sizeof program);
  /* The file that the kernel started may be the dynamic linker, with the
     program as its argument: no other one has been loaded for it.  glibc then
     replaces the headers' address.  */
  uintptr_t headers = sys_auxiliary (AT_PHDR);
  if (headers != 0 && sys_auxiliary (AT_BASE) == 0)
    sys_visit_mappings (recognize_program, &headers);
}

static bool
is_same_file (const char *path1, const char *path2)
{
  const char *const paths[] = { path1, path2 };
  uint64_t device[2], inode[2];
  bool known = true;
  for (unsigned i = 0; i < 2 && known; i++)
    {
      const int fd = sys_open (paths[i], O_PATH, 0);
      known = fd >= 0 && sys_file_id (fd, &device[i], &inode[i]) == 0;
      if (fd >= 0)
	sys_close (fd);
    }
  return known && device[0] == device[1] && inode[0] == inode[1];
}

/* The program may have been started by the name of a symbolic link to it:
   redis-server is one to redis-check-rdb.  A script's name is not the
   program's, nor is that of a descriptor.  */

static void
find_called (void)
{
  const char *const path = (const char *) (uintptr_t) sys_auxiliary (AT_EXECFN);
  const char *const own = last_component (program);
  text_copy (called, own, sizeof called);
  if (path == NULL || sys_is_privileged ()
      || text_is (last_component (path), own)
      || own_strlen (last_component (path)) >= sizeof called
      || text_begins (path, "/dev/fd/") || !is_same_file (path, program))
    return;
  text_copy (called, last_component (path), sizeof called);
}

void
rt_path_start (void)
{
  static char text[RT_PATH_BYTES];
  find_program ();
  find_called ();
  start_seconds = sys_calendar_ns () / 1000000000u;

  pattern[0] = '\0';
  const char *name = rt_options.file;
  text[0] = '\0';
  if (name[0] == '\0' && __heapprof_directory[0] != '\0')
    {
      text_copy (text, __heapprof_directory, sizeof text - 1);
      const size_t length = own_strlen (text);
      text[length] = '/';
      text[length + 1] = '\0';
    }
  else if (name[0] == '\0' && __memprof_profile_filename != NULL)
    folder_of (__memprof_profile_filename, text, sizeof text);
  if (name[0] == '\0')
    name = DEFAULT_NAME;

  const char first = text[0] != '\0' ? text[0] : name[0];
  static char current[RT_PATH_BYTES];
  if (first != '/')
    {
      /* A removed folder has no name and cannot hold files.  */
      if (!sys_current_directory (current, sizeof current))
	text_copy (current, ".", sizeof current);
      add_literally (current);
      add ("/");
    }
  add_literally (text);
  add (name);
}
