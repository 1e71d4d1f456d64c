/* Branches in the text of a recording.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "branch-text.h"
#include "hex-number.h"
#include <string.h>

void
branch_texts_init (struct branch_texts *texts)
{
  for (size_t bytes = 0; bytes <= BRANCH_TEXT_BYTES; bytes++)
    memset (texts->masks[bytes], 0xff, bytes);
}

/* Return the first blank from AT on, END if there is none.  LIMIT is the end of
   the text, not before END.  */
static const char *
find_blank (const char *at, const char *end, const char *limit)
{
  while (limit - at >= HEX_WORD && at < end)
    {
      /* The lowest byte that is 0 is found, whatever is above it.  */
      uint64_t word = hex_number_word (at) ^ HEX_BYTES (' ');
      uint64_t blanks = (word - HEX_BYTES (1)) & ~word & HEX_BYTES (0x80);
      if (blanks != 0)
	{
	  at += __builtin_ctzll (blanks) / 8;
	  return at < end ? at : end;
	}
      at += HEX_WORD;
    }
  while (at < end && *at != ' ')
    at++;
  return at < end ? at : end;
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
  *at = find_blank (here, end, limit);
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

/* Return where the branch whose text is TEXT may be remembered.  */
static inline struct known_branch *
find_slot (struct branch_texts *texts, const uint64_t *text)
{
  uint64_t hash = text[0] * UINT64_C (0x9e3779b97f4a7c15)
		  + text[1] * UINT64_C (0xff51afd7ed558ccd)
		  + text[2] * UINT64_C (0xc4ceb9fe1a85ec53)
		  + text[3] * UINT64_C (0xd6e8feb86659fd93);
  return &texts->known[hash >> 40 & (BRANCH_TEXTS - 1)];
}

/* Return true if TEXT begins with that of KNOWN.  */
static inline bool
has_text (const struct branch_texts *texts, const struct known_branch *known,
	  const uint64_t *text)
{
  const uint64_t *mask = texts->masks[known->bytes];
  uint64_t difference = 0;
  for (unsigned int i = 0; i < BRANCH_TEXT_WORDS; i++)
    difference |= (text[i] ^ known->text[i]) & mask[i];
  return difference == 0 && known->bytes > 0;
}

/* Read the branch at *AT, and set *AT to its end.  Return it; NULL if it is
   none.  SPARE is for one that cannot be remembered.  */
static inline const struct known_branch *
take_branch (struct branch_texts *texts, const char **at, const char *end,
	     const char *limit, struct known_branch *spare)
{
  struct known_branch *slot = NULL;
  const char *start = *at;
  if (limit - start >= BRANCH_TEXT_BYTES)
    {
      uint64_t text[BRANCH_TEXT_WORDS];
      memcpy (text, start, sizeof text);
      slot = find_slot (texts, text);
      if (has_text (texts, slot, text))
	{
	  *at += slot->bytes;
	  return slot;
	}
    }
  if (!read_branch (at, end, limit, spare))
    return NULL;
  if (slot != NULL)
    remember (slot, spare, start, *at, limit);
  return spare;
}

bool
branch_texts_take (struct branch_texts *texts, const char *at, const char *end,
		   const char *limit, struct perf_branch *branches, size_t most,
		   size_t *count)
{
  struct known_branch spare = { 0 };
  *count = 0;
  while (at < end)
    {
      const struct known_branch *taken
	= *count < most ? take_branch (texts, &at, end, limit, &spare) : NULL;
      if (taken == NULL)
	return false;
      branches[*count] = taken->branch;
      *count += taken->has_happened;
      while (at < end && (*at == ' ' || *at == '\t'))
	at++;
    }
  return true;
}
