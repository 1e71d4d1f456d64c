
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static void descend (int levels)
{
  char *volatile block = malloc (levels + 1);
  block[0] = 1;
  if (levels > 0) descend (levels - 1);
  free (block);
}
int main (void)
{
  static const char *const names[] = { "zero", "one", "two" };
  for (int i = 0; i < 3; i++)
    if (open (names[i], O_RDWR | O_CREAT | O_TRUNC, 0600) != i) return 1;
  for (int i = 0; i < 300; i++) descend (i);
  for (int i = 0; i < 3; i++)
    if (write (i, names[i], 1) != 1) return 1;
  return 0;
}
