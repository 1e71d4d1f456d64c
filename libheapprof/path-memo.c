/* Paths that were walked before, found again without walking.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "path-memo.h"
#include "context.h"
#include "thread.h"

/* Longer paths are not kept.  */
#define PATH_WORDS_MAX 160u

/* An entry that was not the path looked for as often as this gives way.  */
#define MISSES_MAX 4u

/* Twice as many misses as hits, and this many more, make the memo rest for
   REST allocations.  */
#define TRUST_MAX 512
#define HIT_TRUST 2
#define REST 16384u

static uintptr_t
word_at (uintptr_t address)
{
  return *(const uintptr_t *) address;
}

/* A number made from FRAME and the innermost return addresses, as far as frame
   pointers lead to them: allocators are called through wrappers, so that the
   first alone says little.  */

static inline uint64_t
hash_at (const struct rt_thread *thread, uintptr_t frame)
{
  uint64_t hash = (frame ^ word_at (frame + sizeof (uintptr_t)) << 16)
		  * 0x9e3779b97f4a7c15u;
  uintptr_t fp = word_at (frame);
  for (unsigned level = 0; level < 2; level++)
    {
      if (fp <= frame || fp >= thread->stack_high - sizeof (uintptr_t)
	  || fp % sizeof (uintptr_t) != 0)
	break;
      hash = (hash ^ word_at (fp + sizeof (uintptr_t))) * 0x9e3779b97f4a7c15u;
      fp = word_at (fp);
    }
  return hash ^ hash >> 32;
}

static inline struct rt_memo_entry *
entry_for (struct rt_memo *memo, uint64_t hash)
{
  return &memo->entries[hash >> 40 & (RT_MEMO_ENTRIES - 1)];
}

static bool
words_are_same (const struct rt_memo_word *word, uint32_t count)
{
  for (const struct rt_memo_word *const end = word + count; word < end; word++)
    if (*word->address != word->value)
      return false;
  return true;
}

/* Of what the memo holds, nothing is true any more.  */

static void
clear (struct rt_memo *memo, uint32_t generation)
{
  for (unsigned i = 0; i < RT_MEMO_ENTRIES; i++)
    memo->entries[i].frame = 0;
  memo->generation = generation;
  memo->trust = TRUST_MAX;
}

static void
miss (struct rt_memo *memo)
{
  if (--memo->trust > 0)
    return;
  memo->rest = REST;
  memo->trust = TRUST_MAX / 2;
}

uint32_t
rt_memo_find (struct rt_thread *thread, uintptr_t frame)
{
  struct rt_memo *const memo = &thread->memo;
  if (memo->rest > 0)
    {
      memo->rest--;
      return 0;
    }
  if (frame < thread->stack_low || frame >= thread->stack_high)
    return 0;
  const uint32_t generation = rt_context_generation ();
  if (__builtin_expect (memo->generation != generation, 0))
    clear (memo, generation);
  struct rt_memo_entry *const entry
    = entry_for (memo, hash_at (thread, frame));
  if (entry->frame == frame && entry->words > 0
      && memo->next - entry->first <= RT_MEMO_WORDS
      && words_are_same (&memo->words[entry->first % RT_MEMO_WORDS],
			 entry->words))
    {
      entry->misses = 0;
      if (memo->trust < TRUST_MAX)
	memo->trust += HIT_TRUST;
      return entry->mib;
    }
  miss (memo);
  return 0;
}

/* Put down the word at ADDRESS.  */

static inline void
put_word (struct rt_memo *memo, uintptr_t address, uintptr_t value)
{
  memo->words[memo->next++ % RT_MEMO_WORDS] = (struct rt_memo_word) {
    .address = (const uintptr_t *) address, .value = value
  };
}

/* Put down the words that the walk along PATH read, innermost first.  Return
   how many.  */

static uint32_t
put_words (struct rt_memo *memo, const struct rt_path *path)
{
  const uint64_t first = memo->next;
  for (uint32_t level = path->depth; level-- > 0;)
    {
      const struct rt_frame *const frame = &path->frames[level];
      const uintptr_t fp_slot = level + 1 == path->depth
				? frame->sp - 2 * sizeof (uintptr_t)
				: frame[1].fp_slot;
      put_word (memo, frame->sp - sizeof (uintptr_t), frame->pc);
      if (fp_slot != 0)
	put_word (memo, fp_slot, frame->fp);
    }
  return (uint32_t) (memo->next - first);
}

void
rt_memo_keep (struct rt_thread *thread, uintptr_t frame, uint32_t mib)
{
  struct rt_memo *const memo = &thread->memo;
  const struct rt_path *const path = &thread->path;
  if (memo->rest > 0 || memo->generation != path->generation
      || path->depth > PATH_WORDS_MAX / 2)
    return;
  const uint64_t hash = hash_at (thread, frame);
  struct rt_memo_entry *const entry = entry_for (memo, hash);
  const bool was_seen
    = entry->frame == frame && entry->tag == (uint32_t) hash;
  if (entry->frame != 0 && entry->words > 0 && ++entry->misses < MISSES_MAX
      && memo->next - entry->first <= RT_MEMO_WORDS)
    return;
  *entry = (struct rt_memo_entry) {
    .frame = frame, .tag = (uint32_t) hash, .mib = mib
  };
  if (!was_seen)
    return;
  /* All in one piece.  */
  if (memo->next % RT_MEMO_WORDS > RT_MEMO_WORDS - PATH_WORDS_MAX)
    memo->next += RT_MEMO_WORDS - memo->next % RT_MEMO_WORDS;
  entry->first = memo->next;
  entry->words = put_words (memo, path);
}
