/* The modules and stacks of a running process.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "process-view.h"
#include "process-maps.h"
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct process_view
{
  Dwfl *dwfl;
  Dwfl_Callbacks callbacks;
};

/* What is known about a module, as its user data.  */
enum
{
  NOT_ASKED,
  DEFINES_MALLOC,
  NO_MALLOC
};

/* No debug information is needed.  */
static int
find_no_debuginfo (Dwfl_Module *module, void **userdata, const char *name,
		   Dwarf_Addr base, const char *file, const char *link,
		   GElf_Word crc, char **result)
{
  (void) module;
  (void) userdata;
  (void) name;
  (void) base;
  (void) file;
  (void) link;
  (void) crc;
  (void) result;
  return -1;
}

/* ---- Mappings.  */

/* A mapping of a file, as the kernel lists it.  */
struct mapping
{
  char *line; /* malloced */
  const char *path;
  bool is_executable;
};

struct mappings
{
  struct mapping *list;
  size_t count;
  bool is_incomplete; /* memory was exhausted */
};

static void
release_mappings (struct mappings *mappings)
{
  for (size_t i = 0; i < mappings->count; i++)
    free (mappings->list[i].line);
  free (mappings->list);
}

/* Add MAP, if it is of a file.  */
static bool
add_mapping (const struct process_map *map, void *data)
{
  struct mappings *mappings = data;
  if (map->path == NULL)
    return true;
  struct mapping *list
    = realloc (mappings->list, (mappings->count + 1) * sizeof *list);
  char *line = strdup (map->line);
  if (list != NULL)
    mappings->list = list;
  if (list == NULL || line == NULL)
    {
      free (line);
      mappings->is_incomplete = true;
      return false;
    }
  list[mappings->count++]
    = (struct mapping){ line, line + (map->path - map->line),
			map->access[2] == 'x' };
  return true;
}

/* Read the mappings of files of process PID.  Return false if that fails.  */
static bool
read_mappings (struct mappings *mappings, pid_t pid)
{
  return process_maps_visit ((uint64_t) pid, add_mapping, mappings)
	 && !mappings->is_incomplete;
}

static bool
is_module (const struct mappings *mappings, const struct mapping *mapping)
{
  for (size_t i = 0; i < mappings->count; i++)
    if (mappings->list[i].is_executable
	&& strcmp (mappings->list[i].path, mapping->path) == 0)
      return true;
  return false;
}

/* Report the modules of process PID to DWFL.  Elfutils reads the list of
   mappings, too, but does not accept files with several names, as data files
   may have.  */
static bool
report_modules (Dwfl *dwfl, pid_t pid)
{
  struct mappings mappings = { 0 };
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = open_memstream (&text, &bytes);
  bool is_done = stream != NULL && read_mappings (&mappings, pid);
  for (size_t i = 0; i < mappings.count; i++)
    if (is_done && is_module (&mappings, &mappings.list[i]))
      fprintf (stream, "%s\n", mappings.list[i].line);
  if (stream != NULL)
    is_done = fclose (stream) == 0 && is_done;
  release_mappings (&mappings);
  stream = is_done && bytes > 0 ? fmemopen (text, bytes, "r") : NULL;
  is_done = stream != NULL && dwfl_linux_proc_maps_report (dwfl, stream) == 0;
  if (stream != NULL)
    fclose (stream);
  free (text);
  return is_done;
}

/* ---- Views.  */

/* Set *ERR to what elfutils says.  */
static bool
set_error (pid_t pid, struct profile_error *err)
{
  int error = dwfl_errno ();
  return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET,
			    "process %ld: cannot read its modules: %s",
			    (long) pid,
			    error != 0 ? dwfl_errmsg (error) : "not permitted");
}

struct process_view *
process_view_open (pid_t pid, struct profile_error *err)
{
  struct process_view *view = calloc (1, sizeof *view);
  if (view == NULL)
    {
      profile_error_set_memory (err, NULL);
      return NULL;
    }
  view->callbacks.find_elf = dwfl_linux_proc_find_elf;
  view->callbacks.find_debuginfo = find_no_debuginfo;
  view->dwfl = dwfl_begin (&view->callbacks);
  if (view->dwfl != NULL && report_modules (view->dwfl, pid)
      && dwfl_report_end (view->dwfl, NULL, NULL) == 0
      && dwfl_linux_proc_attach (view->dwfl, pid, true) == 0)
    return view;
  set_error (pid, err);
  process_view_close (view);
  return NULL;
}

