/* Ten small loops over the heap, each timed separately.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: kernels SAMPLES
	  kernels KERNEL START [LENGTH]

   With SAMPLES, prints a line for each kernel: its name, the nanoseconds of CPU
   time for one pass in the fastest of SAMPLES samples of about a millisecond
   each, and a checksum of three passes.

   With a KERNEL, makes one pass over arrays of several lengths that begin START
   elements after the start of their blocks, to compare access counts; or over
   arrays of one LENGTH, to count instructions.  */

#include "workload.h"
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum
{
  CHECK_PASSES = 3,
  SAMPLE_NS = 1000000,
  BINS = 1024,
  PAGE_BYTES = 4096,
  ARRAY_STAGGER = 1088,	  /* so that arrays' lines do not collide */
  MATRIX_ROWS_COUNTED = 3 /* rows of the product in a counted pass */
};

/* What a kernel works on: up to three blocks, and the arrays in them.  */
struct work
{
  bool is_timed;
  size_t length;
  size_t start;
  size_t width; /* of a row, where rows are short */
  size_t rows;	/* of a product of matrices */
  void *blocks[3];
  void *a;
  void *b;
  void *c;
  const void *result; /* what a pass computes */
  size_t result_bytes;
};

struct kernel
{
  const char *name;
  size_t length;
  size_t width;
  void (*make) (struct work *work);
  uint64_t (*pass) (const struct work *work);
};

#define NOINLINE __attribute__ ((noinline))

/* An array of COUNT elements of BYTES bytes, in block NUMBER.  The offset of an
   array in its page affects times, and differs between allocators; so timed
   arrays always have the same offset.  Others begin START elements after the
   start of their blocks.  */

static inline void *
new_array (struct work *work, int number, size_t count, size_t bytes)
{
  const size_t before = work->is_timed ? 2 * PAGE_BYTES : work->start * bytes;
  char *const block = workload_block (malloc (before + (count + 1) * bytes));
  work->blocks[number] = block;
  if (!work->is_timed)
    return block + before;
  const size_t in_page = (uintptr_t) block % PAGE_BYTES;
  return block + (PAGE_BYTES - in_page) + (size_t) number * ARRAY_STAGGER;
}

/* chase: a linked list in random order.  */

struct node
{
  struct node *next;
  uint64_t value;
  uint64_t rest[6];
};

/* Nodes may begin at any word, so START counts words here.  */

static void
make_chase (struct work *work)
{
  uint64_t *const words = new_array (work, 0, work->length * 8 + 8, 8);
  struct node *const nodes = (struct node *) words;
  struct node **const order
    = workload_block (malloc ((work->length + 1) * sizeof *order));
  uint64_t state = 1;
  for (size_t i = 0; i < work->length; i++)
    {
      const size_t j = workload_random (&state) % (i + 1);
      if (j != i)
	order[i] = order[j];
      order[j] = &nodes[i];
      nodes[i].value = i;
    }
  order[work->length] = NULL;
  for (size_t i = 0; i < work->length; i++)
    order[i]->next = order[i + 1];
  work->a = order[0];
  free (order);
}

static NOINLINE uint64_t
pass_chase (const struct work *work)
{
  uint64_t sum = 0;
  for (const struct node *node = work->a; node != NULL; node = node->next)
    sum += node->value;
  return sum;
}

/* stream: two arrays of numbers.  */

static void
make_stream (struct work *work)
{
  double *const a = new_array (work, 0, work->length, sizeof *a);
  double *const b = new_array (work, 1, work->length, sizeof *b);
  for (size_t i = 0; i < work->length; i++)
    {
      a[i] = (double) i;
      b[i] = (double) (i % 7);
    }
  work->a = a;
  work->b = b;
  work->result = a;
  work->result_bytes = work->length * sizeof *a;
}

static NOINLINE void
stream (double *restrict a, const double *restrict b, size_t length)
{
  for (size_t i = 0; i < length; i++)
    a[i] = a[i] * 0.5 + b[i];
}

static uint64_t
pass_stream (const struct work *work)
{
  stream (work->a, work->b, work->length);
  return 0;
}

/* fields: seven accesses to a record of 64 bytes.  */

struct record
{
  uint64_t a, b, c, d, e, f, g, h;
};

