/* Unusual code, compiled with checking: the pass must leave valid GIMPLE.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <complex.h>
#include <alloca.h>
jmp_buf jb;
extern void g (void *);
extern void h (void);
struct S
{
  int a : 3;
  long b : 40;
  int c;
  short d[7];
};

struct E
{
};

struct F
{
  int n;
  char c[];
};

typedef int v4 __attribute__ ((vector_size (16)));
typedef float v2f __attribute__ ((vector_size (8)));
typedef char v64 __attribute__ ((vector_size (64)));
union U
{
  struct S s;
  v4 v;
  double d;
};

int
f1 (struct S *p)
{
  if (setjmp (jb))
    return p->c;
  p->a++;
  h ();
  return p->b;
}

int
f2 (struct S *p, int n)
{
  struct S x = p[n];
  if (!setjmp (jb))
    {
      p[n + 1] = x;
      g (&x);
    }
  return x.c;
}

int
f3 (int *p, int i)
{
  static void *t[] = { &&a, &&b, &&c };
  goto *t[i];
a:
  *p = 1;
b:
  p[1] = 2;
  goto *t[*p];
c:
  return p[2];
}

void
f4 (struct E *p, struct E *q)
{
  *p = *q;
}

int
f5 (struct F *p, int i)
{
  return p->c[i] + p->n;
}

void
f6 (v4 *p, v4 *q, int i)
{
  (*p)[i] = (*q)[1];
  *p += *q;
}

v2f
f7 (v2f *p)
{
  return *p * *p;
}

void
f8 (v64 *p, v64 *q)
{
  *p = *q + *p;
}

void
f9 (union U *p, union U *q)
{
  *p = *q;
  p->v = q->v;
  p->s.a = q->s.b;
}

complex double
f10 (complex double *p, complex double *q)
{
  *p += *q;
  return conj (*p) * __imag__ * q;
}

void
f11 (volatile struct S *p, volatile struct S *q)
{
  *p = *q;
  p->a;
  p->b |= 3;
}

int
f12 (int n, int *p)
{
  int a[n], (*b)[n] = (void *)p;
  for (int i = 0; i < n; i++)
    a[i] = b[i][n - i];
  return a[n - 1];
}

void
f13 (int *p)
{
  __asm__ goto("testl $1, %0; jne %l1" : : "m"(*p) : "memory" : out);
  *p = 3;
out:
  p[1]++;
}

void
f14 (struct S *p)
{
  __asm__ volatile("" : "+m"(*p));
  __asm__ volatile("" : "=r"(p->c) : "0"(p->c));
}

void
f15 (int *p, long n)
{
  for (long i = n; i > 0; i -= 3)
    p[i] = p[-i];
}

int
f16 (int *p, int x)
{
  switch (p[x])
    {
    case 0:
      return p[1];
    case 1 ... 9:
      return p[2];
    case 77:
      p[8] = 1;
    default:
      return 0;
    }
}

int
f17 (int *o, ...)
{
  va_list ap, aq;
  va_start (ap, o);
  va_copy (aq, ap);
  *o = va_arg (ap, int);
  o[1] = va_arg (aq, double);
  struct S s = va_arg (aq, struct S);
  va_end (ap);
  va_end (aq);
  return s.c;
}

int
f17b (va_list *ap)
{
  return va_arg (*ap, int);
}

struct S
f18 (struct S *p)
{
  return *p;
}

void
f19 (struct S *p)
{
  *p = f18 (p + 1);
}

void
f20 (struct S s, struct S *p)
{
  *p = s;
}

void
f21 (struct S *p)
{
  f20 (*p, p + 1);
}

void
f22 (int n, char *p)
{
  struct V
  {
    int x;
    char c[n];
  } v, *w = (void *)p;
  v = *w;
  w->c[n - 1] = 3;
  g (&v);
  *w = v;
}

void
f23 (int *p)
{
  *p = 1;
  __builtin_unreachable ();
}

int
f24 (int **p)
{
  int s = 0;
  while (*p)
    s += **p++;
  return s;
}

void
f25 (void *p, void *q, size_t n)
{
  memcpy (p, q, n);
  memmove (p, q, 0);
  memset (p, 0, n & 7);
  __builtin___mempcpy_chk (p, q, n, -1);
}

int
f26 (int *p)
{
  __label__ out;
  int r;
  void nest (int k)
  {
    r = p[k];
    p[k + 1] = r;
    if (k > 3)
      goto out;
  }
  nest (3);
  nest (p[0]);
  return r;
out:
  return p[5];
}

void
f27 (struct S *p)
{
  *p = (struct S){};
  *p = (struct S){ .c = 3, .b = 4 };
}

void
f28 (char (*p)[20])
{
  struct
  {
    char c[20];
  } *q = (void *)p, s = { "hello" };
  *q = s;
}

__attribute__ ((naked)) void
f29 (void)
{
  __asm__("ret");
}

__attribute__ ((no_instrument_function)) int
f30 (int *p)
{
  return *p;
}

__attribute__ ((optimize ("O3"))) int
f31 (int *p, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}

__attribute__ ((target ("avx512f"))) void
f32 (float *p, float *q, int *c, int n)
{
  for (int i = 0; i < n; i++)
    if (c[i])
      p[i] = q[c[i]];
}

int *
f33 (int *p)
{
  return &p[*p];
}

long
f34 (long *p)
{
  return __sync_fetch_and_add (p, 1) + __atomic_add_fetch (p + 1, 2, 5);
}

struct P
{
  char a;
  int b;
  short c : 5;
  long d;
} __attribute__ ((packed));
struct P
f35 (struct P *p)
{
  p->b++;
  p->c--;
  p->d ^= p->a;
  return *p;
}

struct R
{
  int a;
  long b;
} __attribute__ ((scalar_storage_order ("big-endian")));
int
f36 (struct R *p)
{
  p->b++;
  return p->a;
}

_Bool
f37 (_Bool *p)
{
  *p = !*p;
  return *p;
}

__int128
f38 (__int128 *p)
{
  *p += 1;
  return *p;
}

long double
f39 (long double *p)
{
  return *p += 2;
}

int
f40 (int __seg_gs *p)
{
  *p = 3;
  return p[2];
}

void
f41 (int *restrict p, int *restrict q, int n)
{
  for (int i = 0; i < n; i++)
    {
      p[2 * i] = q[i];
      p[2 * i + 1] = q[i] * 2;
    }
}

void
f42 (double *a, double *b, double *c, int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
	a[i * n + j] += b[i * n + k] * c[k * n + j];
}

int
f43 (struct S *p, int i)
{
  return p->d[i] + p[i].d[i + 1];
}

int vf (void) __attribute__ ((returns_twice));
int
f44 (int *p)
{
  p[vf ()] = 3;
  return p[vf ()];
}

struct big
{
  long v[30];
};

struct big ret2 (struct big) __attribute__ ((returns_twice));
void
f45 (struct big *p)
{
  *p = ret2 (*p);
}

int
f46 (char *p, char *q)
{
  return memcmp (p, q, 8) == 0 && !strcmp (p, "abc");
}

char *
f47 (char *p)
{
  return strcpy (p, "abcdefg");
}

static int
res1 (int *p)
{
  return *p;
}

static void *
resolver (void)
{
  int x[3] = { 1 };
  int *p = x;
  g (p);
  return p[0] ? res1 : 0;
}

int f48 (int *) __attribute__ ((ifunc ("resolver")));
void
f49 (int *p, int n)
{
  for (;;)
    {
      if (p[n] == 3)
	longjmp (jb, 1);
      p = *(int **)p;
    }
}

_Atomic struct S as;
void
f50 (_Atomic struct S *p, struct S *q)
{
  *p = *q;
  *q = *p;
  _Atomic int *ip = (void *)p;
  *ip += 3;
  (*(_Atomic double *)p) *= 2;
}

void
f51 (int *p)
{
  int *q = alloca (p[0]);
  q[1] = p[1];
  g (q);
}

int
f52 (char *base, long off)
{
  return *(int *)(base + off * 3 + 5);
}

_Complex int
f53 (_Complex int *p)
{
  return *p = *p * 2;
}

void
f54 (int (*p)[4][5], int i, int j, int k)
{
  p[i][j][k]++;
  memset (p[i], 0, sizeof p[i]);
}

void
f55 (unsigned char *d, unsigned char *s, int n)
{
  while (n--)
    *d++ = *s++;
}

unsigned
f56 (unsigned char *s)
{
  return s[0] | s[1] << 8 | s[2] << 16 | (unsigned)s[3] << 24;
}
