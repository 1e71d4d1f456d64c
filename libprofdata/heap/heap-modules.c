/* Programs and libraries that could not be fully symbolized, and why.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heap-modules.h"
#include "heap-detail-tables.h"

static hashval_t
hash_module (const void *record)
{
  const struct heap_module *module = record;
  const uint32_t key[]
    = { module->name, module->build_id, module->cause, module->problem };
  return iterative_hash (key, sizeof key, 0);
}

static int
equal_modules (const void *record1, const void *record2)
{
  const struct heap_module *module1 = record1;
  const struct heap_module *module2 = record2;
  return (module1->name == module2->name
	  && module1->build_id == module2->build_id
	  && module1->cause == module2->cause
	  && module1->problem == module2->problem);
}

bool
heap_details_add_module (struct heap_details *details,
			 const struct heap_module *module)
{
  bool is_new;
  return heap_details_find_or_add (&details->module_index, hash_module,
				   equal_modules, &details->modules, module,
				   &is_new)
	 != NULL;
}

uint32_t
heap_details_module_count (const struct heap_details *details)
{
  return details->modules.count;
}

const struct heap_module *
heap_details_module_at (const struct heap_details *details, uint32_t number)
{
  return record_table_get (&details->modules, number);
}

bool
heap_details_filter_modules (struct heap_details *details, const bool *keep)
{
  struct heap_details kept;
  heap_details_init (&kept);
  bool done = true;
  for (uint32_t i = 0; done && i < details->modules.count; i++)
    if (keep[i])
      done
	= heap_details_add_module (&kept, heap_details_module_at (details, i));
  if (done)
    heap_details_swap (&details->modules, &details->module_index, &kept.modules,
		       &kept.module_index);
  heap_details_free (&kept);
  return done;
}

bool
heap_modules_merge (struct heap_details *details,
		    const struct heap_details *source, const uint32_t *strings)
{
  bool done = true;
  for (uint32_t i = 0; done && i < source->modules.count; i++)
    {
      struct heap_module module = *heap_details_module_at (source, i);
      module.name = strings[module.name];
      module.build_id = strings[module.build_id];
      module.cause = strings[module.cause];
      done = heap_details_add_module (details, &module);
    }
  return done;
}
