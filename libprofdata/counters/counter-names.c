/* Names of a counter profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   A hash table indexes them by GUID, which serves as the hash.  */

#include "counter-tables.h"
#include "function-id.h"
#include <string.h>

static hashval_t
hash_name (const void *record)
{
  return ((const struct counter_name *) record)->guid;
}

static int
equal_name (const void *record1, const void *record2)
{
  const struct counter_name *known = record1;
  const struct counter_name *key = record2;
  return (known->guid == key->guid
	  && (!key->text
	      || (known->n == key->n
		  && memcmp (known->text, key->text, key->n) == 0)));
}

bool
counter_names_init (struct counter_profile *profile)
{
  record_table_init (&profile->names, sizeof (struct counter_name));
  profile->name_index = htab_try_create (100, hash_name, equal_name, NULL);
  return profile->name_index != NULL;
}

/* Return the record of the name KEY, NULL if there is none.  */
static struct counter_name *
find_name (const struct counter_profile *profile,
	   const struct counter_name *key)
{
  return htab_find_with_hash (profile->name_index, key, key->guid);
}

/* Add a name equal to KEY, which must be new.  */
static struct counter_name *
make_name (struct counter_profile *profile, const struct counter_name *key)
{
  char *copy = objalloc_alloc (profile->arena, key->n + 1);
  void **slot = copy ? htab_find_slot_with_hash (profile->name_index, key,
						 key->guid, INSERT)
		     : NULL;
  if (!slot)
    return NULL;
  struct counter_name *name = record_table_add (&profile->names);
  *slot = name;
  if (!name)
    return NULL;
  memcpy (copy, key->text, key->n);
  copy[key->n] = '\0';
  *name = *key;
  name->text = copy;
  name->number = profile->names.count - 1;
  return name;
}

uint32_t
counter_profile_add_name (struct counter_profile *profile, const char *text,
			  size_t n)
{
  const struct counter_name key
    = { .text = text, .n = n, .guid = function_guid (text, n) };
  const struct counter_name *name = find_name (profile, &key);
  if (!name)
    name = make_name (profile, &key);
  return name ? name->number : UINT32_MAX;
}

/* Return the record of the name KEY, NULL if there is none.  Files of one
   program list their names in the same order, so first try the name that last
   followed the previous name.  */
static struct counter_name *
guess_name (const struct counter_profile *profile,
	    const struct counter_name *key)
{
  struct counter_name *name
    = profile->last_name ? profile->last_name->successor : NULL;
  return name && equal_name (name, key) ? name : find_name (profile, key);
}

uint32_t
counter_profile_add_hashed_name (struct counter_profile *profile,
				 const char *text, size_t n, uint64_t guid,
				 bool *is_right)
{
  const struct counter_name key = { .text = text, .n = n, .guid = guid };
  struct counter_name *name = guess_name (profile, &key);
  *is_right = name || function_guid (text, n) == guid;
  if (!*is_right)
    return UINT32_MAX;
  if (!name)
    name = make_name (profile, &key);
  if (!name)
    return UINT32_MAX;
  if (profile->last_name)
    profile->last_name->successor = name;
  profile->last_name = name;
  return name->number;
}

uint32_t
counter_profile_find_guid (const struct counter_profile *profile, uint64_t guid)
{
  const struct counter_name key = { .guid = guid };
  const struct counter_name *name = find_name (profile, &key);
  return name ? name->number : UINT32_MAX;
}

const char *
counter_profile_name (const struct counter_profile *profile, uint32_t name)
{
  return counter_names_get (profile, name)->text;
}

size_t
counter_profile_name_bytes (const struct counter_profile *profile,
			    uint32_t name)
{
  return counter_names_get (profile, name)->n;
}

uint64_t
counter_profile_name_guid (const struct counter_profile *profile, uint32_t name)
{
  return counter_names_get (profile, name)->guid;
}

uint32_t
counter_profile_name_count (const struct counter_profile *profile)
{
  return profile->names.count;
}

bool
counter_profile_is_vtable (const struct counter_profile *profile, uint32_t name)
{
  return counter_names_get (profile, name)->is_vtable;
}

void
counter_profile_set_vtable (struct counter_profile *profile, uint32_t name)
{
  counter_names_get (profile, name)->is_vtable = true;
}
