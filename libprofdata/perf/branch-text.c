/* Branches in the text of a recording.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "branch-text.h"
#include "hex-number.h"
#include <stdlib.h>
#include <string.h>

bool
branch_texts_init (struct branch_texts *texts, size_t bytes)
{
  size_t count = 16;
  while (count < BRANCH_TEXTS && count < bytes / sizeof *texts->known)
    count *= 2;
  texts->known = calloc (count, sizeof *texts->known);
  texts->last = count - 1;
  for (size_t ones = 0; ones <= BRANCH_TEXT_BYTES; ones++)
    memset (texts->masks[ones], 0xff, ones);
  return texts->known != NULL;
}

void
branch_texts_free (struct branch_texts *texts)
{
  free (texts->known);
}

/* Read the branch at *AT, and set *AT to its end.  */
static bool
read_branch (const char **at, const char *end, const char *limit,
	     struct known_branch *known)
{
  static const char wrong[] = "/SPEC_WRONG_PATH";
  const char *here = *at;
  struct perf_branch *branch = &known->branch;
  branch->flags = 0;
  if (!hex_number_take (&here, limit, &branch->from) || here >= end
      || *here++ != '/' || !hex_number_take (&here, limit, &branch->to))
    return false;
  if (end - here > 1 && here[0] == '/')
    branch->flags = here[1] == 'P'   ? PERF_BRANCH_PREDICTED
		    : here[1] == 'M' ? PERF_BRANCH_MISPREDICTED
				     : 0;
  const char *blank = memchr (here, ' ', (size_t) (end - here));
  *at = blank != NULL ? blank : end;
  size_t left = (size_t) (*at - here);
  known->has_happened = left < sizeof wrong - 1
			|| memmem (here, left, wrong, sizeof wrong - 1) == NULL;
  return true;
}

/* Remember KNOWN as the branch from AT to its END, unless that is too long or
   no blank follows.  */
static void
remember (struct known_branch *slot, const struct known_branch *known,
	  const char *at, const char *end, const char *limit)
{
  size_t bytes = (size_t) (end - at) + 1;
  if (bytes > BRANCH_TEXT_BYTES || end == limit || *end != ' ')
    return;
  *slot = *known;
  memset (slot->text, 0, sizeof slot->text);
  memcpy (slot->text, at, bytes);
  slot->bytes = (uint8_t) bytes;
}

/* Return where the branch at AT, whose text is TEXT, may be remembered.  What
   follows a short text should not matter, nor the end of a long one.  */
static inline struct known_branch *
find_slot (struct branch_texts *texts, const char *at, const uint64_t *text)
{
  uint64_t end;
  memcpy (&end, at + 21, sizeof end);
  uint64_t hash = text[0] * UINT64_C (0x9e3779b97f4a7c15)
		  + text[1] * UINT64_C (0xff51afd7ed558ccd)
		  + text[2] * UINT64_C (0xc4ceb9fe1a85ec53)
		  + end * UINT64_C (0xd6e8feb86659fd93);
  return &texts->known[hash >> 52 & texts->last];
}

/* Return true if TEXT begins with that of KNOWN.  */
static inline bool
has_text (const struct branch_texts *texts, const struct known_branch *known,
	  const uint64_t *text)
{
  const uint64_t *mask = texts->masks[known->bytes];
  uint64_t difference = ((text[0] ^ known->text[0]) & mask[0])
			| ((text[1] ^ known->text[1]) & mask[1])
			| ((text[2] ^ known->text[2]) & mask[2])
			| ((text[3] ^ known->text[3]) & mask[3])
			| ((text[4] ^ known->text[4]) & mask[4]);
  return difference == 0 && known->bytes > 0;
}

/* Read the branch at *AT, which is in no slot, and set *AT to its end.  Return
   false if it is none.  */
static __attribute__ ((noinline)) bool
take_new (struct known_branch *slot, const char **at, const char *end,
	  const char *limit, struct known_branch *taken)
{
  const char *start = *at;
  if (!read_branch (at, end, limit, taken))
    return false;
  if (slot != NULL)
    remember (slot, taken, start, *at, limit);
  return true;
}

bool
branch_texts_take (struct branch_texts *texts, const char *at, const char *end,
		   const char *limit, struct perf_branch *branches, size_t most,
		   size_t *count)
{
  struct known_branch spare = { 0 };
  size_t used = 0;
  while (at < end)
    {
      const struct known_branch *taken = NULL;
      struct known_branch *slot = NULL;
      if (used == most)
	return false;
      if (limit - at >= BRANCH_TEXT_BYTES)
	{
	  uint64_t text[BRANCH_TEXT_WORDS];
	  memcpy (text, at, sizeof text);
	  slot = find_slot (texts, at, text);
	  if (has_text (texts, slot, text))
	    {
	      taken = slot;
	      at += slot->bytes;
	    }
	}
      if (taken == NULL)
	{
	  const char *here = at;
	  if (!take_new (slot, &here, end, limit, &spare))
	    return false;
	  at = here;
	  taken = &spare;
	}
      branches[used] = taken->branch;
      used += taken->has_happened;
      while (at < end && (*at == ' ' || *at == '\t'))
	at++;
    }
  *count = used;
  return true;
}
