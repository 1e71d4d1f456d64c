/* One function for each kind of access; kinds.exp compares the summary in the
   dump with the comment before the function.  In the comment, NAME: TEXT holds
   at all levels, NAME @LEVEL: TEXT at one; `until GCC MAJOR' or `since GCC
   MAJOR' before the colon limits it to these versions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <complex.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define KEEP __attribute__ ((noipa))

struct pair
{
  int x, y;
};
struct bits
{
  unsigned a : 3, b : 7;
  unsigned long c : 40;
};
struct twenty
{
  int v[5];
};
struct long_struct
{
  long v[25];
};
struct empty
{
};
typedef int v4si __attribute__ ((vector_size (16)));
typedef int v8si __attribute__ ((vector_size (32)));

/* expect scalar: counted 1 load, 1 store; skipped none */
KEEP void
scalar (struct pair *p)
{
  p->x = p->y + 1;
}

/* expect increment: counted 1 load, 1 store; skipped none */
KEEP void
increment (volatile int *p)
{
  ++*p;
}

/* expect bit_field_load: counted 1 load; skipped none */
KEEP int
bit_field_load (struct bits *p)
{
  return p->c;
}

/* expect vector: counted 2 vectors; skipped none */
KEEP void
vector (v4si *p, v4si *q)
{
  *p = *q;
}

/* Later versions move both parts as one vector.  */
/* expect complex_parts @-O2 until GCC 12: counted 1 load, 1 store; skipped none */
/* expect complex_parts @-O2 since GCC 13: counted 2 vectors; skipped none */
KEEP void
complex_parts (double complex *p, double complex *q)
{
  *p = *q;
}

/* expect struct_copy: counted 2 ranges; skipped none */
KEEP void
struct_copy (struct twenty *p, struct twenty *q)
{
  *p = *q;
}

/* expect clear: counted 1 range; skipped none */
KEEP void
clear (struct long_struct *p)
{
  *p = (struct long_struct){ 0 };
}

/* expect empty_copy: counted none; skipped none */
KEEP void
empty_copy (struct empty *p, struct empty *q)
{
  *p = *q;
}

struct long_struct make (void);

/* expect call_result: counted 1 range; skipped none */
KEEP void
call_result (struct long_struct *p)
{
  *p = make ();
}

void take (struct long_struct);

/* expect by_value: counted 1 range; skipped none */
KEEP void
by_value (struct long_struct *p)
{
  take (*p);
}

/* expect returned: counted 1 range; skipped 1 stack */
KEEP struct long_struct
returned (struct long_struct *p)
{
  return *p;
}

/* expect copy: counted 2 ranges; skipped none */
KEEP void
copy (void *p, void *q, size_t n)
{
  memcpy (p, q, n);
}

/* expect move: counted 2 ranges; skipped none */
KEEP void
move (void *p, void *q, size_t n)
{
  memmove (p, q, n);
}

/* expect set: counted 1 range; skipped none */
KEEP void
set (void *p, size_t n)
{
  memset (p, 1, n);
}

/* expect checked: counted 2 ranges; skipped none */
KEEP void
checked (void *p, void *q, size_t n, size_t size)
{
  __builtin___memcpy_chk (p, q, n, size);
}

/* expect to_stack: counted 1 range; skipped 1 stack */
KEEP void
to_stack (void *p, void (*use) (char *))
{
  char buffer[100];
  memcpy (buffer, p, sizeof buffer);
  use (buffer);
}

/* expect fetch_add: counted 1 atomic; skipped none */
KEEP int
fetch_add (int *p)
{
  return __atomic_fetch_add (p, 1, __ATOMIC_SEQ_CST);
}

/* expect swap_if: counted 1 atomic; skipped none */
KEEP int
swap_if (int *p)
{
  return __sync_bool_compare_and_swap (p, 0, 1);
}

/* expect atomic_load: counted 1 atomic; skipped none */
KEEP int
atomic_load (int *p)
{
  return __atomic_load_n (p, __ATOMIC_ACQUIRE);
}

/* expect fence: counted none; skipped none */
KEEP void
fence (void)
{
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
  __sync_synchronize ();
}

/* expect asm_operands: counted 1 load, 1 store; skipped none */
KEEP void
asm_operands (int *p, int *q)
{
  __asm__("movl %1, %%eax; movl %%eax, %0" : "=m"(*p) : "m"(*q) : "eax");
}

/* expect asm_both: counted 1 store; skipped none */
KEEP void
asm_both (int *p)
{
  __asm__("incl %0" : "+m"(*p));
}

/* expect literal: counted 1 store; skipped 1 constant */
KEEP char
literal (char *p, int i)
{
  *p = 1;
  return "abcdefghijk"[i];
}

int global;
int table[10];

/* expect globals: counted none; skipped 3 global */
KEEP void
globals (int i)
{
  global++;
  table[i] = 1;
}

/* expect array_on_stack: counted none; skipped 2 stack */
KEEP int
array_on_stack (int i, void (*use) (int *))
{
  int a[20];
  a[i] = 1;
  use (a);
  return a[3];
}

/* expect variable_length: counted none; skipped 2 stack */
KEEP int
variable_length (int n, void (*use) (int *))
{
  int a[n];
  a[n / 2] = 1;
  use (a);
  return a[n / 3];
}

/* expect thread_pointer: counted none; skipped 1 address space */
KEEP int
thread_pointer (int __seg_fs *p)
{
  return *p;
}

/* Only points-to analysis knows where the pointer goes.
   expect either_local @-O2: counted none; skipped 1 stack */
KEEP int
either_local (int which, void (*use) (int *))
{
  int a[4], b[4], sum = 0;
  int *p = which ? a : b;
  use (a);
  use (b);
  for (int i = 0; i < which; i++)
    sum += p[i];
  return sum;
}

/* expect stack_or_heap @-O2: counted 1 store; skipped none */
KEEP int *
stack_or_heap (int which, int *heap, void (*use) (int *))
{
  int a[4];
  int *p = which ? a : heap;
  p[2] = 1;
  use (a);
  return heap;
}

/* expect uninstrumented: absent */
__attribute__ ((no_instrument_function)) int
uninstrumented (int *p)
{
  return *p;
}

/* expect without_profile: absent */
__attribute__ ((no_profile_instrument_function)) int
without_profile (int *p)
{
  return *p;
}

/* expect naked: absent */
__attribute__ ((naked)) void
naked (void)
{
  __asm__("ret");
}

/* It runs before there are counters.
   expect resolver: absent */
static void *
resolver (void)
{
  static void *(*const *volatile table_pointer) (void);
  return table_pointer ? (*table_pointer) () : (void *) scalar;
}

void resolved (struct pair *) __attribute__ ((ifunc ("resolver")));
