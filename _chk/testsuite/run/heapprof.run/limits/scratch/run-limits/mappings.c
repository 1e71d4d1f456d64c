
#include <heapprof/heapprof.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static void work (void)
{
  for (int i = 0; i < 10; i++)
    {
      char *volatile block = malloc (100);
      for (int j = 0; j < 3; j++) block[j] = 1;
      if (i > 0) free (block);
    }
}
int main (int count, char **arguments)
{
  work ();
  for (int i = 0; i < 1000000; i++)
    if (mmap (NULL, 4096, i % 2 ? PROT_READ : PROT_NONE,
	      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
	== MAP_FAILED)
      {
	switch (arguments[1][0])
	  {
	  case 'e': execl ("/bin/true", "true", (char *) 0); return 4;
	  case 's': raise (SIGTERM); return 5;
	  case 'd': return heapprof_dump () != 0;
	  }
	return 0;
      }
  return 3;
}
