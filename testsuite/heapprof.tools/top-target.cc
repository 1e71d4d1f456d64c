// A process to be watched.  It allocates when it is told to: for each line on
// standard input, `nodes N' or `temporary N', it does that, and then says so.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <unistd.h>

struct Node
{
  Node *next;
  int values[10];
};

static Node *head;

__attribute__ ((noinline, noclone)) static void
add_nodes (int count)
{
  for (int i = 0; i < count; i++)
    {
      Node *node = new Node;
      node->next = head;
      head = node;
    }
}

__attribute__ ((noinline, noclone)) static void
use_temporary (int count)
{
  for (int i = 0; i < count; i++)
    {
      char *volatile block = (char *) malloc (100);
      block[0] = 1;
      free (block);
    }
}

static void *
work (void *unused)
{
  static void *volatile blocks[5];
  for (void *volatile &block : blocks)
    block = malloc (1000);
  (void) !write (1, "ready\n", 6);
  return unused;
}

int
main ()
{
  static char line[100];
  size_t used = 0;
  pthread_t thread;
  if (pthread_create (&thread, nullptr, work, nullptr) != 0)
    return 1;
  pthread_join (thread, nullptr);
  while (used < sizeof line && read (0, line + used, 1) == 1)
    {
      if (line[used++] != '\n')
	continue;
      int count = 0;
      if (sscanf (line, "nodes %d", &count) == 1)
	add_nodes (count);
      else if (sscanf (line, "temporary %d", &count) == 1)
	use_temporary (count);
      memset (line, 0, sizeof line);
      used = 0;
      (void) !write (1, "done\n", 5);
    }
  return 0;
}
