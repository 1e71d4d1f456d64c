/* A complete program that follows pointers: a linked list in random order.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: pointer-chase NODES ROUNDS

   Each node is a separate block; a round reads the list from start to end.  */

#include "workload.h"

struct node
{
  struct node *next;
  uint64_t value;
  char rest[48]; /* payload of a real node */
};

/* Make a list of COUNT new nodes, in random order.  */

static struct node *
make_list (unsigned long count)
{
  struct node **const nodes = workload_block (malloc (count * sizeof *nodes));
  uint64_t state = 1;
  for (unsigned long i = 0; i < count; i++)
    {
      nodes[i] = workload_block (malloc (sizeof *nodes[i]));
      nodes[i]->value = i;
    }
  for (unsigned long i = count - 1; i > 0; i--)
    {
      const unsigned long j = workload_random (&state) % (i + 1);
      struct node *const node = nodes[i];
      nodes[i] = nodes[j];
      nodes[j] = node;
    }
  for (unsigned long i = 0; i < count; i++)
    nodes[i]->next = i + 1 < count ? nodes[i + 1] : NULL;
  struct node *const first = nodes[0];
  free (nodes);
  return first;
}

static uint64_t __attribute__ ((noinline))
read_list (const struct node *node, uint64_t sum)
{
  for (; node != NULL; node = node->next)
    sum = (sum << 1 | sum >> 63) ^ node->value;
  return sum;
}

int
main (int argc, char **argv)
{
  const unsigned long count = workload_argument (argc, argv, 1, 300000);
  const unsigned long rounds = workload_argument (argc, argv, 2, 30);
  struct node *node = make_list (count);
  uint64_t sum = 0;
  for (unsigned long i = 0; i < rounds; i++)
    sum = read_list (node, sum);
  while (node != NULL)
    {
      struct node *const next = node->next;
      free (node);
      node = next;
    }
  workload_report (sum);
  return 0;
}