void
process_view_close (struct process_view *view)
{
  if (view == NULL)
    return;
  if (view->dwfl != NULL)
    dwfl_end (view->dwfl);
  free (view);
}

/* Return the address of the function NAME that MODULE defines, 0 if it does
   not.  */
static uint64_t
find_in_module (Dwfl_Module *module, const char *name)
{
  int count = dwfl_module_getsymtab (module);
  for (int i = 1; i < count; i++)
    {
      GElf_Sym symbol;
      GElf_Addr address;
      GElf_Word section;
      const char *text = dwfl_module_getsym_info (module, i, &symbol, &address,
						  &section, NULL, NULL);
      if (text != NULL && section != SHN_UNDEF
	  && GELF_ST_TYPE (symbol.st_info) == STT_FUNC
	  && GELF_ST_BIND (symbol.st_info) != STB_LOCAL
	  && strncmp (text, name, strlen (name)) == 0
	  && (text[strlen (name)] == '\0' || text[strlen (name)] == '@'))
	return address;
    }
  return 0;
}

/* Return the name of MODULE's file without folders.  */
static const char *
file_of (Dwfl_Module *module)
{
  const char *file = NULL;
  const char *name
    = dwfl_module_info (module, NULL, NULL, NULL, NULL, NULL, &file, NULL);
  if (file == NULL)
    file = name;
  const char *slash = file != NULL ? strrchr (file, '/') : NULL;
  return slash != NULL ? slash + 1 : file;
}

static bool
defines_malloc (Dwfl_Module *module)
{
  void **userdata;
  dwfl_module_info (module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
  if ((uintptr_t) *userdata == NOT_ASKED)
    *userdata = (void *) (uintptr_t) (find_in_module (module, "malloc") != 0
					? DEFINES_MALLOC
					: NO_MALLOC);
  return (uintptr_t) *userdata == DEFINES_MALLOC;
}

struct walk
{
  struct process_view *view;
  bool (*visit) (const struct process_frame *frame, void *data);
  void *data;
};

static int
visit_frame (Dwfl_Frame *state, void *data)
{
  struct walk *walk = data;
  struct process_frame frame = { 0 };
  Dwarf_Addr pc;
  if (!dwfl_frame_pc (state, &pc, &frame.is_interrupted))
    return DWARF_CB_ABORT;
  if (!frame.is_interrupted)
    pc--;
  Dwfl_Module *module = dwfl_addrmodule (walk->view->dwfl, pc);
  if (module != NULL)
    {
      GElf_Sym symbol;
      GElf_Off offset;
      const char *name
	= dwfl_module_addrinfo (module, pc, &offset, &symbol, NULL, NULL, NULL);
      frame.module = file_of (module);
      frame.function = name != NULL && offset < symbol.st_size ? name : NULL;
      frame.allocates = defines_malloc (module);
    }
  return walk->visit (&frame, walk->data) ? DWARF_CB_OK : DWARF_CB_ABORT;
}

bool
process_view_walk (struct process_view *view, pid_t thread,
		   bool (*visit) (const struct process_frame *frame,
				  void *data),
		   void *data)
{
  struct walk walk = { view, visit, data };
  return dwfl_getthread_frames (view->dwfl, thread, visit_frame, &walk) == 0;
}

struct search
{
  const char *module;
  const char *name;
  uint64_t address;
};

static int
search_module (Dwfl_Module *module, void **userdata, const char *name,
	       Dwarf_Addr start, void *data)
{
  (void) userdata;
  (void) name;
  (void) start;
  struct search *search = data;
  const char *file = file_of (module);
  if (file == NULL
      || strncmp (file, search->module, strlen (search->module)) != 0)
    return DWARF_CB_OK;
  search->address = find_in_module (module, search->name);
  return search->address != 0 ? DWARF_CB_ABORT : DWARF_CB_OK;
}

uint64_t
process_view_find (struct process_view *view, const char *module,
		   const char *name)
{
  struct search search = { module, name, 0 };
  dwfl_getmodules (view->dwfl, search_module, &search, 0);
  return search.address;
}
