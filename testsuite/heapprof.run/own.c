/* A program with its own C library functions: OWN_NAME defines NAME.
   SPDX-License-Identifier: GPL-3.0-or-later

   All do what their names say, on heap memory where the plugin counts accesses,
   and count their calls.  The program prints the numbers of calls, which shows
   calls that it did not make itself.  */

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef HINTS
#include "heapprof/heaphint.h"
#define ALLOCATE(size) heapprof_malloc_hinted (size, 254)
#else
#define ALLOCATE(size) malloc (size)
#endif

static unsigned calls;
static char *block;

/* Access the heap, as any function of the program may.  */
#define CALLED() (calls++, block != NULL ? (void) (block[0] += 1) : (void) 0)

#ifdef OWN_strcmp
int
strcmp (const char *a, const char *b)
{
  CALLED ();
  for (; *a != '\0' && *a == *b; a++)
    b++;
  return *(const unsigned char *) a - *(const unsigned char *) b;
}
#endif

#ifdef OWN_strlen
size_t
strlen (const char *text)
{
  size_t n = 0;
  CALLED ();
  while (text[n] != '\0')
    n++;
  return n;
}
#endif

#ifdef OWN_memcpy
void *
memcpy (void *to, const void *from, size_t bytes)
{
  CALLED ();
  for (size_t i = 0; i < bytes; i++)
    ((char *) to)[i] = ((const char *) from)[i];
  return to;
}
#endif

#ifdef OWN_memset
void *
memset (void *to, int value, size_t bytes)
{
  CALLED ();
  for (size_t i = 0; i < bytes; i++)
    ((char *) to)[i] = (char) value;
  return to;
}
#endif

#ifdef OWN_memmove
void *
memmove (void *to, const void *from, size_t bytes)
{
  char *const t = to;
  const char *const f = from;
  CALLED ();
  for (size_t i = 0; i < bytes; i++)
    if (t < f)
      t[i] = f[i];
    else
      t[bytes - 1 - i] = f[bytes - 1 - i];
  return to;
}
#endif

#ifdef OWN_strchr
char *
strchr (const char *text, int c)
{
  CALLED ();
  for (; *text != (char) c; text++)
    if (*text == '\0')
      return NULL;
  return (char *) text;
}
#endif

#ifdef OWN_strcspn
size_t
strcspn (const char *text, const char *reject)
{
  size_t n = 0;
  CALLED ();
  for (; text[n] != '\0'; n++)
    for (const char *each = reject; *each != '\0'; each++)
      if (*each == text[n])
	return n;
  return n;
}
#endif

#ifdef OWN_strtoul
/* Headers of glibc since 2.38 may give the function the second name.  In static
   programs, that may also come with other functions of glibc.  */
unsigned long own_strtoul (const char *text, char **end, int base);
__typeof__ (own_strtoul) plain_strtoul __asm__ ("strtoul")
  __attribute__ ((alias ("own_strtoul")));
__typeof__ (own_strtoul) c23_strtoul __asm__ ("__isoc23_strtoul")
  __attribute__ ((weak, alias ("own_strtoul")));
#define strtoul plain_strtoul

unsigned long
own_strtoul (const char *text, char **end, int base)
{
  unsigned long number = 0;
  CALLED ();
  for (; *text >= '0' && *text <= '9'; text++)
    number = number * (unsigned long) base + (unsigned long) (*text - '0');
  if (end != NULL)
    *end = (char *) text;
  return number;
}
#endif

#ifdef OWN_qsort
void
qsort (void *data, size_t count, size_t bytes,
       int (*compare) (const void *, const void *))
{
  char *const items = data;
  CALLED ();
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++)
      if (compare (items + i * bytes, items + j * bytes) > 0)
	for (size_t k = 0; k < bytes; k++)
	  {
	    const char c = items[i * bytes + k];
	    items[i * bytes + k] = items[j * bytes + k];
	    items[j * bytes + k] = c;
	  }
}
#endif