static void
make_fields (struct work *work)
{
  uint64_t *const words = new_array (work, 0, work->length * 8 + 8, 8);
  for (size_t i = 0; i < work->length * 8; i++)
    words[i] = i;
  work->a = words;
  work->result = words;
  work->result_bytes = work->length * sizeof (struct record);
}

static NOINLINE void
fields (struct record *records, size_t length)
{
  for (size_t i = 0; i < length; i++)
    {
      struct record *const r = &records[i];
      r->a += r->b;
      r->c ^= r->d;
      r->h = i;
    }
}

static uint64_t
pass_fields (const struct work *work)
{
  fields (work->a, work->length);
  return 0;
}

/* inv: one number, again and again.  */

static void
make_inv (struct work *work)
{
  uint64_t *const a = new_array (work, 0, work->length, sizeof *a);
  uint64_t *const sum = new_array (work, 1, 1, sizeof *sum);
  for (size_t i = 0; i < work->length; i++)
    a[i] = i * 3;
  *sum = 0;
  work->a = a;
  work->b = sum;
  work->result = sum;
  work->result_bytes = sizeof *sum;
}

static NOINLINE void
inv (const uint64_t *a, uint64_t *sum, size_t length)
{
  for (size_t i = 0; i < length; i++)
    *sum += a[i] ^ i;
}

static uint64_t
pass_inv (const struct work *work)
{
  inv (work->a, work->b, work->length);
  return 0;
}

/* matmul: rows of a product of square matrices.  */

static void
make_matmul (struct work *work)
{
  const size_t n = work->length;
  double *const a = new_array (work, 0, work->rows * n, sizeof *a);
  double *const b = new_array (work, 1, n * n, sizeof *b);
  double *const c = new_array (work, 2, work->rows * n, sizeof *c);
  for (size_t i = 0; i < work->rows * n; i++)
    a[i] = (double) (i % 5);
  for (size_t i = 0; i < n * n; i++)
    b[i] = (double) (i % 3);
  memset (c, 0, work->rows * n * sizeof *c);
  work->a = a;
  work->b = b;
  work->c = c;
  work->result = c;
  work->result_bytes = work->rows * n * sizeof *c;
}

static NOINLINE void
matmul (const double *a, const double *b, double *c, size_t rows, size_t n)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < n; j++)
      {
	double sum = 0;
	for (size_t k = 0; k < n; k++)
	  sum += a[i * n + k] * b[k * n + j];
	c[i * n + j] = sum;
      }
}

static uint64_t
pass_matmul (const struct work *work)
{
  matmul (work->a, work->b, work->c, work->rows, work->length);
  return 0;
}

/* short: rows of a few numbers.  */

static void
make_short (struct work *work)
{
  const size_t count = work->length * work->width;
  int *const a = new_array (work, 0, count, sizeof *a);
  int *const sums = new_array (work, 1, work->length, sizeof *sums);
  for (size_t i = 0; i < count; i++)
    a[i] = (int) i;
  work->a = a;
  work->b = sums;
  work->result = sums;
  work->result_bytes = work->length * sizeof *sums;
}

static NOINLINE void
short_rows (const int *a, int *sums, size_t length, size_t width)
{
  for (size_t i = 0; i < length; i++)
    {
      int sum = 0;
      for (size_t j = 0; j < width; j++)
	sum += a[i * width + j];
      sums[i] = sum;
    }
}

static uint64_t
pass_short (const struct work *work)
{
  short_rows (work->a, work->b, work->length, work->width);
  return 0;
}

/* hist: a histogram.  */

static void
make_hist (struct work *work)
{
  unsigned *const index = new_array (work, 0, work->length, sizeof *index);
  unsigned *const bins = new_array (work, 1, BINS, sizeof *bins);
  uint64_t state = 1;
  for (size_t i = 0; i < work->length; i++)
    index[i] = (unsigned) (workload_random (&state) % BINS);
  memset (bins, 0, BINS * sizeof *bins);
  work->a = index;
  work->b = bins;
  work->result = bins;
  work->result_bytes = BINS * sizeof *bins;
}

static NOINLINE void
hist (const unsigned *index, unsigned *bins, size_t length)
{
  for (size_t i = 0; i < length; i++)
    bins[index[i]]++;
}

static uint64_t
pass_hist (const struct work *work)
{
  hist (work->a, work->b, work->length);
  return 0;
}

