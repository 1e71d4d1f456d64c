/* Hand-counted accesses of the C library's functions on texts: one for every 8
   bytes of what they read or write.  The counts hold at every optimization level.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include "counts.h"
#include <strings.h>

/* 30 different bytes and a NUL.  */
#define TEXT "abcdefghijklmnopqrstuvwxyz0123"

static char global[64] = "abcdefghijklmnopqrstuvwxyz0124";
static volatile int n_found;

/* Not instrumented, so that only the calls below count.  */
static void __attribute__ ((no_instrument_function, noipa))
fill (char *p, char *q)
{
  memcpy (p, TEXT, sizeof TEXT);
  memcpy (q, TEXT, sizeof TEXT);
}

KEEP void
t_strlen (char *p)
{
  n_found = strlen (p);
} /* 31 bytes */

KEEP void
t_strnlen (char *p, size_t n)
{
  n_found = strnlen (p, n);
} /* 17 of 17: 3; none of 0 */

KEEP void
t_strcmp (char *p, char *q)
{
  n_found = strcmp (p, q);
}

KEEP void
t_strcmp_equal (char *p, char *q)
{
  n_found = strcmp (p, q) == 0;
}

KEEP void
t_strcmp_global (char *p)
{
  n_found = strcmp (p, global);
} /* 30 bytes */

KEEP void
t_strncmp (char *p, char *q, size_t n)
{
  n_found = strncmp (p, q, n);
}

KEEP void
t_memcmp (char *p, char *q, size_t n)
{
  n_found = memcmp (p, q, n);
}

KEEP void
t_memcmp_few (char *p, char *q)
{
  n_found = memcmp (p, q, 7);
}

KEEP void
t_memcmp_global (char *p, size_t n)
{
  n_found = memcmp (p, global, n);
}

KEEP void
t_memcmp_equal (char *p, char *q, size_t n)
{
  n_found = memcmp (p, q, n) == 0;
}

KEEP void
t_bcmp (char *p, char *q, size_t n)
{
  n_found = bcmp (p, q, n);
}

KEEP void
t_strcasecmp (char *p, char *q)
{
  n_found = strcasecmp (p, q);
}

KEEP void
t_strncasecmp (char *p, char *q, size_t n)
{
  n_found = strncasecmp (p, q, n);
}

KEEP void
t_strchr (char *p, int c)
{
  n_found = strchr (p, c) != NULL;
}

KEEP void
t_strrchr (char *p, int c)
{
  n_found = strrchr (p, c) != NULL;
}

KEEP void
t_memchr (char *p, int c, size_t n)
{
  n_found = memchr (p, c, n) != NULL;
}

KEEP void
t_strcpy (char *p, char *q)
{
  strcpy (p, q);
}

KEEP void
t_strncpy (char *p, char *q, size_t n)
{
  strncpy (p, q, n);
}

KEEP void
t_stpcpy (char *p, char *q)
{
  n_found = stpcpy (p, q) - p;
}

KEEP void
t_strcat (char *p, char *q)
{
  strcat (p, q);
} /* p: read 31 bytes, written 31; q: read 31 */

KEEP void
t_strncat (char *p, char *q, size_t n)
{
  strncat (p, q, n);
}

KEEP void
t_strspn (char *p, char *q)
{
  n_found = strspn (p, q);
}

KEEP void
t_strcspn (char *p, char *q)
{
  n_found = strcspn (p, q);
}

KEEP size_t
t_strcspn_dot (char *p)
{
  return strcspn (p, ".");
}

KEEP size_t
t_strspn_x (char *p)
{
  return strspn (p, "x");
}

KEEP void
t_strpbrk (char *p)
{
  n_found = strpbrk (p, "qr") != NULL;
} /* 17 bytes */

KEEP void
t_strstr (char *p, char *q)
{
  n_found = strstr (p, q) != NULL;
}

KEEP size_t
t_stack (size_t n)
{
  char here[100], there[100];
  memset (here, 'x', sizeof here);
  memset (there, 'x', sizeof there);
  here[n] = there[n] = 0;
  return strlen (here) + (strcmp (here, there) == 0);
} /* none */

/* The program's own function, which is instrumented.  */
KEEP static int
own_compare (const char *a, const char *b)
{
  return a[0] - b[0];
}

/* Texts of all short lengths, at all positions in a granule: each granule that
   has bytes to be read has an access, all together one for every 8 bytes.  */
