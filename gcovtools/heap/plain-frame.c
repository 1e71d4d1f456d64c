/* Frames reduced to what identifies them in several profiles.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "plain-frame.h"
#include "thread-starts.h"

/* Copy the address of FRAME in PROFILE to PLAIN in COMMON.  Return false if
   memory is exhausted.  */
static bool
enter_address (struct heap_profile *common, const struct heap_profile *profile,
	       const struct heap_frame *frame, struct heap_frame *plain)
{
  plain->address = frame->address;
  plain->build_id
    = heap_profile_add_string (common,
			       heap_profile_string (profile, frame->build_id),
			       heap_profile_string_bytes (profile,
							  frame->build_id));
  plain->path
    = heap_profile_add_string (common,
			       heap_profile_string (profile, frame->path),
			       heap_profile_string_bytes (profile,
							  frame->path));
  return plain->build_id != UINT32_MAX && plain->path != UINT32_MAX;
}

uint32_t
plain_frame_enter (struct heap_profile *common,
		   const struct heap_profile *profile, uint32_t id)
{
  const struct heap_frame *frame = heap_profile_frame (profile, id);
  struct heap_frame plain = { .function_guid = frame->function_guid,
			      .line_offset = frame->line_offset };
  if (frame->function_guid == 0)
    {
      const char *module = heap_profile_string (profile, frame->module);
      plain.module
	= heap_profile_add_string (common, module,
				   heap_profile_string_bytes (profile,
							      frame->module));
      if (plain.module == UINT32_MAX
	  || (!thread_starts_is_c_library (module)
	      && !enter_address (common, profile, frame, &plain)))
	return UINT32_MAX;
    }
  return heap_profile_add_frame (common, &plain);
}
