/* Hand-counted accesses in C; the counts hold at every optimization level.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include "counts.h"
struct s
{
  int x, y;
};

struct bf
{
  unsigned a : 3, b : 7;
  unsigned long c : 40;
};

struct s20
{
  int v[5];
};

struct s24
{
  long v[3];
};

struct s100
{
  char v[100];
};

struct s200
{
  long v[25];
};

typedef int v4si __attribute__ ((vector_size (16)));
typedef int v8si __attribute__ ((vector_size (32)));
KEEP void
t_scalar (struct s *p)
{
  p->x = p->y + 1;
}

KEEP void
t_bf (struct bf *p)
{
  p->a = 1;
  p->b = 2;
}

KEEP int
t_bfr (struct bf *p)
{
  return p->c;
}

KEEP void
t_inc (volatile int *p)
{
  (*p)++;
}

KEEP void
t_vec (v4si *p, v4si *q)
{
  *p = *q;
}

KEEP void
t_vec8 (v8si *p, v8si *q)
{
  *p = *q + 1;
}

KEEP void
t_cplx (double complex *p, double complex *q)
{
  *p = *q;
}

KEEP void
t_cplx2 (float complex *p)
{
  __real__ *p = 1;
}

KEEP void
t_copy20 (struct s20 *p, struct s20 *q)
{
  *p = *q;
}

KEEP void
t_copy100 (struct s100 *p, struct s100 *q)
{
  *p = *q;
}

KEEP void
t_copy200 (struct s200 *p, struct s200 *q)
{
  *p = *q;
}

KEEP void
t_clear (struct s200 *p)
{
  *p = (struct s200){};
}

KEEP struct s200
mk (void)
{
  struct s200 s;
  for (int i = 0; i < 25; i++)
    s.v[i] = i;
  return s;
}

KEEP void
t_callstore (struct s200 *p)
{
  *p = mk ();
}

KEEP long
use (struct s200 s)
{
  return s.v[3];
}

KEEP long
t_byval (struct s200 *p)
{
  return use (*p);
}

KEEP struct s200
t_ret (struct s200 *p)
{
  return *p;
}

KEEP struct s24
t_ret24 (struct s24 *p)
{
  return *p;
}

KEEP void
t_memcpy (void *p, void *q, size_t n)
{
  memcpy (p, q, n);
}

KEEP void
t_memcpy16 (void *p, void *q)
{
  memcpy (p, q, 16);
}

KEEP void
t_memcpy8 (void *p, void *q)
{
  memcpy (p, q, 8);
}

KEEP void
t_memmove50 (void *p, void *q)
{
  memmove (p, q, 50);
}

KEEP void
t_memset (void *p, size_t n)
{
  memset (p, 3, n);
}

KEEP void
t_memset13 (void *p)
{
  memset (p, 3, 13);
}

KEEP void
t_chk (void *p, void *q, size_t n)
{
  __builtin___memcpy_chk (p, q, n, __builtin_object_size (p, 0));
}

KEEP void
t_chk2 (void *p, size_t n)
{
  __builtin___memset_chk (p, 0, n, 1000);
}

KEEP void
t_mempcpy (void *p, void *q, size_t n)
{
  __builtin_mempcpy (p, q, n);
}

KEEP void
t_bzero (void *p, size_t n)
{
  __builtin_bzero (p, n);
}

KEEP void
t_bcopy (void *p, void *q, size_t n)
{
  __builtin_bcopy (p, q, n);
}

KEEP int
t_at (atomic_int *p)
{
  return atomic_fetch_add (p, 1);
}

KEEP int
t_at2 (atomic_int *p)
{
  int e = 0;
  return atomic_compare_exchange_strong (p, &e, 1);
}

KEEP int
t_at3 (int *p)
{
  return __sync_bool_compare_and_swap (p, 0, 1);
}

KEEP int
t_at4 (int *p)
{
  return __atomic_load_n (p, __ATOMIC_ACQUIRE);
}

KEEP void
t_at5 (int *p)
{
  __atomic_store_n (p, 3, __ATOMIC_RELEASE);
}

KEEP _Bool
t_at6 (char *p)
{
  return __atomic_test_and_set (p, __ATOMIC_RELEASE);
}

KEEP void
t_at7 (int *p)
{
  __sync_lock_release (p);
}

KEEP void
t_asm (int *p, int *q)
{
  __asm__ volatile("movl %1, %%eax; movl %%eax, %0"
		   : "=m"(*p)
		   : "m"(*q)
		   : "eax");
}

KEEP void
t_asmrw (int *p)
{
  __asm__ volatile("incl %0" : "+m"(*p));
}

KEEP int
t_sum (int *p, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}

KEEP void
t_add (int *p, int *q, int n)
{
  for (int i = 0; i < n; i++)
    p[i] = q[i] * 3;
}

KEEP void
t_neg (int *p, int n)
{
  for (int i = n - 1; i >= 0; i--)
    p[i] = i * i;
}

KEEP int
t_vla (int n)
{
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = i;
  return a[n / 2];
}

KEEP int
t_stack (void)
{
  int a[20];
  for (int i = 0; i < 20; i++)
    a[i] = i;
  __asm__ volatile("" : : "r"(a) : "memory");
  return a[3];
}

KEEP int
t_va (int *out, ...)
{
  va_list ap;
  va_start (ap, out);
  *out = va_arg (ap, int);
  va_end (ap);
  return 0;
}

static jmp_buf jb;
KEEP void
jump (int *p)
{
  *p = *p + 1;
  if (*(volatile int *)p < 3)
    longjmp (jb, 1);
}

KEEP int
t_jmp (int *p)
{
  setjmp (jb);
  jump (p);
  return *p;
}

KEEP int
t_goto (unsigned char *pc, int *acc)
{
  static void *tab[] = { &&inc, &&dbl, &&end };
  goto *tab[*pc++];
inc:
  *acc += 1;
  goto *tab[*pc++];
dbl:
  *acc *= 2;
  goto *tab[*pc++];
end:
  return 0;
}

KEEP int
t_switch (int *p)
{
  switch (p[0])
    {
    case 0:
      return p[1];
    case 1:
      return 5;
    case 7:
      return p[2];
    default:
      return 9;
    }
}

struct bfp
{
  char pad;
  unsigned x : 20;
} __attribute__ ((packed));
KEEP int
t_bfp (struct bfp *p)
{
  return p->x;
}

struct fl
{
  int n;
  int a[];
};

/* Two and three granules apart, if it begins with one.  */
struct apart
{
  long first, before[4], near, between[3], second, after[9], third;
};

