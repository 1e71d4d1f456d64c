/* Classes whose members are in a bad order or mostly cold, and near misses.
   Accesses are counted by hand.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#define ITEMS 20000
#define RECORDS 10000
#define TIDY_OBJECTS 10000
#define RARE_OBJECTS 10
#define ROUNDS 50
#define NOTES 200

/* Three lines, of which one is enough; most bytes are cold.  */
struct item
{
  long first;
  char name[72];
  long second;
  char padding[64];
  long third;
  long rare;
};

/* Like this, but the last member is only one line further.  */
struct record
{
  long key;
  struct record *next;
  char notes[NOTES];
  long value;
};

/* All members are accessed equally.  */
struct tidy
{
  long values[20];
};

/* Bad, but there are few objects.  */
struct rare
{
  long first;
  char name[1000];
  long last;
};

static struct item *volatile items[ITEMS];
static struct record *volatile records;
static struct tidy *volatile tidy[TIDY_OBJECTS];
static struct rare *volatile rare[RARE_OBJECTS];
static volatile long sum;

static void
make_all (void)
{
  for (int i = 0; i < ITEMS; i++)
    {
      struct item *item = malloc (sizeof *item); /* layout, split */
      item->first = i;
      item->second = 1;
      item->third = 2;
      item->rare = 1;
      items[i] = item;
    }
  for (int i = 0; i < RECORDS; i++)
    {
      struct record *record = malloc (sizeof *record);
      record->key = i;
      record->value = 1;
      record->next = records;
      records = record;
    }
  for (int i = 0; i < TIDY_OBJECTS; i++)
    tidy[i] = malloc (sizeof *tidy[i]);
  for (int i = 0; i < RARE_OBJECTS; i++)
    rare[i] = malloc (sizeof *rare[i]);
}

int
main (void)
{
  make_all ();
  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < ITEMS; i++)
	sum += items[i]->first + items[i]->second + items[i]->third;
      for (struct record *record = records; record != NULL;
	   record = record->next)
	sum += record->key + record->value;
      for (int i = 0; i < TIDY_OBJECTS; i++)
	for (int at = 0; at < 20; at++)
	  tidy[i]->values[at] = round;
      for (int i = 0; i < 100 * RARE_OBJECTS; i++)
	rare[i % RARE_OBJECTS]->last = rare[i % RARE_OBJECTS]->first;
    }
  return 0;
}
