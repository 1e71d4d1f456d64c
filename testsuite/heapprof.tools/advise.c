/* Allocation sites about which there is one thing to say, and near misses.  Each
   is marked with the advice that is expected.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>

#define NODES 40000
#define COPIES 30000
#define COLD_BLOCKS 400
#define COLD_BYTES 4096
#define ROUNDS 400
#define NOTES_PER_ROUND 10
#define BUFFER_BYTES 262144
#define IDLE_BYTES 400000
#define SPARSE_BYTES 200000
#define FEW_COPIES 500

struct node
{
  struct node *next;
  long key;
  long value;
};

static struct node *volatile list;
static char *volatile kept;
static void *volatile notes;
static char *volatile cold[COLD_BLOCKS];
static long volatile sum;

/* A wrapper, of which its callers are the sites.  */
__attribute__ ((noinline)) static void *
xmalloc (size_t bytes)
{
  void *block = malloc (bytes);
  if (block == NULL)
    abort ();
  return block;
}

__attribute__ ((noinline)) static void
make_list (void)
{
  for (int i = 0; i < NODES; i++)
    {
      struct node *node = xmalloc (sizeof *node); /* pool */
      node->next = list;
      node->key = i;
      node->value = 2 * i;
      list = node;
    }
}

__attribute__ ((noinline)) static void
walk_list (void)
{
  for (struct node *node = list; node != NULL; node = node->next)
    sum += node->key + node->value;
}

/* COUNT blocks that are freed at once.  */
__attribute__ ((noinline)) static void
make_copies (int count)
{
  for (int i = 0; i < count; i++)
    {
      kept = xmalloc (40); /* temporaries */
      kept[0] = 'a';
      free (kept);
    }
}

__attribute__ ((noinline)) static void
make_few_copies (void)
{
  for (int i = 0; i < FEW_COPIES; i++)
    {
      kept = xmalloc (48); /* nothing: too few */
      kept[0] = 'a';
      free (kept);
    }
}

/* A buffer that doubles.  */
__attribute__ ((noinline)) static char *
make_text (void)
{
  size_t room = 16;
  char *text = xmalloc (room);
  for (size_t used = 0; used < BUFFER_BYTES; used++)
    {
      if (used == room)
	{
	  room *= 2;
	  text = realloc (text, room); /* reserve */
	  if (text == NULL)
	    abort ();
	}
      text[used] = (char) used;
    }
  return text;
}

/* The same, with the right size at once.  */
__attribute__ ((noinline)) static char *
make_known_text (void)
{
  char *text = xmalloc (BUFFER_BYTES); /* nothing: one block */
  for (size_t used = 0; used < BUFFER_BYTES; used++)
    text[used] = (char) used;
  return text;
}

__attribute__ ((noinline)) static void
make_cold (void)
{
  for (int i = 0; i < COLD_BLOCKS; i++)
    {
      cold[i] = xmalloc (COLD_BYTES); /* cold */
      for (int at = 0; at < COLD_BYTES; at += 64)
	cold[i][at] = 1;
    }
}

__attribute__ ((noinline)) static void
add_notes (void)
{
  for (int i = 0; i < NOTES_PER_ROUND; i++)
    {
      void **note = xmalloc (64); /* growing */
      *note = notes;
      notes = note;
    }
}

int
main (void)
{
  char *idle = xmalloc (IDLE_BYTES);	 /* unused */
  char *sparse = xmalloc (SPARSE_BYTES); /* oversized */
  make_list ();
  make_cold ();
  char *text = make_text ();
  char *known = make_known_text ();
  make_copies (COPIES);
  make_few_copies ();
  for (int round = 0; round < ROUNDS; round++)
    {
      walk_list ();
      add_notes ();
      for (int at = 0; at < SPARSE_BYTES / 10; at++)
	sparse[at] = (char) round;
      for (int at = 0; at < BUFFER_BYTES; at += 64)
	sum += text[at] + known[at];
    }
  kept = idle;
  for (int i = 0; i < COLD_BLOCKS; i++)
    free (cold[i]);
  free (sparse);
  free (idle);
  free (known);
  free (text);
  return 0;
}
