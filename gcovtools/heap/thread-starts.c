/* Which thread made the allocations of each calling context.
   SPDX-License-Identifier: GPL-3.0-or-later

   A caller's number is lower than its callees', so one pass over the tree finds
   the thread of every context.  */

#include "thread-starts.h"
#include "function-id.h"
#include "function-name.h"
#include <stdlib.h>
#include <string.h>

/* The role of a frame in its thread.  */
enum frame_class
{
  FRAME_FUNCTION, /* in the program or a library */
  FRAME_NAMELESS,
  FRAME_WRAPPER, /* between start-up code and the first function */
  FRAME_START,	 /* start of a stack */
  FRAME_LOADER,	 /* start of the first thread if outermost */
  FRAME_MAIN	 /* start of the first thread, or main */
};

/* States of a context whose thread is not found yet, stored in place of its
   thread's number.  */
#define STATE_STARTING UINT32_MAX
#define STATE_NAMELESS (UINT32_MAX - 1) /* perhaps a stripped _start */

/* Functions at the start of the first thread.  */
static const char *const main_starts[] = { "main",
					   "_start",
					   "_dl_start",
					   "_dl_start_user",
					   "__libc_start_main",
					   "__libc_start_main_impl",
					   "__libc_start_call_main",
					   "generic_start_main" };

/* Functions at the start of other threads, of makecontext contexts and of
   signal handlers.  */
static const char *const stack_starts[]
  = { "clone",	      "__clone",	 "__GI___clone",
      "clone3",	      "__clone3",	 "__GI___clone3",
      "start_thread", "__start_context", "__restore_rt" };

/* Functions between those and the first function, even if statically
   linked.  */
static const char *const wrappers[]
  = { "execute_native_thread_routine", "gomp_thread_start",
      "__pthread_once_slow", "__pthread_once", "pthread_once" };

/* File name prefixes of libraries: the C library, the dynamic linker, and
   language or thread libraries that start threads on behalf of others.  */
static const char *const c_libraries[] = { "libc.so", "libc-2.", "libpthread" };
static const char *const loaders[] = { "ld-linux", "ld-2.", "ld64.so" };
static const char *const thread_libraries[]
  = { "libstdc++.so",	"libc++.so",	 "libgomp.so",
      "libomp.so",	"libtbb.so",	 "libboost_thread.so",
      "libglib-2.0.so", "libQt5Core.so", "libQt6Core.so" };

static bool
is_one_of (const char *name, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp (name, names[i]) == 0)
      return true;
  return false;
}

#define IS_ONE_OF(NAME, NAMES)                                                 \
  is_one_of (NAME, NAMES, sizeof (NAMES) / sizeof *(NAMES))

/* Return true if the file name of module PATH starts with one of NAMES.  */
static bool
is_library (const char *path, const char *const *names, size_t count)
{
  const char *slash = strrchr (path, '/');
  const char *file = slash != NULL ? slash + 1 : path;
  for (size_t i = 0; i < count; i++)
    if (strncmp (file, names[i], strlen (names[i])) == 0)
      return true;
  return false;
}

#define IS_LIBRARY(PATH, NAMES)                                                \
  is_library (PATH, NAMES, sizeof (NAMES) / sizeof *(NAMES))

bool
thread_starts_is_c_library (const char *module)
{
  return IS_LIBRARY (module, c_libraries);
}

/* Return true if FILE is a header of the C++ library.  Not all of its functions
   are in its namespace, and inlined ones may have no linkage name.  */
static bool
is_library_header (const char *file)
{
  const char *folder = strstr (file, "/include/");
  return folder != NULL && strstr (folder, "/c++/") != NULL;
}

/* Return true if FRAME is in a program without debug information.  Functions
   inlined there are unknown, so its callee need not be the first function.  */
static bool
has_no_lines (const struct heap_frame *frame)
{
  return frame->module != 0 && frame->file == 0 && frame->line_offset == 0;
}

static enum frame_class
classify (const struct heap_profile *profile, const struct heap_frame *frame,
	  uint64_t main_guid)
{
  const char *name = heap_profile_string (profile, frame->function_name);
  const char *file = heap_profile_string (profile, frame->file);
  const char *module = heap_profile_string (profile, frame->module);
  bool has_name = *name != '\0';
  bool is_c_library = IS_LIBRARY (module, c_libraries);
  bool is_loader = IS_LIBRARY (module, loaders);
  if (IS_ONE_OF (name, main_starts)
      || (!has_name && frame->function_guid == main_guid))
    return FRAME_MAIN;
  if (IS_ONE_OF (name, stack_starts) || (!has_name && is_c_library))
    return FRAME_START;
  if (!has_name && is_loader)
    return FRAME_LOADER;
  if (IS_ONE_OF (name, wrappers) || is_c_library || is_loader
      || IS_LIBRARY (module, thread_libraries)
      || (function_name_is_library (name) && !has_no_lines (frame))
      || is_library_header (file))
    return FRAME_WRAPPER;
  return has_name ? FRAME_FUNCTION : FRAME_NAMELESS;
}

