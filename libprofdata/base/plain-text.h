/* Text from outside, made fit to be read: the one policy of all writers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Names of functions, files, modules and threads come from files that nobody
   vouches for, and paths from command lines.  Whoever writes them for people,
   or into a format that has no escapes of its own, writes them as this file
   says. Plain are characters of UTF-8 but those that act on a terminal or hide
   what is there:

     control characters   U+0000 to U+001F, U+007F, U+0080 to U+009F
     invisible            U+00AD, U+180E, U+200B, U+2060 to U+2065, U+FEFF,
			  U+FFF9 to U+FFFB, U+E0000 to U+E007F
     marks of direction   U+061C, U+200C to U+200F, U+202A to U+202E,
			  U+2066 to U+206F
     ends of lines        U+2028, U+2029

   ASCII that is not plain is written as \xHH, other characters as \uHHHH or
   \UHHHHHHHH, and bytes that are no UTF-8 as \xHH each.  A backslash stays as
   it is, so this is for readers, not for programs that want the bytes back.
   What a format gives a meaning, such as the semicolon in folded stacks, is
   written as \xHH, too.  */

#ifndef HEAPPROF_PLAIN_TEXT_H
#define HEAPPROF_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* Most bytes that a character takes in plain text, with a NUL behind.  */
#define PLAIN_TEXT_CHARACTER_BYTES 11

  /* The character at TEXT, of which N bytes are there, 1 at least.  Return how
     many bytes it has, and set *CODE; to UINT32_MAX if they are no UTF-8, which
     is one byte then.  */
  size_t plain_text_decode (const char *text, size_t n, uint32_t *code);

  /* Is the character CODE plain?  */
  bool plain_text_is_plain (uint32_t code);

  /* Are all characters of the N bytes at TEXT?  */
  bool plain_text_is_all_plain (const char *text, size_t n);

  /* Write the character at TEXT, of which N bytes are there, to OUT, plain,
     with a NUL behind.  ASCII that is in MARKS is not taken as plain.  Return
     how many bytes of TEXT that were.  */
  size_t plain_text_character (const char *text, size_t n, const char *marks,
			       char out[PLAIN_TEXT_CHARACTER_BYTES]);

  /* A copy of the N bytes at TEXT, all plain, malloced.  NULL if memory is
     exhausted.  */
  char *plain_text_copy (const char *text, size_t n, const char *marks);

  /* Make the string TEXT, in SIZE bytes of memory, plain.  What has no room is
     cut off at a character, which three dots say; WAS_CUT if it is cut
     already.  */
  void plain_text_fit (char *text, size_t size, bool was_cut);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PLAIN_TEXT_H */