KEEP void
t_apart (struct apart *p)
{
  p->first = 1;
  p->second = 2;
  p->third = 3;
}

/* Less than a granule apart, in two windows.  */
KEEP void
t_windows (struct apart *p)
{
  p->near = 1;
  p->second = 2;
}

/* The lowest address is the last one.  */
KEEP void
t_downwards (struct apart *p, int is_all)
{
  p->third = 1;
  p->second = 2;
  if (is_all)
    p->first = 3;
}

KEEP void
t_copy_some (char *p, const char *q, size_t n)
{
  memcpy (p, q, n);
}

struct step
{
  long value, other[2];
};

KEEP void
t_steps (struct step *p, int n)
{
  for (int i = 0; i < n; i++)
    p[i].value = i;
}

KEEP void
t_flex (struct fl *p, int i, int j)
{
  p->a[i] = p->a[j];
}

KEEP void
t_two (int (*m)[10], int i, int j)
{
  m[i][j] += 1;
}

KEEP long double
t_ld (long double *p)
{
  return *p;
}

KEEP __int128
t_i128 (__int128 *p)
{
  return *p;
}

/* Must not be mistaken for a copy of 16 bytes.  */
typedef __int128 any16 __attribute__ ((may_alias));
KEEP __int128
t_i128_alias (any16 *p)
{
  return *p;
}

KEEP int
t_fsgs (int __seg_fs *p, int b)
{
  return b ? 0 : *p;
}

KEEP void
t_rec (int *p, int n)
{
  if (n)
    {
      *p += n;
      t_rec (p, n - 1);
    }
}

/* GCC finds out that this function only reads memory.  */
static __attribute__ ((noinline, noclone)) int
is_valid (const long *p, long i)
{
  return p[1 + i % 2] == 0;
}

/* Each iteration has two accesses, one in each is_valid, and two accesses.  */
KEEP long
t_pure (long *p, long n)
{
  volatile long *const first = p;
  long valid = 0;
  for (long i = 0; i < n; i++)
    {
      *first += i;
      valid += is_valid (p, i) + is_valid (p, i + 1);
      *first += 1;
    }
  return valid;
}

#ifdef __BITINT_MAXWIDTH__
typedef _BitInt (256) wide;

KEEP void
t_wide_mul (wide *p, wide *q)
{
  *p = *q * 7;
}

KEEP void
t_wide_div (wide *p, wide *q)
{
  *p = *q / 3;
}

KEEP void
t_wide_of_double (wide *p, double d)
{
  *p = d;
}

KEEP double
t_wide_to_double (wide *p)
{
  return *p;
}
#endif

