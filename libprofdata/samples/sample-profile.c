/* The sample profile in memory: names and top-level functions.
   SPDX-License-Identifier: GPL-3.0-or-later

   Names and functions are in tables whose entries never move and are indexed by
   hash tables; the GUID of a name serves as its hash.  Data of variable size is
   in an arena (sample-function.c).  */

#include "sample-profile.h"
#include "function-id.h"
#include "record-table.h"
#include "sample-memory.h"
#include <libiberty/hashtab.h>
#include <libiberty/objalloc.h>
#include <stdlib.h>
#include <string.h>

/* Names that were looked up last, a power of two: most are looked up again and
   again, and a GUID takes a thousand instructions.  */
#define REMEMBERED 1024

struct name
{
  const char *text; /* NUL-terminated; in the arena, or the caller's during a
		       lookup; NULL: unknown */
  size_t n;
  uint64_t guid;
  uint32_t file; /* a name; SAMPLE_NO_NAME: unknown */
  uint32_t number;
  bool is_listed;
};

struct sample_profile
{
  struct objalloc *arena;
  struct record_table names;
  struct record_table functions;
  htab_t name_index;
  htab_t function_index;
  const struct name *remembered[REMEMBERED]; /* by hash_text; with texts */
  unsigned int flags;
  bool has_kind; /* an input had functions */
};

