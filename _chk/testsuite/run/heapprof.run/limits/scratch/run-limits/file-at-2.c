
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
int main (int count, char **arguments)
{
  struct stat status;
  if (count > 1) close (2);
  const int mine = open ("mine", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (mine != 2) return 1;
  if (fork () == 0)
    {
      free (malloc (1));
      exit (0);
    }
  wait (NULL);
  return fstat (mine, &status) != 0 || status.st_size != 0;
}
