/* Symbolization of addresses in modules, shared by all readers of a command.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "address-names.h"
#include "terminal.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Look-ups between two updates of the progress bar.  */
#define PROGRESS_STEP 256

struct address_names
{
  struct module_table modules;
  unsigned int threads; /* per reader */
  bool shows_progress;
};

/* Locations in one module, in ascending order.  */
struct run
{
  struct module *module;
  const struct location *locations;
  const struct named_address **found;
  uint32_t count;
  bool is_taken; /* guarded by the lock of the work */
};

/* Runs shared by several threads.  */
struct shared_work
{
  struct address_names *names;
  pthread_mutex_t lock;
  struct run *runs; /* by descending count */
  size_t run_count;
  size_t total; /* addresses */
  atomic_size_t done;
  atomic_bool has_failed;
};

enum named_rank
named_address_rank (const struct named_address *named)
{
  const struct symbolizer_frame *frame = &named->frames[0];
  if (named->count == 1 && frame->function == NULL)
    return NAMED_NOTHING;
  return named->count == 1 && frame->lacks_debug_info ? NAMED_FUNCTION
						      : NAMED_WHOLE;
}

struct address_names *
address_names_new (const char *debug_directories)
{
  struct address_names *names = calloc (1, sizeof *names);
  struct object_finder *finder = object_finder_new (debug_directories);
  if (names == NULL || finder == NULL)
    {
      object_finder_free (finder);
      free (names);
      return NULL;
    }
  module_table_init (&names->modules, finder);
  address_names_set_threads (names, 1, 1);
  return names;
}

void
address_names_free (struct address_names *names)
{
  if (names != NULL)
    module_table_release (&names->modules);
  free (names);
}

void
address_names_set_threads (struct address_names *names, unsigned int readers,
			   unsigned int threads)
{
  names->threads = threads;
  /* Bars of several readers would overwrite each other.  */
  names->shows_progress = readers == 1;
}

bool
address_names_add_binary (struct address_names *names, const char *path,
			  struct profile_error *err)
{
  return object_finder_add (names->modules.finder, path, err);
}

const char *
address_names_unused (const struct address_names *names, size_t number,
		      const char **why)
{
  return object_finder_unused (names->modules.finder, number, why);
}

uint32_t
address_names_module (struct address_names *names,
		      const struct module_identity *identity)
{
  size_t number = module_table_find (&names->modules, identity);
  return number < INTERPRETED_MODULE ? (uint32_t) number : NO_MODULE;
}

void
address_names_note_calls (struct address_names *names, uint32_t number,
			  bool is_called)
{
  struct module *module = module_table_at (&names->modules, number);
  pthread_mutex_lock (&module->lock);
  module_note_calls (module, is_called);
  pthread_mutex_unlock (&module->lock);
}

const char *
address_names_module_name (struct address_names *names, uint32_t number)
{
  return module_name (module_table_at (&names->modules, number));
}

const char *
address_names_module_path (struct address_names *names, uint32_t number)
{
  return module_table_at (&names->modules, number)->path;
}

void
address_names_build_id (struct address_names *names, uint32_t number,
			char *text)
{
  const struct module *module = module_table_at (&names->modules, number);
  *text = '\0';
  if (module->build_id_bytes > 0)
    build_id_text (text, 2 * HEAPPROF_RAW_BUILD_ID_BYTES + 1, module->build_id,
		   module->build_id_bytes);
}

bool
address_names_lack (struct address_names *names, uint32_t module, size_t number,
		    struct module_lack *lack)
{
  struct module *record = module_table_at (&names->modules, module);
  pthread_mutex_lock (&record->lock);
  bool is_lacking = module_lacks (record, number, lack);
  pthread_mutex_unlock (&record->lock);
  return is_lacking;
}

/* ---- One module.  */

static hashval_t
hash_address (uint64_t address)
{
  return (hashval_t) (address * UINT64_C (0x9e3779b97f4a7c15) >> 32);
}

static hashval_t
hash_named (const void *entry)
{
  return hash_address (((const struct named_address *) entry)->address);
}

static int
equal_named (const void *entry, const void *address)
{
  return ((const struct named_address *) entry)->address
	 == *(const uint64_t *) address;
}