static void __attribute__ ((no_instrument_function, noipa))
check_lengths (char *p)
{
  for (size_t offset = 0; offset < 64; offset += 4)
    for (size_t n = 0; n < 150; n++)
      {
	char *const text = p + offset;
	memset (text, 'x', n);
	text[n] = 0;
	t_strlen (text);
	check_granules ("strlen", p, offset, 8, n / 8 + 1);
	t_strspn_x (text);
	check_granules ("strspn", p, offset, 8, n / 8 + 1);
	text[n] = '.';
	t_strcspn_dot (text);
	check_granules ("strcspn", p, offset, 8, n / 8 + 1);
      }
}

int
main (void)
{
  char *p = new_block (BLOCK_BYTES);
  char *q = new_block (BLOCK_BYTES);

#define TEXTS(call, count_p, count_q)                                          \
  fill (p, q);                                                                 \
  COUNTS (call, count_p, count_q)
  TEXTS (t_strlen (p), 4, 0);
  TEXTS (t_strlen (p + 23), 1, 0);
  TEXTS (t_strnlen (p, 17), 3, 0);
  TEXTS (t_strnlen (p, 100), 4, 0);
  TEXTS (t_strnlen (p, 0), 0, 0);
  TEXTS (t_strcmp (p, q), 4, 4);
  TEXTS (t_strcmp_equal (p, q), 4, 4);
  TEXTS (t_strcmp (p, q + 1), 1, 1);
  TEXTS (t_strcmp_global (p), 4, 0);
  TEXTS (t_strncmp (p, q, 9), 2, 2);
  TEXTS (t_strncmp (p, q, 400), 4, 4);
  TEXTS (t_strncmp (p, q, 0), 0, 0);
  TEXTS (t_memcmp (p, q, 64), 8, 8);
  TEXTS (t_memcmp (p, q, 65), 9, 9);
  TEXTS (t_memcmp (p, q + 1, 64), 1, 1);
  TEXTS (t_memcmp (p, q, 0), 0, 0);
  TEXTS (t_memcmp (p, q, 1), 1, 1);
  TEXTS (t_memcmp (p, q, 8), 1, 1);
  TEXTS (t_memcmp (p, q, 9), 2, 2);
  TEXTS (t_memcmp (p, q + 1, 8), 1, 1);
  TEXTS (t_memcmp_few (p, q), 1, 1);
  TEXTS (t_memcmp_few (p, q + 1), 1, 1);
  TEXTS (t_memcmp_global (p, 4), 1, 0);
  TEXTS (t_memcmp_equal (p, q, 25), 4, 4);
  TEXTS (t_bcmp (p, q, 8), 1, 1);
  TEXTS ((q[20] -= 'a' - 'A', t_strcasecmp (p, q)), 4, 4 + 2);
  TEXTS (t_strncasecmp (p, q, 9), 2, 2);
  TEXTS (t_strchr (p, 'r'), 3, 0);
  TEXTS (t_strchr (p, '%'), 4, 0);
  TEXTS (t_strchr (p, 0), 4, 0);
  TEXTS (t_strrchr (p, 'a'), 4, 0);
  TEXTS (t_memchr (p, 'i', 64), 2, 0);
  TEXTS (t_memchr (p, '%', 64), 8, 0);
  TEXTS (t_memchr (p, 256 + 'i', 64), 2, 0);
  TEXTS (t_strcpy (p, q), 4, 4);
  TEXTS (t_strncpy (p, q, 100), 13, 4);
  TEXTS (t_strncpy (p, q, 10), 2, 2);
  TEXTS (t_stpcpy (p, q), 4, 4);
  TEXTS (t_strcat (p, q), 4 + 4, 4);
  TEXTS (t_strncat (p, q, 8), 4 + 2, 1);
  TEXTS (t_strncat (p, q, 0), 4 + 1, 0);
  TEXTS (t_strspn (p, q), 4, 4);
  TEXTS (t_strspn (p, q + 1), 1, 4);
  TEXTS (t_strcspn (p, q + 10), 2, 3);
  TEXTS (t_strpbrk (p), 3, 0);
  TEXTS (t_strstr (p, q + 20), 4, 2);
  TEXTS ((q[12] = 0, t_strstr (p, q + 5)), 2, 1 + 1);
  TEXTS (t_stack (50), 0, 0);
  TEXTS (n_found = own_compare (p, q), 1, 1);
  check_lengths (p);
  return report ();
}
