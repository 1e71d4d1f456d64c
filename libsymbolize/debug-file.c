/* The separate debug file of a binary.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "debug-file.h"
#include "debug-server.h"
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define CHECKED_AT_ONCE 65536

/* Search criteria and result.  */
struct search
{
  const unsigned char *build_id;
  int build_id_bytes;	     /* 0: it has none */
  const char *name;	     /* of the debug file */
  const GElf_Word *checksum; /* of its bytes; NULL: unknown */
  struct stat binary;	     /* must differ from the debug file */
  char *found;		     /* its path, malloced */
};

/* Return true if the file of DESCRIPTOR has CHECKSUM.  */
static bool
has_checksum (int descriptor, GElf_Word checksum)
{
  unsigned char bytes[CHECKED_AT_ONCE];
  uLong sum = crc32 (0, NULL, 0);
  off_t offset = 0;
  ssize_t n;
  while ((n = pread (descriptor, bytes, sizeof bytes, offset)) > 0)
    {
      sum = crc32 (sum, bytes, (uInt) n);
      offset += n;
    }
  return n == 0 && sum == checksum;
}

/* Return true if the file of DESCRIPTOR has the build ID of SEARCH.  */
static bool
has_build_id (int descriptor, const struct search *search)
{
  const void *found;
  Elf *elf = elf_begin (descriptor, ELF_C_READ_MMAP, NULL);
  ssize_t size = elf != NULL ? dwelf_elf_gnu_build_id (elf, &found) : 0;
  bool is_same = size == search->build_id_bytes
		 && memcmp (found, search->build_id, (size_t) size) == 0;
  elf_end (elf);
  return is_same;
}

/* Return true if the file of DESCRIPTOR is the debug file.  */
static bool
is_debug_file (int descriptor, const struct search *search)
{
  struct stat status;
  if (fstat (descriptor, &status) != 0 || !S_ISREG (status.st_mode)
      || (status.st_dev == search->binary.st_dev
	  && status.st_ino == search->binary.st_ino))
    return false;
  if (search->build_id_bytes > 0)
    return has_build_id (descriptor, search);
  return search->checksum == NULL
	 || has_checksum (descriptor, *search->checksum);
}

/* Try the folder FIRST, of LENGTH bytes, and BELOW inside it, which may be
   empty.  Return a descriptor or -1.  */
static int
try_folder (struct search *search, const char *first, int length,
	    const char *below)
{
  char *path;
  if (asprintf (&path, "%.*s%s%s%s%s", length, first, length > 0 ? "/" : "",
		below, *below != '\0' ? "/" : "", search->name)
      < 0)
    return -1;
  int descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0 && is_debug_file (descriptor, search))
    {
      search->found = path;
      return descriptor;
    }
  if (descriptor >= 0)
    close (descriptor);
  free (path);
  return -1;
}

/* Try the copy of the absolute FOLDER below ROOT, of LENGTH bytes, then the
   copies of FOLDER without its first components, as needed on machines where /
   and /usr are merged.  */
static int
try_tree (struct search *search, const char *root, int length,
	  const char *folder)
{
  int descriptor = -1;
  if (*folder != '/')
    return -1;
  while (folder != NULL && descriptor < 0)
    {
      descriptor = try_folder (search, root, length, folder + 1);
      folder = strchr (folder + 1, '/');
    }
  return descriptor >= 0 ? descriptor : try_folder (search, root, length, "");
}

/* Search in FOLDERS, which apply to a binary in FOLDER.  */
static int
try_folders (struct search *search, const char *folders, const char *folder)
{
  int descriptor = -1;
  while (descriptor < 0)
    {
      int length = (int) strcspn (folders, ":");
      char *below = strndup (folders, (size_t) length);
      if (below == NULL)
	return -1;
      if (*folders == '/')
	descriptor = try_tree (search, folders, length, folder);
      else
	descriptor = try_folder (search, folder, (int) strlen (folder), below);
      free (below);
      if (folders[length] == '\0')
	break;
      folders += length + 1;
    }
  return descriptor;
}

