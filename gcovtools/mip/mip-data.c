/* Orders of static data by the functions that refer to it.
   SPDX-License-Identifier: GPL-3.0-or-later

   References are found in the instructions of the program.  If the profile has
   blocks, those in blocks that did not run do not count.  Objects come in this
   order: those that code refers to; those that are reached from these through
   pointers, such as variables of a table of options; those that only code in
   the second range of a function refers to, which rarely runs; and the other
   variables that the dynamic linker writes at each start, so that no page has
   some of these and otherwise only what nothing uses.  */

#include "mip-data.h"
#include "code-map.h"
#include "diagnostics.h"
#include "heapprof/mip-format.h"
#include "mip-lines.h"
#include <stdlib.h>
#include <string.h>

/* How an object is used, best first.  */
enum use
{
  USED_BY_CODE,
  USED_BY_POINTER,
  USED_BY_RARE_CODE,
  USED_BY_LINKER,
  NOT_USED
};

/* How an object is used first, and when: position of the function in the order,
   then of the reference among all references of one kind.  */
struct rank
{
  enum use use;
  size_t place;
  size_t sequence;
};

/* Searching a module.  */
struct data_search
{
  const struct mip_profile *profile;
  const struct static_data *objects;
  struct code_map *code;
  struct rank *ranks; /* by object */
  size_t *queue;      /* objects whose pointers to follow */
  size_t queue_count;
  size_t sequence;
  bool has_code; /* of any function that ran */
  /* The code that is being read.  */
  const struct mip_function *function;
  size_t place;
  bool is_rare; /* it is the second range */
};

static bool
is_before (const struct rank *a, const struct rank *b)
{
  if (a->use != b->use)
    return a->use < b->use;
  if (a->place != b->place)
    return a->place < b->place;
  return a->sequence < b->sequence;
}

/* Note that what is at ADDRESS is used in the way USE, by the function at PLACE
   of the order.  */
static void
use_object (struct data_search *search, uint64_t address, enum use use,
	    size_t place)
{
  const struct static_data *data = search->objects;
  const struct rank rank = { use, place, search->sequence++ };
  size_t first = static_data_find (data, address);
  for (size_t i = first;
       i < data->count
       && data->objects[i].address == data->objects[first].address;
       i++)
    {
      if (!is_before (&rank, &search->ranks[i]))
	continue;
      if (search->ranks[i].use > USED_BY_POINTER && use <= USED_BY_POINTER)
	search->queue[search->queue_count++] = i;
      search->ranks[i] = rank;
    }
}

/* Note what is used by code that refers to ADDRESS, which is in no object: the
   linker's table of addresses has a pointer there, or a constant consists of
   two.  */
static void
use_pointers (struct data_search *search, uint64_t address, enum use use)
{
  const struct static_data *data = search->objects;
  for (size_t i = static_data_pointer (data, address);
       i < data->pointer_count
       && (data->pointers[i].place == address
	   || (data->pointers[i].is_in_data
	       && data->pointers[i].place - address == sizeof (uint64_t)));
       i++)
    use_object (search, data->pointers[i].target, use, search->place);
}

/* Return true if the block of the function that contains OFFSET, of the range
   that is being read, ran.  */
static bool
block_ran (const struct data_search *search, uint64_t offset)
{
  const struct mip_function *function = search->function;
  const struct mip_block *blocks
    = &search->profile->blocks[function->first_block];
  uint32_t part = search->is_rare ? HEAPPROF_MIP_COLD_BLOCK : 0;
  /* The prologue is before the label of the entry block.  */
  const struct mip_block *found = &blocks[0];
  for (uint32_t i = 0; i < function->block_count; i++)
    if ((blocks[i].code_offset & HEAPPROF_MIP_COLD_BLOCK) == part
	&& (blocks[i].code_offset & ~HEAPPROF_MIP_COLD_BLOCK) <= offset)
      found = &blocks[i];
  return found->runs > 0;
}

static bool
visit_reference (void *closure, uint64_t place, uint64_t address)
{
  struct data_search *search = closure;
  const struct mip_function *function = search->function;
  uint64_t begin = search->is_rare ? function->cold : function->entry;
  bool has_blocks = function->block_count > 0;
  if (has_blocks && !block_ran (search, place - begin))
    return true;
  enum use use
    = search->is_rare && !has_blocks ? USED_BY_RARE_CODE : USED_BY_CODE;
  if (static_data_find (search->objects, address) != SIZE_MAX)
    use_object (search, address, use, search->place);
  else
    use_pointers (search, address, use);
  return true;
}

