/* Canonical names and GUIDs of functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "function-id.h"
#include "local-marks.h"
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* From libiberty; Debian's package is missing md5.h.  */
extern void *md5_buffer (const char *bytes, size_t n, void *digest);

/* What may follow the word of a suffix.  */
enum suffix_tail
{
  TAIL_NUMBER,	       /* .isra.3 */
  TAIL_NUMBER_OR_NONE, /* .cold, .cold.3 */
  TAIL_WORD	       /* .llvm.a0b1 */
};

static const struct
{
  const char *name;
  enum suffix_tail tail;
} suffixes[]
  = { { "cold", TAIL_NUMBER_OR_NONE }, { "constprop", TAIL_NUMBER },
      { "heapprof", TAIL_NUMBER },     { "isra", TAIL_NUMBER },
      { "llvm", TAIL_WORD },	       { "localalias", TAIL_NUMBER_OR_NONE },
      { "lto_priv", TAIL_NUMBER },     { "part", TAIL_WORD } };

static bool
is_number (const char *text, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (text[i] < '0' || text[i] > '9')
      return false;
  return n > 0;
}

/* Return the position of the last dot in the N bytes of NAME, N if none.  */
static size_t
last_dot (const char *name, size_t n)
{
  const char *dot = memrchr (name, '.', n);
  return dot ? (size_t) (dot - name) : n;
}

/* Return true if WORD, N bytes long, is a suffix that may be followed by a dot
   and the TAIL_BYTES bytes of TAIL, or by nothing if TAIL is NULL.  */
static bool
is_suffix (const char *word, size_t n, const char *tail, size_t tail_bytes)
{
  for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
    {
      if (strlen (suffixes[i].name) != n
	  || memcmp (suffixes[i].name, word, n) != 0)
	continue;
      if (!tail)
	return suffixes[i].tail == TAIL_NUMBER_OR_NONE;
      if (suffixes[i].tail == TAIL_WORD)
	return tail_bytes > 0;
      return is_number (tail, tail_bytes);
    }
  return false;
}

/* Return N without one suffix; N itself if NAME has no suffix.  */
static size_t
without_suffix (const char *name, size_t n)
{
  size_t last = last_dot (name, n);
  if (last == n || last == 0)
    return n;
  if (is_suffix (name + last + 1, n - last - 1, NULL, 0))
    return last;
  size_t previous = last_dot (name, last);
  if (previous == last || previous == 0)
    return n;
  if (is_suffix (name + previous + 1, last - previous - 1, name + last + 1,
		 n - last - 1))
    return previous;
  return n;
}

size_t
function_canonical_bytes (const char *name, size_t n)
{
  for (;;)
    {
      size_t shorter = without_suffix (name, n);
      if (shorter == n)
	return n;
      n = shorter;
    }
}

uint64_t
function_guid (const char *name, size_t n)
{
  _Alignas(uint64_t) uint8_t digest[16];
  md5_buffer (name, n, digest);
  uint64_t guid = 0;
  for (int i = 0; i < 8; i++)
    guid |= (uint64_t) digest[i] << 8 * i;
  return guid;
}

/* Return the GUID of the N bytes of NAME without marks of local functions; 0 if
   memory is exhausted.  */
static uint64_t
unmarked_guid (const char *name, size_t n)
{
  char *copy = local_marks_remove (name, &n);
  if (!copy)
    return 0;
  uint64_t guid = function_guid (copy, n);
  free (copy);
  return guid;
}

uint64_t
function_canonical_guid_n (const char *name, size_t n)
{
  if (n == 0)
    return 0;
  n = function_canonical_bytes (name, n);
  return local_marks_are_possible (name, n) ? unmarked_guid (name, n)
					    : function_guid (name, n);
}

uint64_t
function_canonical_guid (const char *name)
{
  return function_canonical_guid_n (name, strlen (name));
}

/* Replace the 4 of KIND in the mangled NAME in place by the base variant's 2,
   where that yields the name of a base variant.  KIND may also be part of an
   identifier, so try each occurrence.  Return false if none fits.  */
static bool
replace_kind (char *name, const char *kind, bool is_constructor)
{
  size_t number = strlen (kind) - 1;
  for (char *at = strstr (name, kind); at != NULL; at = strstr (at + 1, kind))
    {
      at[number] = '2';
      if (is_constructor
	    ? is_gnu_v3_mangled_ctor (name) == gnu_v3_base_object_ctor
	    : is_gnu_v3_mangled_dtor (name) == gnu_v3_base_object_dtor)
	return true;
      at[number] = '4';
    }
  return false;
}

bool
function_base_variant (char *name)
{
  bool is_constructor = is_gnu_v3_mangled_ctor (name) == gnu_v3_unified_ctor;
  if (!is_constructor && is_gnu_v3_mangled_dtor (name) != gnu_v3_unified_dtor)
    return false;
  if (!is_constructor)
    return replace_kind (name, "D4", false);
  return replace_kind (name, "C4", true) || replace_kind (name, "CI4", true);
}
