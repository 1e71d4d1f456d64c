
#include <stdio.h>
#include <stdlib.h>
int main (void)
{
  free (malloc (10));
  if (system ("rm -r vanishing") != 0) return 1;
  for (int i = 0; i < 100000; i++) free (malloc (10));
  puts ("done");
  return 0;
}