/* Return HASH with VALUE added to it; its upper half is the better one.  */
static uint64_t
mix (uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C (0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* Return a hash of the name TEXT, N bytes long, in FILE.  */
static uint64_t
hash_text (const char *text, size_t n, uint32_t file)
{
  uint64_t hash = mix (n, file);
  uint64_t word;
  for (; n >= sizeof word; n -= sizeof word, text += sizeof word)
    {
      memcpy (&word, text, sizeof word);
      hash = mix (hash, word);
    }
  word = 0;
  memcpy (&word, text, n);
  return mix (hash, word);
}

static hashval_t
hash_name (const void *record)
{
  const struct name *name = record;
  return (hashval_t) name->guid ^ (name->file * 0x9e3779b9u);
}

static int
equal_name (const void *record1, const void *record2)
{
  const struct name *known = record1;
  const struct name *key = record2;
  return (known->guid == key->guid && known->file == key->file
	  && (!key->text || !known->text
	      || (known->n == key->n
		  && memcmp (known->text, key->text, key->n) == 0)));
}

static hashval_t
hash_function (const void *record)
{
  const struct sample_function *function = record;
  uint64_t hash = mix (0, function->name);
  for (uint32_t i = 0; i < function->caller_count; i++)
    {
      const struct sample_frame *caller = &function->callers[i];
      hash = mix (hash, (uint64_t) caller->name << 32 | caller->location.line);
      hash = mix (hash, caller->location.discriminator);
    }
  return (hashval_t) (hash >> 32);
}

static int
equal_function (const void *record1, const void *record2)
{
  const struct sample_function *function1 = record1;
  const struct sample_function *function2 = record2;
  uint32_t count = function1->caller_count;
  return (function1->name == function2->name && count == function2->caller_count
	  && (count == 0
	      || memcmp (function1->callers, function2->callers,
			 count * sizeof *function1->callers)
		   == 0));
}

struct sample_profile *
sample_profile_new (void)
{
  struct sample_profile *profile = calloc (1, sizeof *profile);
  if (!profile)
    return NULL;
  record_table_init (&profile->names, sizeof (struct name));
  record_table_init (&profile->functions, sizeof (struct sample_function));
  profile->arena = objalloc_create ();
  profile->name_index = htab_try_create (100, hash_name, equal_name, NULL);
  profile->function_index
    = htab_try_create (100, hash_function, equal_function, NULL);
  if (profile->arena && profile->name_index && profile->function_index)
    return profile;
  sample_profile_free (profile);
  return NULL;
}

void
sample_profile_free (struct sample_profile *profile)
{
  if (!profile)
    return;
  if (profile->function_index)
    htab_delete (profile->function_index);
  if (profile->name_index)
    htab_delete (profile->name_index);
  if (profile->arena)
    objalloc_free (profile->arena);
  record_table_free (&profile->functions);
  record_table_free (&profile->names);
  free (profile);
}

void *
sample_profile_allocate (struct sample_profile *profile, size_t n, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow (n, size, &bytes)
      || bytes > (size_t) UINT32_MAX * 16)
    return NULL;
  void *memory = objalloc_alloc (profile->arena, bytes);
  return memory ? memset (memory, 0, bytes) : NULL;
}

/* ---- Flags.  */

unsigned int
sample_profile_flags (const struct sample_profile *profile)
{
  return profile->flags;
}

bool
sample_profile_add_flags (struct sample_profile *profile, unsigned int flags,
			  bool has_functions, struct profile_error *err)
{
  unsigned int difference = profile->flags ^ flags;
  const char *cause = NULL;
  if (difference & SAMPLE_CONTEXT_SENSITIVE)
    cause = "samples with and without calling context "
	    "cannot be combined";
  else if (difference & SAMPLE_PROBES)
    cause = "probe-based and line-based samples cannot be "
	    "combined";
  else if (difference & SAMPLE_FLOW_SENSITIVE)
    cause = "samples with source and with machine-code "
	    "discriminators cannot be combined";
  if (cause && has_functions && profile->has_kind)
    return profile_error_set (err, NULL, PROFILE_ERROR_NO_OFFSET, "%s", cause);
  profile->has_kind |= has_functions;
  profile->flags |= flags;
  return true;
}

/* ---- Names.  */

static struct name *
get_name (const struct sample_profile *profile, uint32_t name)
{
  return record_table_get (&profile->names, name);
}

/* Set the text of NAME to that of KEY.  */
static bool
copy_text (struct sample_profile *profile, struct name *name,
	   const struct name *key)
{
  char *copy = objalloc_alloc (profile->arena, key->n + 1);
  if (!copy)
    return false;
  memcpy (copy, key->text, key->n);
  copy[key->n] = '\0';
  name->text = copy;
  name->n = key->n;
  return true;
}

/* Find or add the name KEY.  */
static uint32_t
add_key (struct sample_profile *profile, const struct name *key)
{
  hashval_t hash = hash_name (key);
  void **slot
    = htab_find_slot_with_hash (profile->name_index, key, hash, INSERT);
  if (!slot)
    return SAMPLE_NO_NAME;
  struct name *name = *slot;
  if (!name)
    {
      struct name made = *key;
      if (key->text && !copy_text (profile, &made, key))
	return SAMPLE_NO_NAME;
      made.number = profile->names.count;
      name = record_table_add (&profile->names);
      if (!name)
	return SAMPLE_NO_NAME;
      *name = made;
      *slot = name;
    }
  else if (!name->text && key->text && !copy_text (profile, name, key))
    return SAMPLE_NO_NAME;
  return name->number;
}

uint32_t
sample_profile_add_name (struct sample_profile *profile, const char *text,
			 size_t n)
{
  return sample_profile_add_name_in_file (profile, text, n, SAMPLE_NO_NAME);
}

uint32_t
sample_profile_add_name_in_file (struct sample_profile *profile,
				 const char *text, size_t n, uint32_t file)
{
  const struct name **remembered
    = &profile->remembered[hash_text (text, n, file) >> 32 & (REMEMBERED - 1)];
  const struct name *last = *remembered;
  if (last != NULL && last->n == n && last->file == file
      && memcmp (last->text, text, n) == 0)
    return last->number;
  const struct name key
    = { .text = text, .n = n, .guid = function_guid (text, n), .file = file };
  uint32_t number = add_key (profile, &key);
  if (number != SAMPLE_NO_NAME)
    *remembered = get_name (profile, number);
  return number;
}

uint32_t
sample_profile_copy_name_to_file (struct sample_profile *target,
				  const struct sample_profile *source,
				  uint32_t name, uint32_t file)
{
  struct name key = *get_name (source, name);
  key.file = key.text != NULL ? file : SAMPLE_NO_NAME;
  key.is_listed = false;
  return add_key (target, &key);
}

uint32_t
sample_profile_copy_name (struct sample_profile *target,
			  const struct sample_profile *source, uint32_t name)
{
  uint32_t file = sample_profile_name_file (source, name);
  if (file != SAMPLE_NO_NAME)
    {
      file = sample_profile_copy_name (target, source, file);
      if (file == SAMPLE_NO_NAME)
	return SAMPLE_NO_NAME;
    }
  return sample_profile_copy_name_to_file (target, source, name, file);
}

uint32_t
sample_profile_add_guid (struct sample_profile *profile, uint64_t guid)
{
  const struct name key = { .guid = guid, .file = SAMPLE_NO_NAME };
  return add_key (profile, &key);
}

const char *
sample_profile_name (const struct sample_profile *profile, uint32_t name)
{
  return get_name (profile, name)->text;
}

size_t
sample_profile_name_bytes (const struct sample_profile *profile, uint32_t name)
{
  return get_name (profile, name)->n;
}

uint64_t
sample_profile_name_guid (const struct sample_profile *profile, uint32_t name)
{
  return get_name (profile, name)->guid;
}

uint32_t
sample_profile_name_file (const struct sample_profile *profile, uint32_t name)
{
  return get_name (profile, name)->file;
}

uint32_t
sample_profile_name_count (const struct sample_profile *profile)
{
  return profile->names.count;
}

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* sample_profile_compare_names without the comparison of files.  */
static int
compare_texts (const struct name *name1, const struct name *name2)
{
  if (!name1->text || !name2->text)
    return (name1->text || name2->text
	      ? (name1->text ? -1 : 1)
	      : compare_numbers (name1->guid, name2->guid));
  size_t n = name1->n < name2->n ? name1->n : name2->n;
  int order = memcmp (name1->text, name2->text, n);
  return order != 0 ? order : compare_numbers (name1->n, name2->n);
}

int
sample_profile_compare_names (const struct sample_profile *profile,
			      uint32_t name1, uint32_t name2)
{
  if (name1 == name2)
    return 0;
  const struct name *record1 = get_name (profile, name1);
  const struct name *record2 = get_name (profile, name2);
  int order = compare_texts (record1, record2);
  if (order != 0 || record1->file == record2->file)
    return order;
  if (record1->file == SAMPLE_NO_NAME || record2->file == SAMPLE_NO_NAME)
    return record1->file == SAMPLE_NO_NAME ? -1 : 1;
  return compare_texts (get_name (profile, record1->file),
			get_name (profile, record2->file));
}

bool
sample_profile_is_listed (const struct sample_profile *profile, uint32_t name)
{
  return get_name (profile, name)->is_listed;
}

void
sample_profile_set_listed (struct sample_profile *profile, uint32_t name)
{
  get_name (profile, name)->is_listed = true;
}

/* ---- Functions.  */

struct sample_function *
sample_profile_find_function (const struct sample_profile *profile,
			      const struct sample_frame *callers,
			      uint32_t caller_count, uint32_t name)
{
  const struct sample_function key
    = { .name = name, .callers = callers, .caller_count = caller_count };
  return htab_find (profile->function_index, &key);
}

struct sample_function *
sample_profile_add_function (struct sample_profile *profile,
			     const struct sample_frame *callers,
			     uint32_t caller_count, uint32_t name)
{
  const struct sample_function key
    = { .name = name, .callers = callers, .caller_count = caller_count };
  void **slot = htab_find_slot (profile->function_index, &key, INSERT);
  if (!slot || *slot)
    return slot ? *slot : NULL;
  struct sample_frame *copy = NULL;
  if (caller_count > 0)
    {
      copy = sample_profile_allocate (profile, caller_count, sizeof *copy);
      if (!copy)
	return NULL;
      memcpy (copy, callers, caller_count * sizeof *copy);
    }
  struct sample_function *function = record_table_add (&profile->functions);
  if (!function)
    return NULL;
  *function = key;
  function->callers = copy;
  *slot = function;
  return function;
}

uint32_t
sample_profile_function_count (const struct sample_profile *profile)
{
  return profile->functions.count;
}

struct sample_function *
sample_profile_function (const struct sample_profile *profile, uint32_t index)
{
  return record_table_get (&profile->functions, index);
}
