/* Add the types allocated at an address to the model.
   SPDX-License-Identifier: GPL-3.0-or-later

   The innermost frame contains the allocation call.  If its function returns
   what it allocates, the type is known at the frame that calls it, and so
   on.  */

#include "symbolize-types.h"
#include "wrapper-name.h"
#include "heap-types.h"
#include <stdlib.h>
#include <string.h>

/* Store the string ID of TEXT in *ID.  */
static bool
intern (struct heap_profile *profile, const char *text, uint32_t *id)
{
  *id = heap_profile_add_string (profile, text, strlen (text));
  return *id != UINT32_MAX;
}

static enum heap_member_kind
member_kind (char kind)
{
  return kind == 'b'   ? HEAP_MEMBER_BITS
	 : kind == 'a' ? HEAP_MEMBER_MADE
		       : HEAP_MEMBER_DATA;
}

static bool
fill_members (struct heap_profile *profile, const struct site_type *source,
	      struct heap_member *members)
{
  for (uint32_t i = 0; i < source->member_count; i++)
    {
      const struct site_member *from = &source->members[i];
      members[i] = (struct heap_member){ .offset = from->offset,
					 .size = from->size,
					 .alignment = from->alignment,
					 .kind = member_kind (from->kind) };
      if (!intern (profile, from->name, &members[i].name)
	  || !intern (profile, from->type_name, &members[i].type_name))
	return false;
    }
  return true;
}

static bool
add_type (struct heap_profile *profile, const struct site_type *source)
{
  struct heap_details *details = heap_profile_details (profile);
  if (heap_details_type (details, source->number) != NULL)
    return true;
  struct heap_type type
    = { .number = source->number,
	.alignment = source->alignment,
	.size = source->size,
	.start = source->start,
	.kind = source->kind == 's'   ? HEAP_TYPE_CLASS
		: source->kind == 'u' ? HEAP_TYPE_UNION
				      : HEAP_TYPE_PLAIN,
	.member_count = source->member_count,
	.members
	= calloc ((size_t) source->member_count + 1, sizeof *type.members) };
  bool is_done = type.members != NULL
		 && intern (profile, source->name, &type.name)
		 && fill_members (profile, source, type.members)
		 && heap_details_add_type (details, &type);
  free (type.members);
  return is_done;
}

/* Return true if FRAME allocates for its caller: the compiler saw that it
   returns the memory, or it was compiled without the plugin and is an allocator
   by its name.  */
static bool
leaves_type_to_caller (const struct symbolizer_frame *frame)
{
  return frame->allocates == SITE_RETURNED
	 || (frame->allocates != SITE_TYPED && frame->function != NULL
	     && wrapper_name_is_listed (frame->function));
}

bool
symbolize_type (struct heap_profile *profile, const struct named_address *named,
		struct frame_list *list)
{
  size_t i = 0;
  while (i < named->count && leaves_type_to_caller (&named->frames[i]))
    i++;
  list->is_returned = i == named->count && i > 0;
  if (i == named->count || named->frames[i].allocates != SITE_TYPED)
    return true;
  list->type = named->frames[i].type->number;
  return add_type (profile, named->frames[i].type);
}