/* Search for the debug file of the binary PATH.  */
static int
try_beside (struct search *search, const char *folders, const char *path)
{
  const char *slash = strrchr (path, '/');
  char *folder
    = slash == path
	? strdup ("/.")
	: strndup (path, slash != NULL ? (size_t) (slash - path) : 0);
  char *name = NULL;
  int descriptor = -1;
  if (folder != NULL && search->name == NULL
      && asprintf (&name, "%s.debug", slash != NULL ? slash + 1 : path) >= 0)
    search->name = name;
  if (folder != NULL && search->name != NULL)
    descriptor = try_folders (search, folders, folder);
  if (name != NULL)
    search->name = NULL;
  free (name);
  free (folder);
  return descriptor;
}

/* The same, then with the path that PATH is a link to.  */
static int
try_paths (struct search *search, const char *folders, const char *path)
{
  if (stat (path, &search->binary) != 0)
    return -1;
  int descriptor = try_beside (search, folders, path);
  char *real = descriptor < 0 ? realpath (path, NULL) : NULL;
  if (real != NULL && strcmp (real, path) != 0)
    descriptor = try_beside (search, folders, real);
  free (real);
  return descriptor;
}

/* Search in the folders of build IDs in each absolute folder of FOLDERS.  */
static int
try_build_id (struct search *search, const char *folders)
{
  char name[2 * UINT8_MAX + sizeof ".build-id//.debug"];
  if (search->build_id_bytes <= 1 || search->build_id_bytes > UINT8_MAX)
    return -1;
  char *end = name + sprintf (name, ".build-id/%02x/", search->build_id[0]);
  for (int i = 1; i < search->build_id_bytes; i++)
    end += sprintf (end, "%02x", search->build_id[i]);
  strcpy (end, ".debug");
  const char *given = search->name;
  int descriptor = -1;
  search->name = name;
  while (*folders != '\0' && descriptor < 0)
    {
      int length = (int) strcspn (folders, ":");
      if (*folders == '/')
	descriptor = try_folder (search, folders, length, "");
      folders += length;
      folders += *folders == ':';
    }
  search->name = given;
  /* It is a link, and a package of split units is beside what it leads to.  */
  char *real = descriptor >= 0 ? realpath (search->found, NULL) : NULL;
  if (real != NULL)
    {
      free (search->found);
      search->found = real;
    }
  return descriptor;
}

/* Return the descriptor of MODULE's debug file, for which DIRECTORIES are
   searched; -1 if there is none.  */
static int
find_file (Dwfl_Module *module, const char *directories, const char *file_name,
	   const char *debug_link, GElf_Word checksum, char **debug_file_name)
{
  GElf_Addr where;
  struct search search
    = { .name = debug_link, .checksum = debug_link != NULL ? &checksum : NULL };
  int size = dwfl_module_build_id (module, &search.build_id, &where);
  search.build_id_bytes = size > 0 ? size : 0;
  int descriptor = try_build_id (&search, directories);
  if (descriptor < 0 && file_name != NULL)
    descriptor = try_paths (&search, directories, file_name);
  if (descriptor < 0)
    descriptor
      = debug_server_fetch (DEBUG_SERVER_INFO, search.build_id,
			    (size_t) search.build_id_bytes, &search.found);
  /* libdwfl asks again after a file that it could not read.  */
  free (*debug_file_name);
  *debug_file_name = search.found;
  errno = 0;
  return descriptor;
}

int
debug_file_find (Dwfl_Module *module, void **userdata, const char *module_name,
		 Dwarf_Addr base, const char *file_name, const char *debug_link,
		 GElf_Word checksum, char **debug_file_name)
{
  struct debug_search *found = *userdata;
  /* libdwfl reads its own list of folders from the same text.  */
  void *directories = found->directories;
  /* Without a checksum it is the common file that dwz created for several
     files.  */
  bool is_common = debug_link != NULL && checksum == 0;
  if (is_common)
    return dwfl_standard_find_debuginfo (module, &directories, module_name,
					 base, file_name, debug_link, checksum,
					 debug_file_name);
  int descriptor = find_file (module, found->directories, file_name, debug_link,
			      checksum, debug_file_name);
  if (descriptor < 0 || found->content != NULL)
    return descriptor;
  int copy = debug_content_open (descriptor, &found->content);
  if (copy < 0)
    return descriptor;
  close (descriptor);
  return copy;
}
