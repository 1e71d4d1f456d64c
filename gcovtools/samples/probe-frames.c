/* The functions of a profile that pseudo probes belong to.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "probe-frames.h"
#include "sampled-functions.h"
#include <stdlib.h>

uint32_t
probe_frames_caller (const struct probe_frames *frames, uint32_t copy)
{
  const struct pseudo_probe_copy *found = &frames->probes->copies[copy];
  return found->site != 0 ? found->caller : PSEUDO_PROBE_NO_COPY;
}

static const struct pseudo_probe_function *
find_function (const struct probe_frames *frames, uint32_t copy)
{
  return &frames->probes->functions[frames->probes->copies[copy].function];
}

bool
probe_frames_open (struct probe_frames *frames, struct sample_profile *profile,
		   const struct pseudo_probes *probes, const char *path)
{
  *frames = (struct probe_frames){
    .profile = profile,
    .probes = probes,
    .path = path,
    .functions = calloc (probes->copy_count + 1, sizeof *frames->functions),
    .names = calloc (probes->function_count + 1, sizeof *frames->names),
    .kept = calloc (probes->copy_count + 1, sizeof *frames->kept)
  };
  if (frames->functions == NULL || frames->names == NULL
      || frames->kept == NULL)
    return false;
  for (uint32_t i = 0; i < probes->function_count; i++)
    frames->names[i] = SAMPLE_NO_NAME;
  for (uint32_t i = 0; i < probes->copy_count; i++)
    {
      const struct pseudo_probe_function *function = find_function (frames, i);
      uint32_t caller = probe_frames_caller (frames, i);
      uint32_t outer
	= caller != PSEUDO_PROBE_NO_COPY ? frames->kept[caller] : caller;
      bool is_kept
	= outer == caller
	  && !sampled_functions_is_initializer_n (function->name,
						  function->name_bytes);
      frames->kept[i] = is_kept ? i : outer;
    }
  return true;
}

void
probe_frames_close (struct probe_frames *frames)
{
  free (frames->functions);
  free (frames->names);
  free (frames->kept);
}

uint32_t
probe_frames_name (const struct probe_frames *frames, uint32_t copy)
{
  uint32_t *name = &frames->names[frames->probes->copies[copy].function];
  const struct pseudo_probe_function *function = find_function (frames, copy);
  if (*name == SAMPLE_NO_NAME)
    *name = sample_profile_add_name (frames->profile, function->name,
				     function->name_bytes);
  return *name;
}

bool
probe_frames_set_checksum (const struct probe_frames *frames,
			   struct sample_function *function, uint32_t copy,
			   struct profile_error *err)
{
  if (sample_function_set_checksum (frames->profile, function,
				    find_function (frames, copy)->checksum,
				    err))
    return true;
  err->path = frames->path;
  return false;
}

/* Add the function of COPY, inlined into OUTER, NULL if it is not.  */
static struct sample_function *
add_function (struct probe_frames *frames, uint32_t copy,
	      struct sample_function *outer, struct profile_error *err)
{
  struct sample_function *function = NULL;
  struct sample_location site = { frames->probes->copies[copy].site, 0 };
  uint32_t name = probe_frames_name (frames, copy);
  if (name != SAMPLE_NO_NAME)
    function
      = outer == NULL
	  ? sample_profile_add_function (frames->profile, NULL, 0, name)
	  : sample_function_need_inlinee (frames->profile, outer, site, name);
  if (function == NULL)
    profile_error_set_memory (err, frames->path);
  else if (!probe_frames_set_checksum (frames, function, copy, err))
    return NULL;
  return function;
}

struct sample_function *
probe_frames_function (struct probe_frames *frames, uint32_t copy,
		       struct profile_error *err)
{
  uint32_t inner[SAMPLE_DEEPEST];
  uint32_t depth = 0;
  uint32_t at = copy;
  while (at != PSEUDO_PROBE_NO_COPY && frames->functions[at] == NULL)
    {
      inner[depth++] = at;
      at = probe_frames_caller (frames, at);
    }
  struct sample_function *function
    = at != PSEUDO_PROBE_NO_COPY ? frames->functions[at] : NULL;
  while (depth-- > 0)
    {
      function = add_function (frames, inner[depth], function, err);
      if (function == NULL)
	return NULL;
      frames->functions[inner[depth]] = function;
    }
  return function;
}
