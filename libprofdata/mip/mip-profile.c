/* Machine-level profiles in memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-profile.h"
#include "mip-array.h"
#include "heapprof/mip-format.h"
#include "mip-file.h"
#include <stdlib.h>
#include <string.h>

struct mip_profile *
mip_profile_new (void)
{
  struct mip_profile *profile = calloc (1, sizeof *profile);
  if (profile == NULL)
    return NULL;
  byte_writer_u8 (&profile->strings, 0);
  if (!profile->strings.failed)
    return profile;
  mip_profile_free (profile);
  return NULL;
}

void
mip_profile_free (struct mip_profile *profile)
{
  if (profile == NULL)
    return;
  free (profile->modules);
  free (profile->functions);
  free (profile->blocks);
  free (profile->copies);
  free (profile->rules);
  free (profile->traces);
  free (profile->trace_data);
  free (profile->edges);
  free (profile->flows);
  byte_writer_free (&profile->strings);
  free (profile);
}

const char *
mip_profile_string (const struct mip_profile *profile, uint32_t offset)
{
  return (const char *) profile->strings.data + offset;
}

uint32_t
mip_profile_add_string (struct mip_profile *profile, const char *text, size_t n)
{
  size_t offset = profile->strings.size;
  if (n == 0)
    return 0;
  if (offset + n >= UINT32_MAX)
    {
      profile->strings.failed = true;
      return 0;
    }
  byte_writer_bytes (&profile->strings, text, n);
  byte_writer_u8 (&profile->strings, 0);
  return profile->strings.failed ? 0 : (uint32_t) offset;
}

bool
mip_rule_copy (struct mip_profile *to, const struct mip_profile *from,
	       uint32_t *rule)
{
  if (*rule == UINT32_MAX)
    return true;
  const uint32_t *words = from->rules + *rule;
  size_t count = words[0] + (size_t) 1;
  if (!growing_array_reserve (&to->rules, to->rule_count, &to->rule_capacity,
			      count, sizeof *to->rules))
    return false;
  *rule = (uint32_t) to->rule_count;
  memcpy (to->rules + to->rule_count, words, count * sizeof *words);
  to->rule_count += count;
  return true;
}

size_t
mip_profile_find_module (const struct mip_profile *profile, const uint8_t *id,
			 size_t n, uint64_t link_unit)
{
  for (size_t i = 0; i < profile->module_count; i++)
    {
      const struct mip_module *module = &profile->modules[i];
      if (n > 0 ? module->build_id_bytes == n
		    && memcmp (module->build_id, id, n) == 0
		: module->build_id_bytes == 0 && module->link_unit == link_unit)
	return i;
    }
  return SIZE_MAX;
}

bool
mip_profile_is_profile (const void *data, size_t size)
{
  return size >= MIP_FILE_MAGIC_BYTES
	 && memcmp (data, MIP_FILE_MAGIC, MIP_FILE_MAGIC_BYTES) == 0;
}

bool
mip_profile_is_raw (const void *data, size_t size)
{
  return size >= HEAPPROF_MIP_MAGIC_BYTES
	 && memcmp (data, HEAPPROF_MIP_RAW_MAGIC, HEAPPROF_MIP_MAGIC_BYTES)
	      == 0;
}