/* A program with the static run-time library has other names for what the
   program knows as operator new[]; see rt_exact_ in
   libheapprof/program/route.h.  */
static void
set_program_name (struct symbolizer_frame *frame)
{
  static const char linked[] = "__hpr_rt_exact_";
  static const char described[] = "rt_exact_";
  const size_t n = sizeof linked - 1;
  if (frame->function == NULL || frame->function_bytes <= n
      || memcmp (frame->function, linked, n) != 0)
    return;
  frame->function += n;
  frame->function_bytes -= n;
  if (frame->described_name != NULL
      && strncmp (frame->described_name, described, sizeof described - 1) == 0)
    frame->described_name += sizeof described - 1;
}

/* Look up ADDRESS in MODULE, whose lock is held.  Return NULL if memory is
   exhausted.  */
static struct named_address *
name_address (struct address_names *names, struct module *module,
	      uint64_t address)
{
  static const struct symbolizer_frame unnamed;
  const struct symbolizer_frame *frames = &unnamed;
  size_t count = 1;
  struct symbolizer *symbolizer = NULL;
  if (module->is_runtime)
    count = 0;
  else
    symbolizer = module_symbolizer (&names->modules, module);
  if (symbolizer != NULL)
    {
      count = symbolizer_lookup (symbolizer, address, &frames);
      /* Nothing calls a function to which a coroutine was made to return: its
	 address is the return address, which is 1 more.  */
      if (count == 1 && frames[0].function == NULL)
	count = symbolizer_lookup (symbolizer, address + 1, &frames);
      if (count == 0)
	return NULL;
      module->has_name |= frames[count - 1].function != NULL;
    }
  struct named_address *named
    = malloc (sizeof *named + count * sizeof *named->frames);
  if (named == NULL)
    return NULL;
  named->address = address;
  named->count = count;
  memcpy (named->frames, frames, count * sizeof *frames);
  for (size_t i = 0; i < count; i++)
    set_program_name (&named->frames[i]);
  return named;
}

/* Return the frames of ADDRESS in MODULE, looking it up if it is new.  Return
   NULL if memory is exhausted.  */
static const struct named_address *
find_address (struct address_names *names, struct module *module,
	      uint64_t address)
{
  if (module->addresses == NULL)
    module->addresses
      = htab_create_alloc (256, hash_named, equal_named, free, calloc, free);
  void **slot = NULL;
  if (module->addresses != NULL)
    slot = htab_find_slot_with_hash (module->addresses, &address,
				     hash_address (address), INSERT);
  if (slot == NULL || *slot != NULL)
    return slot != NULL ? *slot : NULL;
  struct named_address *named = name_address (names, module, address);
  if (named != NULL)
    *slot = named;
  else
    htab_clear_slot (module->addresses, slot);
  return named;
}

/* Look up the addresses of RUN, whose module is locked.  */
static void
look_up_run (struct shared_work *work, struct run *run)
{
  for (uint32_t i = 0; i < run->count && !work->has_failed; i++)
    {
      run->found[i]
	= find_address (work->names, run->module, run->locations[i].address);
      if (run->found[i] == NULL)
	work->has_failed = true;
      size_t done = ++work->done;
      if (work->names->shows_progress && done % PROGRESS_STEP == 0)
	terminal_progress ("addresses", done, work->total);
    }
}

/* ---- Threads.  */

/* Take a run that is not taken yet and lock its module; prefer runs whose
   module is not locked.  Return NULL if none are left.  */
static struct run *
take_run (struct shared_work *work)
{
  struct run *taken = NULL;
  pthread_mutex_lock (&work->lock);
  for (size_t i = 0; i < work->run_count && taken == NULL; i++)
    if (!work->runs[i].is_taken
	&& pthread_mutex_trylock (&work->runs[i].module->lock) == 0)
      taken = &work->runs[i];
  bool is_locked = taken != NULL;
  for (size_t i = 0; i < work->run_count && taken == NULL; i++)
    if (!work->runs[i].is_taken)
      taken = &work->runs[i];
  if (taken != NULL)
    taken->is_taken = true;
  pthread_mutex_unlock (&work->lock);
  if (taken != NULL && !is_locked)
    pthread_mutex_lock (&taken->module->lock);
  return taken;
}

