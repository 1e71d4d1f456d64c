/* Escaping of untrusted text: one policy for all writers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Names of functions, files, modules and threads come from untrusted files, and
   paths from command lines.  Code that writes them for people, or into a format
   without escapes of its own, uses these functions.  Plain characters are all
   UTF-8 characters except those that control a terminal or hide text:

     control characters  U+0000 to U+001F, U+007F, U+0080 to U+009F
     invisible           U+00AD, U+180E, U+200B, U+2060 to U+2065, U+FEFF,
			 U+FFF9 to U+FFFB, U+E0000 to U+E007F
     direction marks     U+061C, U+200C to U+200F, U+202A to U+202E,
			 U+2066 to U+206F
     line ends           U+2028, U+2029

   ASCII characters that are not plain are written as \xHH, other characters as
   \uHHHH or \UHHHHHHHH, and bytes that are not UTF-8 as \xHH each.  A backslash
   is left as it is, so the result is meant for people, not for programs that
   need the original bytes.  Characters with a meaning in a format, such as the
   semicolon in folded stacks, are also written as \xHH.  */

#ifndef HEAPPROF_PLAIN_TEXT_H
#define HEAPPROF_PLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* Most bytes of a character in plain text, with a terminating NUL.  */
#define PLAIN_TEXT_CHARACTER_BYTES 11

  /* Decode the character at TEXT, of which N >= 1 bytes can be read.  Return
     its length in bytes and set *CODE.  If it is not UTF-8, the length is 1 and
     *CODE is UINT32_MAX.  */
  size_t plain_text_decode (const char *text, size_t n, uint32_t *code);

  /* Return true if the character CODE is plain.  */
  bool plain_text_is_plain (uint32_t code);

  /* Return true if all characters of the N bytes at TEXT are plain.  */
  bool plain_text_is_all_plain (const char *text, size_t n);

  /* Write the character at TEXT, of which N bytes can be read, to OUT as plain
     text with a terminating NUL.  ASCII characters in MARKS are escaped, too.
     Return the length of the character in TEXT.  */
  size_t plain_text_character (const char *text, size_t n, const char *marks,
			       char out[PLAIN_TEXT_CHARACTER_BYTES]);

  /* Return a malloced copy of the N bytes at TEXT as plain text.  NULL if
     memory is exhausted.  */
  char *plain_text_copy (const char *text, size_t n, const char *marks);

  /* Convert the string TEXT, in SIZE bytes of memory, to plain text.  If it
     does not fit, or if WAS_CUT because it is truncated already, truncate it at
     a character and end it with three dots.  */
  void plain_text_fit (char *text, size_t size, bool was_cut);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_PLAIN_TEXT_H */