/* ---- The pass over the tree.  */

struct finder
{
  struct thread_starts *starts;
  uint8_t *classes;  /* by frame */
  uint32_t *numbers; /* thread number, by name of its first function */
};

/* Return the thread that starts with the function of FRAME.  */
static uint32_t
number_of (struct finder *finder, uint32_t frame)
{
  struct thread_starts *starts = finder->starts;
  uint32_t name = heap_profile_frame (starts->profile, frame)->function_name;
  if (finder->numbers[name] == THREAD_UNKNOWN)
    {
      starts->frames[starts->count] = frame;
      finder->numbers[name] = starts->count++;
    }
  return finder->numbers[name];
}

/* Return the state of an outermost frame.  */
static uint32_t
outermost_state (struct finder *finder, uint32_t frame)
{
  const struct heap_profile *profile = finder->starts->profile;
  bool has_module = heap_profile_frame (profile, frame)->module != 0;
  switch (finder->classes[frame])
    {
    case FRAME_MAIN:
    case FRAME_LOADER:
      return THREAD_MAIN;
    case FRAME_START:
      return STATE_STARTING;
    case FRAME_NAMELESS:
      return has_module ? STATE_NAMELESS : THREAD_UNKNOWN;
    case FRAME_WRAPPER:
      return has_module ? THREAD_UNKNOWN : STATE_STARTING;
    default:
      return has_module ? THREAD_UNKNOWN : number_of (finder, frame);
    }
}

/* Return the state of FRAME whose caller has STATE.  */
static uint32_t
next_state (struct finder *finder, uint32_t state, uint32_t frame)
{
  enum frame_class class = finder->classes[frame];
  if (state != STATE_STARTING && state != STATE_NAMELESS)
    return state;
  if (class == FRAME_MAIN)
    return THREAD_MAIN;
  if (state == STATE_NAMELESS)
    return THREAD_UNKNOWN;
  return class == FRAME_FUNCTION ? number_of (finder, frame) : state;
}

static void
find_threads (struct finder *finder)
{
  struct thread_starts *starts = finder->starts;
  const struct heap_profile *profile = starts->profile;
  const uint64_t main_guid = function_guid ("main", strlen ("main"));
  uint32_t frames = heap_profile_frame_count (profile);
  uint32_t count = heap_profile_context_count (profile);
  for (uint32_t i = 0; i < frames; i++)
    finder->classes[i]
      = classify (profile, heap_profile_frame (profile, i), main_guid);
  for (uint32_t i = 1; i < count; i++)
    {
      uint32_t frame = heap_profile_context_frame (profile, i);
      uint32_t caller = heap_profile_context_caller (profile, i);
      starts->threads[i]
	= caller == 0 ? outermost_state (finder, frame)
		      : next_state (finder, starts->threads[caller], frame);
    }
  for (uint32_t i = 1; i < count; i++)
    if (starts->threads[i] >= STATE_NAMELESS)
      starts->threads[i] = THREAD_UNKNOWN;
}

bool
thread_starts_make (struct thread_starts *starts,
		    const struct heap_profile *profile)
{
  size_t frames = heap_profile_frame_count (profile);
  size_t contexts = heap_profile_context_count (profile);
  size_t strings = heap_profile_string_count (profile);
  *starts = (struct thread_starts){
    .profile = profile,
    .threads = calloc (contexts + 1, sizeof *starts->threads),
    .frames = calloc (frames + THREAD_MAIN + 1, sizeof *starts->frames),
    .count = THREAD_MAIN + 1
  };
  struct finder finder
    = { .starts = starts,
	.classes = calloc (frames + 1, sizeof *finder.classes),
	.numbers = calloc (strings + 1, sizeof *finder.numbers) };
  bool is_done = starts->threads != NULL && starts->frames != NULL
		 && finder.classes != NULL && finder.numbers != NULL;
  if (is_done)
    find_threads (&finder);
  free (finder.classes);
  free (finder.numbers);
  return is_done;
}

void
thread_starts_release (struct thread_starts *starts)
{
  free (starts->threads);
  free (starts->frames);
}

const char *
thread_starts_name (const struct thread_starts *starts, uint32_t thread)
{
  if (thread == THREAD_MAIN)
    return "main";
  const struct heap_frame *frame
    = heap_profile_frame (starts->profile, starts->frames[thread]);
  return heap_profile_string (starts->profile, frame->function_name);
}