/* Read the BYTES of code at BEGIN.  */
static bool
read_code (struct data_search *search, uint64_t begin, uint64_t bytes)
{
  struct code_instruction first;
  search->has_code |= bytes > 0 && code_map_find (search->code, begin, &first);
  return code_map_visit_references (search->code, begin, begin + bytes,
				    visit_reference, search);
}

/* Follow the pointers of what code uses.  */
static void
follow_pointers (struct data_search *search)
{
  const struct static_data *data = search->objects;
  for (size_t i = 0; i < search->queue_count; i++)
    {
      const struct static_object *object = &data->objects[search->queue[i]];
      size_t place = search->ranks[search->queue[i]].place;
      for (size_t j = static_data_pointer (data, object->address);
	   j < data->pointer_count
	   && data->pointers[j].place - object->address < object->bytes;
	   j++)
	use_object (search, data->pointers[j].target, USED_BY_POINTER, place);
    }
}

/* Note which variables the dynamic linker writes.  All of .data.rel.ro is
   written by it, so their order there does not matter.  */
static void
note_relocated (struct data_search *search)
{
  const struct static_data *data = search->objects;
  for (size_t i = 0; i < data->pointer_count; i++)
    {
      size_t found = static_data_find (data, data->pointers[i].place);
      if (data->pointers[i].is_relocated && found != SIZE_MAX
	  && data->objects[found].section == STATIC_DATA_DATA)
	use_object (search, data->pointers[i].place, USED_BY_LINKER, 0);
    }
}

/* Read the code of the functions of MODULE among the COUNT at ORDER.  */
static bool
read_functions (struct data_search *search, uint32_t module,
		const uint32_t *order, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      search->function = &search->profile->functions[order[i]];
      if (search->function->module != module)
	continue;
      search->place = i;
      search->is_rare = false;
      if (!read_code (search, search->function->entry,
		      search->function->code_bytes))
	return false;
      search->is_rare = true;
      if (!read_code (search, search->function->cold,
		      search->function->cold_bytes))
	return false;
    }
  follow_pointers (search);
  note_relocated (search);
  return true;
}

/* An object that is used.  */
struct ranked_datum
{
  struct rank rank;
  struct mip_datum datum;
};

/* All that are used, in all modules.  */
struct ranking
{
  struct ranked_datum *data; /* malloced */
  size_t count;
};

static int
compare_ranked (const void *a, const void *b)
{
  const struct ranked_datum *x = a;
  const struct ranked_datum *y = b;
  if (is_before (&x->rank, &y->rank))
    return -1;
  return is_before (&y->rank, &x->rank);
}

/* Return true if the object NAME is the run-time library's, which is not in the
   program that is linked again.  */
static bool
is_of_runtime (const char *name)
{
  static const char prefix[] = "__hpr_mip_";
  return strncmp (name, prefix, sizeof prefix - 1) == 0;
}

/* Add the objects of MODULE that are used.  */
static bool
add_ranked (struct ranking *ranking, const struct data_search *search,
	    uint32_t module)
{
  void *grown
    = realloc (ranking->data, (ranking->count + search->objects->count + 1)
				* sizeof *ranking->data);
  if (grown == NULL)
    return false;
  ranking->data = grown;
  for (size_t i = 0; i < search->objects->count; i++)
    if (search->ranks[i].use != NOT_USED
	&& !is_of_runtime (search->objects->objects[i].name))
      ranking->data[ranking->count++]
	= (struct ranked_datum){ search->ranks[i],
				 { search->objects->objects[i].name, module,
				   search->objects->objects[i].section } };
  return true;
}

/* Search MODULE, whose objects and code are in SEARCH.  */
static bool
search_module (struct data_search *search, struct ranking *ranking,
	       uint32_t module, const uint32_t *order, size_t count)
{
  size_t objects = search->objects->count;
  search->ranks = calloc (objects + 1, sizeof *search->ranks);
  search->queue = calloc (objects + 1, sizeof *search->queue);
  bool is_done = search->ranks != NULL && search->queue != NULL;
  for (size_t i = 0; i < objects && is_done; i++)
    search->ranks[i].use = NOT_USED;
  is_done = is_done && read_functions (search, module, order, count)
	    && add_ranked (ranking, search, module);
  free (search->ranks);
  free (search->queue);
  return is_done;
}

