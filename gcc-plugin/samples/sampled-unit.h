/* The functions of a unit, beside what a sample profile has of them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLED_UNIT_H
#define HEAPPROF_SAMPLED_UNIT_H

#include "source-outline.h"
#include "stale-samples.h"

typedef int_hash<uint64_t, 0, 1> sample_guid_hash;

/* Calls in a profile, and how many of these are where the source has them.  */
struct call_agreement
{
  uint64_t all;
  uint64_t good;
};

struct unit_function
{
  auto_vec<tree> decls; /* more than one for the variants of a constructor */
  bool has_copies;	/* in the profile */
  bool is_changed;	/* its source has changed since the profile was made */
  bool is_filled;
  source_outline source; /* if it is filled */
  call_agreement before, after;
};

struct sampled_unit
{
  auto_delete_vec<unit_function> functions;
  hash_map<sample_guid_hash, unit_function *> by_guid;
  hash_set<sample_guid_hash> declared; /* functions that the unit knows */
  hash_set<sample_guid_hash> profiled; /* functions that the profile has */
  /* Functions of the profile that the unit does not know, although its source
     called them.  */
  hash_set<sample_guid_hash> gone;
};

/* Collect the functions of the unit.  */
void sampled_unit_collect (sampled_unit *unit);

/* Return the function of the unit that is NAME in PROFILE; NULL: none.  */
unit_function *sampled_unit_find (sampled_unit *unit,
				  const sample_profile *profile, uint32_t name);

/* Fill the source of FUNCTION.  */
void sampled_unit_fill (unit_function *function);

/* Compare the functions of the unit with PROFILE: fill their agreement before,
   and mark them as changed if it is not complete.  */
void sampled_unit_compare (sampled_unit *unit, const sample_profile *profile);

/* Fill the agreement of the functions with PROFILE fitted by FIT to SHAPE, the
   one after.  */
void sampled_unit_compare_fitted (sampled_unit *unit,
				  const sample_profile *profile,
				  const stale_fit *fit,
				  const sample_profile *shape);

/* Collect the functions of PROFILE that are gone, and that changed functions
   called.  */
void sampled_unit_find_gone (sampled_unit *unit, const sample_profile *profile);

#endif /* HEAPPROF_SAMPLED_UNIT_H */