static void *
look_up_runs (void *data)
{
  struct shared_work *work = data;
  struct run *run;
  while ((run = take_run (work)) != NULL)
    {
      look_up_run (work, run);
      pthread_mutex_unlock (&run->module->lock);
    }
  return NULL;
}

/* Look up all runs of WORK, with up to as many threads as allowed.  Continue
   with fewer if a thread cannot be created.  */
static void
share_work (struct shared_work *work)
{
  size_t most = work->names->threads;
  size_t count = work->run_count < most ? work->run_count : most;
  pthread_t *threads = calloc (count + 1, sizeof *threads);
  size_t made = 0;
  while (threads != NULL && made + 1 < count
	 && pthread_create (&threads[made], NULL, look_up_runs, work) == 0)
    made++;
  look_up_runs (work);
  while (made > 0)
    pthread_join (threads[--made], NULL);
  free (threads);
}

/* ---- All modules.  */

static int
compare_locations (const void *a, const void *b)
{
  const struct location *x = a;
  const struct location *y = b;
  if (x->module != y->module)
    return x->module < y->module ? -1 : 1;
  return (x->address > y->address) - (x->address < y->address);
}

/* The largest first, so that no thread starts it last.  */
static int
compare_runs (const void *a, const void *b)
{
  const struct run *x = a;
  const struct run *y = b;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return (x->locations > y->locations) - (x->locations < y->locations);
}

/* Divide the COUNT LOCATIONS, which are sorted, into the runs of WORK.  Return
   false if memory is exhausted.  */
static bool
make_runs (struct shared_work *work, const struct location *locations,
	   uint32_t count, const struct named_address **found)
{
  size_t capacity = 0;
  for (uint32_t i = 0; i < count; i++)
    capacity += i == 0 || locations[i].module != locations[i - 1].module;
  work->runs = calloc (capacity + 1, sizeof *work->runs);
  if (work->runs == NULL)
    return false;
  struct run *run = NULL;
  for (uint32_t i = 0; i < count && locations[i].module != NO_MODULE; i++)
    {
      if (i == 0 || locations[i].module != locations[i - 1].module)
	{
	  run = &work->runs[work->run_count++];
	  run->module
	    = module_table_at (&work->names->modules, locations[i].module);
	  run->locations = &locations[i];
	  run->found = &found[i];
	}
      run->count++;
      work->total++;
    }
  qsort (work->runs, work->run_count, sizeof *work->runs, compare_runs);
  return true;
}

/* Print what is missing for the modules of the COUNT LOCATIONS, in the order of
   their first addresses.  */
static void
warn_about (struct address_names *names, const struct location *locations,
	    uint32_t count)
{
  struct module_table *modules = &names->modules;
  for (uint32_t i = 0; i < count && locations[i].module != NO_MODULE; i++)
    if (i == 0 || locations[i].module != locations[i - 1].module)
      {
	struct module *module = module_table_at (modules, locations[i].module);
	pthread_mutex_lock (&module->lock);
	module_warn (module);
	pthread_mutex_unlock (&module->lock);
      }
}

bool
address_names_is_found (struct address_names *names, uint32_t module)
{
  struct module *record = module_table_at (&names->modules, module);
  pthread_mutex_lock (&record->lock);
  bool is_found = record->symbolizer != NULL;
  pthread_mutex_unlock (&record->lock);
  return is_found;
}

bool
address_names_look_up_quietly (struct address_names *names,
			       struct location *locations, uint32_t count,
			       const struct named_address **found)
{
  struct shared_work work = { .names = names };
  if (count > 1)
    qsort (locations, count, sizeof *locations, compare_locations);
  memset (found, 0, count * sizeof *found);
  if (!make_runs (&work, locations, count, found))
    return false;
  pthread_mutex_init (&work.lock, NULL);
  if (names->shows_progress)
    terminal_progress ("addresses", 0, work.total);
  share_work (&work);
  pthread_mutex_destroy (&work.lock);
  if (names->shows_progress)
    terminal_progress_end ();
  free (work.runs);
  return !work.has_failed;
}

bool
address_names_look_up (struct address_names *names, struct location *locations,
		       uint32_t count, const struct named_address **found)
{
  if (!address_names_look_up_quietly (names, locations, count, found))
    return false;
  warn_about (names, locations, count);
  return true;
}