/* Pointers into two blocks that are next to each other, which a program may
   compare, and whose addresses it may compute as integers.  */
KEEP long
t_next_block (long *end_of_first, long *second)
{
  const long last = end_of_first[-4];
  return second == end_of_first ? last + second[0] : last;
}

KEEP long
t_next_integer (long *p)
{
  return p[0] + *(long *)((uintptr_t)p + 32);
}

/* Calls on some of the paths, of a function that counts in the same granule.  The
   compiler must not keep the counter in a register across them.  */
KEEP long __attribute__ ((pure)) rare_load (const long *p) { return p[0]; }

KEEP long
t_rare (long *p, int n)
{
  long sum = 0;
  if (n > 100)
    sum = p[1];
  for (int i = 0; i < n; i++)
    {
      ((volatile long *)p)[2] = i;
      if (i % 8 == 5)
	sum += rare_load (p);
      ((volatile long *)p)[3] = i;
    }
  if (n == 3)
    sum += rare_load (p);
  return sum + ((volatile long *)p)[4];
}

/* Numbers wider than registers: each 8 bytes count as an access.  */
static void __attribute__ ((no_instrument_function))
check_wide (char *p, char *q)
{
#ifdef __BITINT_MAXWIDTH__
  COUNTS (t_wide_mul ((void *)p, (void *)q), 4, 4);
  COUNTS (t_wide_div ((void *)p, (void *)q), 4, 4);
  COUNTS (t_wide_of_double ((void *)p, 7.5), 4, 0);
  COUNTS (t_wide_to_double ((void *)p), 4, 0);
#else
  (void)p;
  (void)q;
#endif
}

/* Fields that are in different granules, of an object at the start of a block
   and of one at the end of a block.  */
static void __attribute__ ((no_instrument_function))
check_apart (char *p, char *q)
{
  char *const end = p + BLOCK_BYTES;
  clear_blocks (p, q);
  t_apart ((void *)p);
  for (int i = 0; i < 3; i++)
    check_count ("apart", p + 64 * i, 64, 1);
  COUNTS (t_apart ((void *)(end - sizeof (struct apart))), 3, 0);
  COUNTS (t_windows ((void *)p), 2, 0);
  COUNTS (t_windows ((void *)(end - 80)), 2, 0);
  for (int is_all = 0; is_all < 2; is_all++)
    {
      t_downwards ((void *)p, is_all);
      check_count ("downwards 0", p, 64, is_all);
      check_count ("downwards 1", p + 64, 64, 1);
      check_count ("downwards 2", p + 128, 64, 1);
      COUNTS (t_downwards ((void *)(p + 40), is_all), 2 + is_all, 0);
    }
}

/* An access at the end of a block and one at the start of the next: each counts
   in its own block.  */
static void __attribute__ ((no_instrument_function))
check_next (char *p)
{
  char *const second = p + 64;
  for (int way = 0; way < 2; way++)
    {
      if (way == 0)
	t_next_block ((void *)second, (void *)second);
      else
	t_next_integer ((void *)(second - 32));
      check_count ("end of a block", p, 64, 1);
      check_count ("start of the next", second, 64, 1);
    }
}

static void __attribute__ ((no_instrument_function))
check_ranges (char *p, char *q)
{
  for (size_t offset = 0; offset < 64; offset += 4)
    for (size_t n = 0; n < 150; n++)
      {
	t_copy_some (p + offset, q + 60, n);
	check_granules ("copy to", p, offset, 8, (n + 7) / 8);
	check_granules ("copy from", q, 60, 8, (n + 7) / 8);
      }
  for (size_t offset = 0; offset < 64; offset += 8)
    for (int n = 0; n < 30; n++)
      {
	t_steps ((void *)(p + offset), n);
	check_granules ("steps", p, offset, sizeof (struct step), n);
      }
}

