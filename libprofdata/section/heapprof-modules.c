/* The heapprof section: modules that are not fully symbolized.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "heapprof-modules.h"
#include "heap-modules.h"
#include <inttypes.h>
#include <stdlib.h>

/* Fields of a module, in file order, which is also the sorting order.  */
enum
{
  NAME,
  BUILD_ID,
  PROBLEM,
  CAUSE,
  FIELDS
};

struct fields
{
  uint32_t values[FIELDS];
};

bool
heapprof_modules_are_there (const struct heap_profile *profile)
{
  return heap_details_module_count (heap_profile_read_details (profile)) > 0;
}

static int
compare_fields (const void *element1, const void *element2)
{
  const struct fields *fields1 = element1;
  const struct fields *fields2 = element2;
  for (int i = 0; i < FIELDS; i++)
    if (fields1->values[i] != fields2->values[i])
      return fields1->values[i] < fields2->values[i] ? -1 : 1;
  return 0;
}

void
heapprof_modules_write (struct byte_writer *writer,
			const struct heap_profile *profile,
			const struct canonical_order *order)
{
  const struct heap_details *details = heap_profile_read_details (profile);
  const uint32_t *strings = order->strings.places;
  uint32_t count = heap_details_module_count (details);
  struct fields *sorted = calloc ((size_t) count + 1, sizeof *sorted);
  writer->failed |= !sorted;
  if (!sorted)
    return;
  for (uint32_t i = 0; i < count; i++)
    {
      const struct heap_module *module = heap_details_module_at (details, i);
      sorted[i] = (struct fields){ { [NAME] = strings[module->name],
				     [BUILD_ID] = strings[module->build_id],
				     [PROBLEM] = module->problem,
				     [CAUSE] = strings[module->cause] } };
    }
  qsort (sorted, count, sizeof *sorted, compare_fields);
  byte_writer_uleb128 (writer, count);
  for (uint32_t i = 0; i < count; i++)
    for (int k = 0; k < FIELDS; k++)
      byte_writer_uleb128 (writer, sorted[i].values[k]);
  free (sorted);
}

static void
read_module (struct byte_reader *reader, struct heap_details *details,
	     const struct heapprof_details_maps *maps)
{
  static const char what[] = "a module";
  struct heap_module module
    = { .name = heapprof_details_read_string (reader, maps, what),
	.build_id = heapprof_details_read_string (reader, maps, what) };
  size_t start = reader->position;
  uint32_t problem = byte_reader_uleb128_u32 (reader, what);
  if (!reader->failed && problem >= HEAP_MODULE_PROBLEMS)
    byte_reader_fail (reader, start, "unknown problem %" PRIu32 " of a module",
		      problem);
  module.problem = problem;
  module.cause = heapprof_details_read_string (reader, maps, what);
  if (!reader->failed && !heap_details_add_module (details, &module))
    byte_reader_fail_memory (reader);
}

void
heapprof_modules_read (struct byte_reader *reader, struct heap_profile *profile,
		       const struct heapprof_details_maps *maps)
{
  uint64_t count = byte_reader_uleb128 (reader, "the modules");
  byte_reader_need (reader, count, FIELDS, "the modules");
  for (uint64_t i = 0; i < count && !reader->failed; i++)
    read_module (reader, heap_profile_details (profile), maps);
}
