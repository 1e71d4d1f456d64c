/* What a profile has and an earlier one of its run has not.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "profile-since.h"
#include "diagnostics.h"
#include "heap-since.h"
#include "raw-identity.h"

bool
profile_since_check (const char *earlier, const char *path)
{
  struct raw_identity a, b;
  struct profile_error err;
  if (raw_identity_read (earlier, &a, &err)
      && raw_identity_read (path, &b, &err))
    {
      if (raw_identity_is_part (&a, &b))
	return true;
      profile_error_set (&err, earlier, PROFILE_ERROR_NO_OFFSET,
			 "not an earlier profile of the same run");
    }
  diagnostics_error (&err);
  return false;
}

bool
profile_since (const struct profile_inputs *inputs, const char *earlier,
	       struct profile *profile)
{
  struct profile_inputs before = *inputs;
  before.paths = (char *[]){ (char *) earlier };
  before.path_count = 1;
  struct profile *former = profile_inputs_read (&before);
  if (former == NULL)
    return false;
  struct heap_profile *rest = NULL;
  if (profile->heap != NULL && former->heap != NULL)
    rest = heap_since (profile->heap, former->heap);
  profile_free (former);
  if (rest == NULL)
    {
      diagnostics_memory ();
      return false;
    }
  heap_profile_free (profile->heap);
  profile->heap = rest;
  return true;
}
