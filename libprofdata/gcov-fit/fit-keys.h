/* Functions before without a counterpart, sorted by name.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FIT_KEYS_H
#define HEAPPROF_FIT_KEYS_H

#include "fit-lists.h"

struct fit_key
{
  const char *name; /* NULL: the hash is used */
  uint64_t hash;
  size_t unit; /* before */
  size_t function;
};

struct fit_keys
{
  struct fit_key *keys; /* malloced; room for all functions before */
  size_t count;
};

/* List the functions before that have a name and no counterpart: by it, or, if
   IS_PLAIN, by its hash without parameters and classes.  Return false if there
   are none.  */
bool fit_keys_list (struct fit_keys *keys,
		    const struct fit_functions *functions, bool is_plain);

/* Return the first key not before KEY.  */
size_t fit_keys_find (const struct fit_keys *keys, const struct fit_key *key);

/* Compare names, or hashes, only.  */
int fit_keys_compare_names (const struct fit_key *a, const struct fit_key *b);

#endif /* HEAPPROF_FIT_KEYS_H */
