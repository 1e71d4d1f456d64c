
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static void *next_malloc, *next_free;
void *malloc (size_t size)
{
  if (!next_malloc)
    next_malloc = dlsym (RTLD_NEXT, "malloc");
  return ((void *(*) (size_t)) next_malloc) (size);
}
void free (void *block)
{
  if (!next_free)
    next_free = dlsym (RTLD_NEXT, "free");
  ((void (*) (void *)) next_free) (block);
}
__attribute__ ((noinline)) static long *
make (int count)
{
  long *const block = malloc (count * sizeof *block);
  for (int i = 0; i < count; i++)
    block[i] = i;
  return block;
}
int main (void)
{
  long sum = 0;
  for (int i = 10; i < 2000; i++)
    {
      long *volatile block = make (i);
      sum += block[i - 1];
      free (block);
    }
  printf ("%ld\n", sum);
  return 0;
}
