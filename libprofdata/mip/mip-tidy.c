/* The form of a machine-level profile in its file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-tidy.h"
#include "mip-array.h"
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

/* A string of the original, and its offset in the copy.  */
struct string
{
  const char *text;
  uint32_t offset;
};

struct tidying
{
  const struct mip_profile *from;
  struct mip_profile *to;
  htab_t strings; /* struct string */
  bool failed;	  /* memory is exhausted */
};

static hashval_t
hash_string (const void *entry)
{
  return htab_hash_string (((const struct string *) entry)->text);
}

static int
equal_strings (const void *a, const void *b)
{
  return strcmp (((const struct string *) a)->text,
		 ((const struct string *) b)->text)
	 == 0;
}

/* Add the string at TEXT to the copy.  Return its entry; NULL if memory is
   exhausted.  */
static struct string *
add_string (struct tidying *tidying, const char *text)
{
  struct mip_profile *to = tidying->to;
  struct string *string = malloc (sizeof *string);
  if (string == NULL)
    return NULL;
  *string
    = (struct string){ text, mip_profile_add_string (to, text, strlen (text)) };
  void **slot = to->strings.failed
		  ? NULL
		  : htab_find_slot (tidying->strings, string, INSERT);
  if (slot != NULL)
    return *slot = string;
  free (string);
  return NULL;
}

/* Return the offset in the copy of the string at OFFSET of the original.  */
static uint32_t
tidy_string (struct tidying *tidying, uint32_t offset)
{
  const struct string wanted
    = { mip_profile_string (tidying->from, offset), 0 };
  if (*wanted.text == '\0' || tidying->failed)
    return 0;
  const struct string *string = htab_find (tidying->strings, &wanted);
  if (string == NULL)
    string = add_string (tidying, wanted.text);
  tidying->failed |= string == NULL;
  return string != NULL ? string->offset : 0;
}

/* Copy the COUNT elements of BYTES bytes at FROM to the empty array that TO
   points at.  */
static void
copy_array (struct tidying *tidying, void *to, size_t *capacity,
	    const void *from, size_t count, size_t bytes)
{
  if (!growing_array_reserve (to, 0, capacity, count + 1, bytes))
    tidying->failed = true;
  else if (count > 0)
    memcpy (*(void **) to, from, count * bytes);
}

#define COPY(TIDYING, FIELD, COUNT, CAPACITY)                                  \
  ((TIDYING)->to->COUNT = (TIDYING)->from->COUNT,                              \
   copy_array (TIDYING, &(TIDYING)->to->FIELD, &(TIDYING)->to->CAPACITY,       \
	       (TIDYING)->from->FIELD, (TIDYING)->from->COUNT,                 \
	       sizeof *(TIDYING)->to->FIELD))

/* Append the blocks of FUNCTION, which still refers to the original.  */
static void
tidy_blocks (struct tidying *tidying, struct mip_function *function)
{
  struct mip_profile *to = tidying->to;
  uint32_t first = (uint32_t) to->block_count;
  for (uint32_t i = 0; i < function->block_count && !tidying->failed; i++)
    {
      struct mip_block block = tidying->from->blocks[function->first_block + i];
      tidying->failed |= !mip_rule_copy (to, tidying->from, &block.rule);
      to->blocks[to->block_count++] = block;
    }
  function->first_block = function->block_count > 0 ? first : 0;
}

/* Append the copies in FUNCTION, likewise.  */
static void
tidy_copies (struct tidying *tidying, struct mip_function *function)
{
  struct mip_profile *to = tidying->to;
  uint32_t first = (uint32_t) to->copy_count;
  for (uint32_t i = 0; i < function->copy_count && !tidying->failed; i++)
    {
      struct mip_copy copy = tidying->from->copies[function->first_copy + i];
      copy.name = tidy_string (tidying, copy.name);
      copy.file = tidy_string (tidying, copy.file);
      tidying->failed |= !mip_rule_copy (to, tidying->from, &copy.rule);
      to->copies[to->copy_count++] = copy;
    }
  function->first_copy = function->copy_count > 0 ? first : 0;
}

static void
tidy_function (struct tidying *tidying, struct mip_function *function)
{
  function->name = tidy_string (tidying, function->name);
  function->origin = tidy_string (tidying, function->origin);
  function->file = tidy_string (tidying, function->file);
  tidy_blocks (tidying, function);
  tidy_copies (tidying, function);
}

static void
tidy_traces (struct tidying *tidying)
{
  const struct mip_profile *from = tidying->from;
  struct mip_profile *to = tidying->to;
  COPY (tidying, traces, trace_count, trace_capacity);
  COPY (tidying, trace_data, trace_data_count, trace_data_capacity);
  to->trace_data_count = 0;
  for (size_t i = 0; i < from->trace_count && !tidying->failed; i++)
    {
      struct mip_trace *trace = &to->traces[i];
      /* Traces share no data, so they fit.  */
      if (trace->count > 0)
	memcpy (to->trace_data + to->trace_data_count,
		from->trace_data + trace->first,
		trace->count * sizeof *to->trace_data);
      trace->first = (uint32_t) to->trace_data_count;
      to->trace_data_count += trace->count;
    }
}

static void
tidy (struct tidying *tidying)
{
  const struct mip_profile *from = tidying->from;
  struct mip_profile *to = tidying->to;
  COPY (tidying, modules, module_count, module_capacity);
  COPY (tidying, functions, function_count, function_capacity);
  COPY (tidying, blocks, block_count, block_capacity);
  COPY (tidying, copies, copy_count, copy_capacity);
  COPY (tidying, edges, edge_count, edge_capacity);
  COPY (tidying, flows, flow_count, flow_capacity);
  tidy_traces (tidying);
  to->block_count = to->copy_count = 0;
  to->lost_calls = from->lost_calls;
  to->images = from->images;
  to->traces_seen = from->traces_seen;
  for (size_t i = 0; i < to->module_count && !tidying->failed; i++)
    {
      struct mip_module *module = &to->modules[i];
      module->path = tidy_string (tidying, module->path);
      memset (module->build_id + module->build_id_bytes, 0,
	      MIP_BUILD_ID_BYTES - module->build_id_bytes);
    }
  for (size_t i = 0; i < to->function_count && !tidying->failed; i++)
    tidy_function (tidying, &to->functions[i]);
}

struct mip_profile *
mip_profile_tidy (const struct mip_profile *profile)
{
  struct tidying tidying = { .from = profile, .to = mip_profile_new () };
  tidying.strings
    = htab_create_alloc (64, hash_string, equal_strings, free, calloc, free);
  tidying.failed = tidying.to == NULL || tidying.strings == NULL;
  if (!tidying.failed)
    tidy (&tidying);
  if (tidying.strings != NULL)
    htab_delete (tidying.strings);
  if (!tidying.failed)
    return tidying.to;
  mip_profile_free (tidying.to);
  return NULL;
}
