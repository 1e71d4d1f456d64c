/* Allocations of unusual types: of size 0, of a size known only at run time,
   incomplete, unnamed, aligned, with bit-fields.  This must compile.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

typedef int vector __attribute__ ((vector_size (16)));
typedef struct { int x; } unnamed;
typedef struct bits { char a; int b : 3, : 5; unsigned long c : 33; int : 0; }
  aligned __attribute__ ((aligned (64)));
struct flexible { int length; char text[]; };
struct no_length { int length; char text[0]; };
struct ends_flexible { int kind; struct flexible last; };
struct empty {};
struct incomplete;
struct inner { struct { int a; union { long b; double c; }; }; };
struct packed { char c; long l; } __attribute__ ((packed, aligned (2)));
struct list { struct list *next; struct { struct list *back; } more[3]; };
struct large { char bytes[1l << 40]; struct { struct { int z; } y; } x; };
struct __attribute__ ((scalar_storage_order ("big-endian"))) swapped
  { int a; short b : 4; };
enum undefined;

#define RETURNS(type, name) type *name (size_t n) { return malloc (n); }
RETURNS (vector, new_vector)
RETURNS (unnamed, new_unnamed)
RETURNS (aligned, new_aligned)
RETURNS (struct flexible, new_flexible)
RETURNS (struct no_length, new_no_length)
RETURNS (struct ends_flexible, new_ends_flexible)
RETURNS (struct empty, new_empty)
RETURNS (struct incomplete, new_incomplete)
RETURNS (struct inner, new_inner)
RETURNS (struct packed, new_packed)
RETURNS (struct large, new_large)
RETURNS (struct swapped, new_swapped)
RETURNS (enum undefined, new_undefined)
RETURNS (double _Complex, new_complex)
RETURNS (__int128, new_int128)
RETURNS (_Atomic (struct inner), new_atomic)
RETURNS (const volatile struct bits *const, new_pointer)

int (**
new_pointer_to_function (void)) (int)
{
  return malloc (8);
}

/* A pointer before the block, one inside it, and one of several blocks.  */
unnamed *
before (void)
{
  return (unnamed *) ((char *) malloc (100) - 8);
}

struct flexible *
behind (void)
{
  return (struct flexible *) ((char *) malloc (100) + 16);
}

int *
chosen (int c)
{
  return c > 0 ? malloc (4) : c > -3 ? calloc (1, 4) : (abort (), malloc (2));
}

struct list *
make_list (void)
{
  struct list *list = malloc (sizeof *list);
  list->next = list;
  list->more[2].back = malloc (sizeof *list->more[2].back);
  return list;
}

/* Sizes that are only known at run time.  */
int
variable (int n, int matrix[n][n])
{
  typedef int table[n][3];
  struct local { int a[n]; struct local *next; int c; };
  int (*row)[n] = matrix ? malloc (n * sizeof *row) : matrix;
  struct local *last, *first = malloc (sizeof *first * 3);
  table *t = malloc (sizeof (table));
  int (*rows[2])[n];
  int sum (int i)
  {
    struct nested { int a[i]; } *p = malloc (sizeof *p);
    p->a[0] = (*row)[0] + i;
    i = p->a[0];
    free (p);
    return i;
  }
  rows[1] = malloc (8 * n);
  last = &first[2];
  last->c = (*t)[0][0] = (*row)[0] = n;
  free (t);
  free (rows[1]);
  free (first);
  return sum (n);
}

void
in_initializers (void)
{
  void *table[] = { malloc (1), malloc (2), [5] = malloc (3) };
  struct { void *a; struct inner *b; } both = { .b = malloc (9) };
  struct inner **compound = &(struct inner *) { malloc (10) };
  struct inner *of_statement = ({ void *p = malloc (40); p; });
  for (void *p = malloc (3), *q = p; q; q = NULL)
    free (p);
  free (table[0]);
  free (both.b);
  free (*compound);
  free (of_statement);
}
