
#include <stdlib.h>
#include <string.h>
__attribute__ ((noinline, noclone)) void in_worker (void)
{
  for (int i = 0; i < 1000; i++) free (malloc (100));
}
int main (void)
{
  in_worker ();
  for (int i = 0; i < 300; i++)
    {
      char *block = malloc (1 << 20);
      if (block == NULL) return 4;
      memset (block, 1, 1 << 20);
    }
  return 5;
}