#ifdef OWN_snprintf
/* Supports only %u.  */
int
snprintf (char *text, size_t bytes, const char *format, ...)
{
  size_t n = 0;
  va_list arguments;
  CALLED ();
  va_start (arguments, format);
  for (; *format != '\0' && n + 1 < bytes; format++)
    if (*format != '%')
      text[n++] = *format;
    else
      {
	unsigned number = va_arg (arguments, unsigned), place = 1;
	while (number / place > 9)
	  place *= 10;
	for (; place > 0 && n + 1 < bytes; place /= 10)
	  text[n++] = (char) ('0' + number / place % 10);
	format++;
      }
  va_end (arguments);
  text[n] = '\0';
  return (int) n;
}
#else
int snprintf (char *text, size_t bytes, const char *format, ...);
#endif

#ifdef OWN_write
ssize_t
write (int fd, const void *data, size_t bytes)
{
  CALLED ();
  return syscall (SYS_write, fd, data, bytes);
}
#endif

#ifdef OWN_getenv
char *
getenv (const char *name)
{
  CALLED ();
  return name[0] == 'H' ? (char *) "nonsense" : NULL;
}
#endif

/* Call functions through pointers that are unknown to the compiler.  */
#define USE(name, type, ...)						      \
  type (*volatile use_##name) (__VA_ARGS__)				      \
    = (type (*) (__VA_ARGS__)) name

int strcmp (const char *, const char *);
size_t strlen (const char *);
void *memcpy (void *, const void *, size_t);
void *memset (void *, int, size_t);
void *memmove (void *, const void *, size_t);
char *strchr (const char *, int);
size_t strcspn (const char *, const char *);

static int
compare (const void *a, const void *b)
{
  return *(const char *) a - *(const char *) b;
}

int
main (void)
{
  USE (strcmp, int, const char *, const char *);
  USE (strlen, size_t, const char *);
  USE (memcpy, void *, void *, const void *, size_t);
  USE (memset, void *, void *, int, size_t);
  USE (memmove, void *, void *, const void *, size_t);
  USE (strchr, char *, const char *, int);
  USE (strcspn, size_t, const char *, const char *);
  USE (strtoul, unsigned long, const char *, char **, int);
  USE (qsort, void, void *, size_t, size_t,
       int (*) (const void *, const void *));
  USE (snprintf, int, char *, size_t, const char *, ...);
  USE (write, ssize_t, int, const void *, size_t);
  USE (getenv, char *, const char *);

  block = ALLOCATE (5000);
  char *const text = ALLOCATE (200);
  use_memset (block, 0, 5000);
  use_memcpy (text, "42:edcba", 9);
  use_memmove (text + 1, text, 9);
  text[0] = '1';
  unsigned sum = (unsigned) use_strlen (text);
  sum = sum * 10 + (use_strcmp (text, "142:edcba") == 0);
  sum = sum * 10 + (use_strchr (text, 'e') == text + 4);
  sum = sum * 10 + (unsigned) use_strcspn (text, ":");
  sum = sum * 10 + (use_strtoul (text, NULL, 10) == 142);
  use_qsort (text + 4, 5, 1, compare);
  sum = sum * 10 + (use_strcmp (text, "142:abcde") == 0);
  sum = sum * 10 + (use_getenv ("NO_SUCH_VARIABLE") == NULL);
  /* Sizes that the library itself copies and clears.  */
  for (unsigned i = 0; i < 20; i++)
    {
      char *more = calloc (i + 1, 1000);
      more = realloc (more, 3000 * (i + 1));
      sum += (unsigned) more[999];
      free (more);
    }
  char line[100];
  const unsigned before = calls;
  const int bytes = use_snprintf (line, sizeof line, "%u %u\n", sum, before);
  use_write (1, line, (size_t) bytes);
  free (text);
  free (block);
  return 0;
}