static const struct kernel kernels[]
  = { { "chase_26k", 416, 0, make_chase, pass_chase },
      { "chase_4m", 65536, 0, make_chase, pass_chase },
      { "stream_L1", 1000, 0, make_stream, pass_stream },
      { "stream_16m", 1 << 20, 0, make_stream, pass_stream },
      { "fields", 256, 0, make_fields, pass_fields },
      { "inv", 1000, 0, make_inv, pass_inv },
      { "matmul64", 64, 0, make_matmul, pass_matmul },
      { "short_w4", 500, 4, make_short, pass_short },
      { "short_w16", 125, 16, make_short, pass_short },
      { "hist", 2000, 0, make_hist, pass_hist } };

enum
{
  KERNELS = sizeof kernels / sizeof kernels[0]
};

static double
now_ns (void)
{
  struct timespec time;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static void
release (struct work *work)
{
  for (int i = 0; i < 3; i++)
    free (work->blocks[i]);
}

/* Results that some passes return and leave in memory.  */

static uint64_t
checksum (const struct kernel *kernel, const struct work *work)
{
  uint64_t sum = 0;
  for (int i = 0; i < CHECK_PASSES; i++)
    sum = workload_mix (sum, kernel->pass (work));
  const unsigned char *const bytes = work->result;
  for (size_t i = 0; i < work->result_bytes; i++)
    sum = workload_mix (sum, bytes[i]);
  return sum;
}

/* Nanoseconds of one pass, from COUNT of them.  */

static double
sample (const struct kernel *kernel, const struct work *work, long count)
{
  const double start = now_ns ();
  for (long i = 0; i < count; i++)
    {
      kernel->pass (work);
      __asm__ volatile("" : : : "memory");
    }
  return (now_ns () - start) / (double) count;
}

static void
time_kernel (const struct kernel *kernel, unsigned long samples)
{
  struct work work = { .is_timed = true,
		       .length = kernel->length,
		       .width = kernel->width,
		       .rows = kernel->length };
  kernel->make (&work);
  const uint64_t sum = checksum (kernel, &work);
  long count = 1;
  while (sample (kernel, &work, count) * (double) count < SAMPLE_NS / 2)
    count *= 2;
  double best = sample (kernel, &work, count);
  for (unsigned long i = 1; i < samples; i++)
    {
      const double ns = sample (kernel, &work, count);
      if (ns < best)
	best = ns;
    }
  printf ("%s %.2f %016llx\n", kernel->name, best, (unsigned long long) sum);
  release (&work);
}

/* One pass over new arrays.  Not inlined: the line of the call is part of the
   blocks' calling contexts, and distinguishes the lengths.  */

static NOINLINE void
count_pass (const struct kernel *kernel, size_t length, size_t start)
{
  struct work work = { .length = length,
		       .start = start,
		       .width = kernel->width,
		       .rows = MATRIX_ROWS_COUNTED };
  kernel->make (&work);
  kernel->pass (&work);
  release (&work);
}

/* Lengths around the eight words of a counter.  */

static void
count_kernel (const struct kernel *kernel, size_t start)
{
  count_pass (kernel, 0, start);
  count_pass (kernel, 1, start);
  count_pass (kernel, 7, start);
  count_pass (kernel, 8, start);
  count_pass (kernel, 9, start);
  count_pass (kernel, 63, start);
  count_pass (kernel, 64, start);
  count_pass (kernel, 65, start);
  count_pass (kernel, 1000, start);
}

static const struct kernel *
find_kernel (const char *name)
{
  for (int i = 0; i < KERNELS; i++)
    if (strcmp (kernels[i].name, name) == 0)
      return &kernels[i];
  fprintf (stderr, "kernels: no kernel `%s'\n", name);
  exit (2);
}

int
main (int argc, char **argv)
{
  if (argc >= 3)
    {
      const struct kernel *const kernel = find_kernel (argv[1]);
      const size_t start = strtoul (argv[2], NULL, 10);
      if (argc == 3)
	count_kernel (kernel, start);
      else
	count_pass (kernel, workload_argument (argc, argv, 3, 1), start);
      return 0;
    }
  const unsigned long samples = workload_argument (argc, argv, 1, 100);
  for (int i = 0; i < KERNELS; i++)
    time_kernel (&kernels[i], samples);
  return 0;
}