int
main (void)
{
  char *p = new_block (BLOCK_BYTES), *q = new_block (BLOCK_BYTES);
  clear_blocks (p, q);
  COUNTS (t_scalar ((void *)p), 2, 0);
  COUNTS (t_bf ((void *)p), 2, 0);
  COUNTS (t_bfr ((void *)p), 1, 0);
  COUNTS (t_inc ((void *)p), 2, 0);
  COUNTS (t_vec ((void *)p, (void *)q), 4, 4);
  COUNTS (t_vec8 ((void *)p, (void *)q), 8, 8);
  COUNTS (t_cplx ((void *)p, (void *)q), 2, 2);
  COUNTS (t_cplx2 ((void *)p), 1, 0);
  COUNTS (t_copy20 ((void *)p, (void *)q), 3, 3);
  COUNTS (t_copy20 ((void *)(p + 52), (void *)(q + 60)), 3, 3);
  COUNTS (t_copy100 ((void *)p, (void *)q), 13, 13);
  COUNTS (t_copy200 ((void *)p, (void *)q), 25, 25);
  COUNTS (t_clear ((void *)p), 25, 0);
  COUNTS (t_callstore ((void *)p), 25, 0);
  COUNTS (t_byval ((void *)p), 25, 0);
  COUNTS (t_ret ((void *)p), 25, 0);
  COUNTS (t_ret24 ((void *)p), 3, 0);
  COUNTS (t_memcpy (p, q, 101), 13, 13);
  COUNTS (t_memcpy (p, q, 0), 0, 0);
  COUNTS (t_memcpy16 (p, q), 2, 2);
  COUNTS (t_memcpy8 (p, q), 1, 1);
  COUNTS (t_memmove50 (p, q), 7, 7);
  COUNTS (t_memset (p, 17), 3, 0);
  COUNTS (t_memset13 (p), 2, 0);
  COUNTS (t_chk (p, q, 33), 5, 5);
  COUNTS (t_chk2 (p, 33), 5, 0);
  COUNTS (t_mempcpy (p, q, 33), 5, 5);
  COUNTS (t_bzero (p, 33), 5, 0);
  COUNTS (t_bcopy (p, q, 33), 5, 5);
  COUNTS (t_at ((void *)p), 1, 0);
  COUNTS (t_at2 ((void *)p), 1, 0);
  COUNTS (t_at3 ((void *)p), 1, 0);
  COUNTS (t_at4 ((void *)p), 1, 0);
  COUNTS (t_at5 ((void *)p), 1, 0);
  COUNTS (t_at6 ((void *)p), 1, 0);
  COUNTS (t_at7 ((void *)p), 1, 0);
  COUNTS (t_asm ((void *)p, (void *)q), 1, 1);
  COUNTS (t_asmrw ((void *)p), 1, 0);
  COUNTS (t_sum ((void *)p, 1000), 1000, 0);
  COUNTS (t_add ((void *)p, (void *)q, 999), 999, 999);
  COUNTS (t_neg ((void *)p, 1001), 1001, 0);
  COUNTS (t_vla (30), 0, 0);
  COUNTS (t_stack (), 0, 0);
  COUNTS (t_va ((void *)p, 7), 1, 0);
  COUNTS (t_jmp ((void *)p), 3 * 3 + 1, 0);
  unsigned char *code = (void *)q;
  code[0] = 0;
  code[1] = 1;
  code[2] = 0;
  code[3] = 2;
  take_count (q, BLOCK_BYTES);
  COUNTS (t_goto (code, (void *)p), 6, 4);
  COUNTS (t_switch ((void *)p), 2, 0);
  COUNTS (t_bfp ((void *)p), 1, 0);
  COUNTS (t_flex ((void *)p, 40, 70), 2, 0);
  COUNTS (t_two ((void *)p, 4, 7), 2, 0);
  COUNTS (t_ld ((void *)p), 1, 0);
  COUNTS (t_i128 ((void *)p), 1, 0);
  COUNTS (t_i128_alias ((void *)p), 1, 0);
  COUNTS (t_fsgs ((void *)0, 1), 0, 0);
  COUNTS (t_rec ((void *)p, 10), 20, 0);
  COUNTS (t_pure ((void *)p, 1000), 6000, 0);
  COUNTS (t_rare ((void *)p, 3), 2 * 3 + 1 + 1, 0);
  COUNTS (t_rare ((void *)p, 14), 2 * 14 + 2 + 1, 0);
  COUNTS (t_rare ((void *)p, 200), 1 + 2 * 200 + 25 + 1, 0);
  check_wide (p, q);
  /* Each 8 bytes of a copy count in their own granule; those of a short copy
     may all count in one granule.  */
  t_copy20 ((void *)(p + 56), (void *)(q + 40));
#ifdef EXACT_GRANULES
  check_count ("granule0", p, 64, 1);
  check_count ("granule1", p + 64, 64, 2);
#else
  check_count ("granules 0 and 1", p, 128, 3);
#endif
  check_count ("granule2", q, 64, 3);
  check_count ("granule3", q + 64, 64, 0);
  t_copy100 ((void *)(p + 32), (void *)(q + 8));
  check_count ("granule4", p, 64, 4);
  check_count ("granule5", p + 64, 64, 8);
  check_count ("granule6", p + 128, 64, 1);
  check_apart (p, q);
  check_next (p);
  check_ranges (p, q);
  return report ();
}
