/* Tests of validity checks: damage a structure deliberately.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SEEN_DAMAGE_H
#define HEAPPROF_SEEN_DAMAGE_H

#include <check.h>

/* Check that IS_VALID holds, that it fails while DAMAGE is added to WORD, and
   that ALL_ARE_VALID holds when WORD is restored.  */
#define SEEN_DAMAGE(is_valid, all_are_valid, word, damage)                     \
  do                                                                           \
    {                                                                          \
      const __typeof__ (word) sound_word = (word);                             \
      ck_assert (is_valid);                                                    \
      (word) = (__typeof__ (word)) (sound_word + (damage));                    \
      ck_assert (!(is_valid));                                                 \
      (word) = sound_word;                                                     \
      ck_assert (all_are_valid);                                               \
    }                                                                          \
  while (0)

#endif /* HEAPPROF_SEEN_DAMAGE_H */