/* Return why the data of FILE, with OBJECTS and CODE, cannot be ordered; NULL
   if it can.  */
static const char *
problem_of (struct object_file *file, const struct static_data *objects,
	    const struct code_map *code)
{
  const char *problem = code_map_problem (code);
  if (problem == NULL && objects->count == 0)
    problem = object_file_has_symbols (file) ? "no symbols of static data"
					     : "no symbols: stripped";
  return problem;
}

/* Print an error about memory and return false.  */
static bool
fail_memory (void)
{
  diagnostics_memory ();
  return false;
}

static bool
fail (const char *path, const char *problem)
{
  struct profile_error err;
  profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
		     "cannot find what its code refers to: %s", problem);
  diagnostics_error (&err);
  return false;
}

/* Find the program of MODULE.  */
static bool
open_module (struct mip_data *data, const struct mip_profile *profile,
	     uint32_t module, struct object_finder *finder)
{
  struct profile_error err;
  const struct mip_module *wanted = &profile->modules[module];
  data->files[module]
    = object_finder_find (finder, mip_profile_string (profile, wanted->path),
			  wanted->build_id, wanted->build_id_bytes, NULL, &err);
  if (data->files[module] == NULL)
    return fail (mip_profile_string (profile, wanted->path), err.cause);
  return static_data_read (&data->objects[module], data->files[module])
	 || fail_memory ();
}

/* Add what the functions of MODULE refer to.  */
static bool
add_module (struct mip_data *data, struct ranking *ranking,
	    const struct mip_profile *profile, uint32_t module,
	    const uint32_t *order, size_t count, struct object_finder *finder)
{
  if (!open_module (data, profile, module, finder))
    return false;
  struct object_file *file = data->files[module];
  struct data_search search = { .profile = profile,
				.objects = &data->objects[module],
				.code = code_map_open (file) };
  const char *problem = search.code != NULL
			  ? problem_of (file, search.objects, search.code)
			  : NULL;
  bool is_done = search.code != NULL
		 && (problem != NULL
		     || search_module (&search, ranking, module, order, count));
  if (is_done && problem == NULL && !search.has_code)
    problem = "the file has no code";
  code_map_close (search.code);
  if (!is_done)
    return fail_memory ();
  return problem == NULL || fail (object_file_path (file), problem);
}

/* Return true if one of the COUNT functions at ORDER is in MODULE.  */
static bool
is_needed (const struct mip_profile *profile, uint32_t module,
	   const uint32_t *order, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (profile->functions[order[i]].module == module)
      return true;
  return false;
}

static bool
rank_all (struct mip_data *data, struct ranking *ranking,
	  const struct mip_profile *profile, const uint32_t *order,
	  size_t count, struct object_finder *finder)
{
  for (uint32_t i = 0; i < profile->module_count; i++)
    if (is_needed (profile, i, order, count)
	&& !add_module (data, ranking, profile, i, order, count, finder))
      return false;
  if (ranking->count > 0)
    qsort (ranking->data, ranking->count, sizeof *ranking->data,
	   compare_ranked);
  data->data = calloc (ranking->count + 1, sizeof *data->data);
  if (data->data == NULL)
    return fail_memory ();
  for (size_t i = 0; i < ranking->count; i++)
    data->data[i] = ranking->data[i].datum;
  data->count = ranking->count;
  return true;
}

bool
mip_data_order (struct mip_data *data, const struct mip_profile *profile,
		const uint32_t *order, size_t count,
		struct object_finder *finder)
{
  struct ranking ranking = { 0 };
  *data = (struct mip_data){ 0 };
  data->files = calloc (profile->module_count + 1, sizeof *data->files);
  data->objects = calloc (profile->module_count + 1, sizeof *data->objects);
  data->module_count = profile->module_count;
  bool is_done = data->files != NULL && data->objects != NULL
		   ? rank_all (data, &ranking, profile, order, count, finder)
		   : fail_memory ();
  free (ranking.data);
  if (!is_done)
    mip_data_release (data);
  return is_done;
}

void
mip_data_release (struct mip_data *data)
{
  for (size_t i = 0; i < data->module_count; i++)
    {
      if (data->objects != NULL)
	static_data_release (&data->objects[i]);
      if (data->files != NULL)
	object_file_close (data->files[i]);
    }
  free (data->objects);
  free (data->files);
  free (data->data);
  *data = (struct mip_data){ 0 };
}
