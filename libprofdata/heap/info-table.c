/* MIBs in two forms.
   SPDX-License-Identifier: GPL-3.0-or-later

   The number of a MIB is that of its record, plus 1, and for a short one the
   greatest bit.  */

#include "info-table.h"

/* So that their lowest bit is free.  */
_Static_assert(_Alignof(struct memory_info) > 1
		 && _Alignof(struct brief_info) > 1
		 && sizeof (struct brief_info) == 160,
	       "alignment of MIBs");

void
info_table_init (struct info_table *table)
{
  record_table_init (&table->longs, sizeof (struct memory_info));
  record_table_init (&table->briefs, sizeof (struct brief_info));
}

void
info_table_free (struct info_table *table)
{
  record_table_free (&table->longs);
  record_table_free (&table->briefs);
}

bool
info_table_has_any (const struct info_table *table)
{
  return table->longs.count > 0 || table->briefs.count > 0;
}

struct memory_info *
info_table_new (struct info_table *table, uint32_t *number)
{
  if (table->longs.count >= INFO_TABLE_BRIEF - 1)
    return NULL;
  struct memory_info *info = record_table_add (&table->longs);
  *number = table->longs.count;
  return info;
}

uint32_t
info_table_add (struct info_table *table, const struct memory_info *info)
{
  struct brief_info brief;
  if (table->briefs.count < INFO_TABLE_BRIEF - 1
      && brief_info_make (&brief, info))
    {
      struct brief_info *record = record_table_add (&table->briefs);
      if (record == NULL)
	return 0;
      *record = brief;
      return table->briefs.count | INFO_TABLE_BRIEF;
    }
  uint32_t number;
  struct memory_info *record = info_table_new (table, &number);
  if (record == NULL)
    return 0;
  *record = *info;
  return number;
}

static struct brief_info *
brief_at (const struct info_table *table, uint32_t number)
{
  return record_table_get (&table->briefs, (number & ~INFO_TABLE_BRIEF) - 1);
}

struct info_place
info_table_place (const struct info_table *table, uint32_t number)
{
  if (number == 0)
    return (struct info_place){ 0 };
  if (number & INFO_TABLE_BRIEF)
    return (struct info_place){ (uintptr_t) brief_at (table, number) + 1 };
  return info_place_of (record_table_get (&table->longs, number - 1));
}

bool
info_table_set (struct info_table *table, uint32_t *number,
		const struct memory_info *info)
{
  struct brief_info brief;
  if (!(*number & INFO_TABLE_BRIEF))
    {
      struct memory_info *record
	= record_table_get (&table->longs, *number - 1);
      *record = *info;
      return true;
    }
  if (brief_info_make (&brief, info))
    {
      *brief_at (table, *number) = brief;
      return true;
    }
  uint32_t other;
  struct memory_info *record = info_table_new (table, &other);
  if (record == NULL)
    return false;
  *record = *info;
  *number = other;
  return true;
}

void
info_table_set_type (struct info_table *table, uint32_t number, uint64_t type)
{
  if (number & INFO_TABLE_BRIEF)
    brief_at (table, number)->data_type_id = type;
  else
    {
      struct memory_info *record = record_table_get (&table->longs, number - 1);
      record->data_type_id = type;
    }
}
