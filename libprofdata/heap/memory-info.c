/* The memory-info block: merging, and LLVM's view of the fields.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "memory-info.h"
#include "memory-info-field.h"
#include "saturating.h"

/* LLVM's short schema has only sums: a total, but 0 as the maximum.  */
static bool
has_bounds (const struct memory_info_range *range)
{
  return range->max > 0 || range->total == 0;
}

static void
add_range (struct memory_info_range *a, const struct memory_info_range *n)
{
  bool are_known = has_bounds (a) && has_bounds (n);
  a->total = saturating_add (a->total, n->total);
  if (!are_known)
    {
      a->min = 0;
      a->max = 0;
      return;
    }
  if (n->min < a->min)
    a->min = n->min;
  if (n->max > a->max)
    a->max = n->max;
}

/* Return true if the last release in N was later than the one in A.  For equal
   times the fields that go with it decide, so that the result does not depend
   on the order of merging.  */
static bool
released_later (const struct memory_info *n, const struct memory_info *a)
{
  if (n->last_dealloc_ns != a->last_dealloc_ns)
    return n->last_dealloc_ns > a->last_dealloc_ns;
  if (n->last_alloc_ns != a->last_alloc_ns)
    return n->last_alloc_ns > a->last_alloc_ns;
  if (n->dealloc_cpu != a->dealloc_cpu)
    return n->dealloc_cpu > a->dealloc_cpu;
  return n->alloc_cpu > a->alloc_cpu;
}

static void
add_times (struct memory_info *a, const struct memory_info *n)
{
  if (n->first_alloc_ns < a->first_alloc_ns)
    a->first_alloc_ns = n->first_alloc_ns;
  if (n->first_dealloc_ns < a->first_dealloc_ns)
    a->first_dealloc_ns = n->first_dealloc_ns;
  if (!released_later (n, a))
    return;
  a->last_alloc_ns = n->last_alloc_ns;
  a->last_dealloc_ns = n->last_dealloc_ns;
  a->alloc_cpu = n->alloc_cpu;
  a->dealloc_cpu = n->dealloc_cpu;
}

/* Add what is known about accesses to the blocks of N to A, both of which have
   blocks.  The minimum of no blocks is not 0.  */
static void
add_accesses (struct memory_info *a, const struct memory_info *n)
{
  if (memory_info_is_counted (a) && memory_info_is_counted (n))
    {
      add_range (&a->access_count, &n->access_count);
      add_range (&a->utilization_percent, &n->utilization_percent);
      add_range (&a->access_density, &n->access_density);
      add_range (&a->lifetime_access_density, &n->lifetime_access_density);
    }
  else if (memory_info_is_counted (n))
    {
      a->access_count = n->access_count;
      a->utilization_percent = n->utilization_percent;
      a->access_density = n->access_density;
      a->lifetime_access_density = n->lifetime_access_density;
    }
  a->uncounted_count = saturating_add (a->uncounted_count, n->uncounted_count);
  a->uncounted_bytes = saturating_add (a->uncounted_bytes, n->uncounted_bytes);
}

/* Add the fully observed blocks of N to A, which has some.  */
static void
add_observations (struct memory_info *a, const struct memory_info *n)
{
  add_accesses (a, n);
  a->alloc_count = saturating_add (a->alloc_count, n->alloc_count);
  add_range (&a->size_bytes, &n->size_bytes);
  add_range (&a->lifetime_ns, &n->lifetime_ns);
  add_times (a, n);
  a->migrated_cpu = saturating_add (a->migrated_cpu, n->migrated_cpu);
  a->lifetime_overlaps
    = saturating_add (a->lifetime_overlaps, n->lifetime_overlaps);
  a->same_alloc_cpu = saturating_add (a->same_alloc_cpu, n->same_alloc_cpu);
  a->same_dealloc_cpu
    = saturating_add (a->same_dealloc_cpu, n->same_dealloc_cpu);
  a->live_count = saturating_add (a->live_count, n->live_count);
  a->live_bytes = saturating_add (a->live_bytes, n->live_bytes);
}

#define TWO_TO_64 18446744073709551616.0

struct memory_info_variance
memory_info_variance_of (double value)
{
  const double units = value * MEMORY_INFO_VARIANCE_UNITS;
  if (!(units >= 0.5))
    return (struct memory_info_variance){ 0, 0 };
  if (units >= TWO_TO_64 * TWO_TO_64)
    return (struct memory_info_variance){ UINT64_MAX, UINT64_MAX };
  uint64_t high = (uint64_t) (units / TWO_TO_64);
  double rest = units - (double) high * TWO_TO_64;
  return (struct memory_info_variance){
    (uint64_t) (rest < TWO_TO_64 / 2 ? rest + 0.5 : rest), high
  };
}

double
memory_info_variance_value (const struct memory_info_variance *a)
{
  return ((double) a->high * TWO_TO_64 + (double) a->low)
	 / MEMORY_INFO_VARIANCE_UNITS;
}

/* Return A + N, saturated.  */
static struct memory_info_variance
add_variance (struct memory_info_variance a, struct memory_info_variance n)
{
  struct memory_info_variance sum = { a.low + n.low, a.high };
  if (__builtin_add_overflow (sum.high, n.high, &sum.high)
      || __builtin_add_overflow (sum.high, (uint64_t) (sum.low < n.low),
				 &sum.high))
    return (struct memory_info_variance){ UINT64_MAX, UINT64_MAX };
  return sum;
}

/* Return the lesser of A and N; 0 is unknown.  */
static uint64_t
least_known (uint64_t a, uint64_t n)
{
  return a == 0 || (n != 0 && n < a) ? n : a;
}

void
memory_info_add (struct memory_info *a, const struct memory_info *n)
{
  uint64_t unfinished_count
    = saturating_add (a->unfinished_count, n->unfinished_count);
  uint64_t unfinished_bytes
    = saturating_add (a->unfinished_bytes, n->unfinished_bytes);
  /* 0 means unknown, so a known type wins.  Unfinished blocks have one, too. */
  uint64_t data_type_id
    = n->data_type_id > a->data_type_id ? n->data_type_id : a->data_type_id;
  uint64_t peak_count = saturating_add (a->peak_count, n->peak_count);
  uint64_t peak_bytes = saturating_add (a->peak_bytes, n->peak_bytes);
  uint64_t temporary_count
    = saturating_add (a->temporary_count, n->temporary_count);
  uint64_t lifetime_bytes
    = saturating_add (a->lifetime_bytes, n->lifetime_bytes);
  uint64_t first_alloc_bytes
    = least_known (a->first_alloc_bytes, n->first_alloc_bytes);
  uint64_t lost_count = saturating_add (a->lost_count, n->lost_count);
  uint64_t lost_bytes = saturating_add (a->lost_bytes, n->lost_bytes);
  uint64_t indirect_count
    = saturating_add (a->indirect_count, n->indirect_count);
  uint64_t indirect_bytes
    = saturating_add (a->indirect_bytes, n->indirect_bytes);
  struct memory_info_variance count_variance
    = add_variance (a->count_variance, n->count_variance);
  struct memory_info_variance bytes_variance
    = add_variance (a->bytes_variance, n->bytes_variance);
  struct memory_info_variance access_variance
    = add_variance (a->access_variance, n->access_variance);
  /* The minimum of no blocks is not 0, so do not add an empty block.  */
  if (a->alloc_count == 0)
    *a = n->alloc_count == 0 ? (struct memory_info){ 0 } : *n;
  else if (n->alloc_count != 0)
    add_observations (a, n);
  a->unfinished_count = unfinished_count;
  a->unfinished_bytes = unfinished_bytes;
  a->data_type_id = data_type_id;
  a->peak_count = peak_count;
  a->peak_bytes = peak_bytes;
  a->temporary_count = temporary_count;
  a->lifetime_bytes = lifetime_bytes;
  a->first_alloc_bytes = first_alloc_bytes;
  a->lost_count = lost_count;
  a->lost_bytes = lost_bytes;
  a->indirect_count = indirect_count;
  a->indirect_bytes = indirect_bytes;
  a->count_variance = count_variance;
  a->bytes_variance = bytes_variance;
  a->access_variance = access_variance;
}

void
memory_info_forget_accesses (struct memory_info *a)
{
  static const struct memory_info_range unknown;
  a->access_count = unknown;
  a->utilization_percent = unknown;
  a->access_density = unknown;
  a->lifetime_access_density = unknown;
  a->access_variance = (struct memory_info_variance){ 0, 0 };
  a->uncounted_count = a->alloc_count;
  a->uncounted_bytes = a->size_bytes.total;
}

/* The variance of WEIGHT times a number.  */
static void
scale_variance (struct memory_info_variance *a, uint64_t weight)
{
  double factor = (double) weight * (double) weight;
  *a = memory_info_variance_of (memory_info_variance_value (a) * factor);
}

void
memory_info_scale (struct memory_info *a, uint64_t weight)
{
  uint64_t *const sums[] = { &a->alloc_count,
			     &a->access_count.total,
			     &a->size_bytes.total,
			     &a->lifetime_ns.total,
			     &a->utilization_percent.total,
			     &a->access_density.total,
			     &a->lifetime_access_density.total,
			     &a->migrated_cpu,
			     &a->lifetime_overlaps,
			     &a->same_alloc_cpu,
			     &a->same_dealloc_cpu,
			     &a->live_count,
			     &a->live_bytes,
			     &a->unfinished_count,
			     &a->unfinished_bytes,
			     &a->uncounted_count,
			     &a->uncounted_bytes,
			     &a->peak_count,
			     &a->peak_bytes,
			     &a->temporary_count,
			     &a->lifetime_bytes,
			     &a->lost_count,
			     &a->lost_bytes,
			     &a->indirect_count,
			     &a->indirect_bytes };
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    *sums[i] = saturating_multiply (*sums[i], weight);
  scale_variance (&a->count_variance, weight);
  scale_variance (&a->bytes_variance, weight);
  scale_variance (&a->access_variance, weight);
}

/* clang-format off */
#define FIELD(name, llvm_bytes, member, is_time)			      \
  { name, llvm_bytes, sizeof ((struct memory_info *) 0)->member, is_time,     \
    offsetof (struct memory_info, member) }
/* clang-format on */

const struct memory_info_field memory_info_fields[MEMORY_INFO_TAG_END]
  = { [1] = FIELD ("AllocCount", 4, alloc_count, false),
      [2] = FIELD ("TotalAccessCount", 8, access_count.total, false),
      [3] = FIELD ("MinAccessCount", 8, access_count.min, false),
      [4] = FIELD ("MaxAccessCount", 8, access_count.max, false),
      [5] = FIELD ("TotalSize", 8, size_bytes.total, false),
      [6] = FIELD ("MinSize", 4, size_bytes.min, false),
      [7] = FIELD ("MaxSize", 4, size_bytes.max, false),
      [8] = FIELD ("AllocTimestamp", 4, last_alloc_ns, true),
      [9] = FIELD ("DeallocTimestamp", 4, last_dealloc_ns, true),
      [10] = FIELD ("TotalLifetime", 8, lifetime_ns.total, true),
      [11] = FIELD ("MinLifetime", 4, lifetime_ns.min, true),
      [12] = FIELD ("MaxLifetime", 4, lifetime_ns.max, true),
      [13] = FIELD ("AllocCpuId", 4, alloc_cpu, false),
      [14] = FIELD ("DeallocCpuId", 4, dealloc_cpu, false),
      [15] = FIELD ("NumMigratedCpu", 4, migrated_cpu, false),
      [16] = FIELD ("NumLifetimeOverlaps", 4, lifetime_overlaps, false),
      [17] = FIELD ("NumSameAllocCpu", 4, same_alloc_cpu, false),
      [18] = FIELD ("NumSameDeallocCpu", 4, same_dealloc_cpu, false),
      [19] = FIELD ("DataTypeId", 8, data_type_id, false),
      [20] = FIELD ("TotalAccessDensity", 8, access_density.total, false),
      [21] = FIELD ("MinAccessDensity", 4, access_density.min, false),
      [22] = FIELD ("MaxAccessDensity", 4, access_density.max, false),
      [23] = FIELD ("TotalLifetimeAccessDensity", 8,
		    lifetime_access_density.total, false),
      [24] = FIELD ("MinLifetimeAccessDensity", 4, lifetime_access_density.min,
		    false),
      [25] = FIELD ("MaxLifetimeAccessDensity", 4, lifetime_access_density.max,
		    false),
      [26] = { "AccessHistogramSize", 4, 0, false, 0 },
      [27] = { "AccessHistogram", 8, 0, false, 0 } };

/* True if FIELD is of RANGE, at offset BEGIN in struct memory_info.  */
static bool
is_in_range (const struct memory_info_field *field, size_t begin)
{
  return field->offset >= begin
	 && field->offset < begin + sizeof (struct memory_info_range);
}

uint64_t
memory_info_assume (const struct memory_info *info,
		    const struct memory_info_field *field, uint64_t value)
{
  if (!memory_info_is_counted (info))
    return is_in_range (field, offsetof (struct memory_info, lifetime_ns))
	     ? 0
	     : value;
  if (field->offset != offsetof (struct memory_info, access_density.total)
      && field->offset
	   != offsetof (struct memory_info, lifetime_access_density.total))
    return value;
  const double counted = (double) (info->alloc_count - info->uncounted_count);
  const double all = (double) value * ((double) info->alloc_count / counted);
  return all < TWO_TO_64 ? (uint64_t) all : UINT64_MAX;
}

size_t
memory_info_field_bytes (unsigned int tag)
{
  return tag < MEMORY_INFO_TAG_END ? memory_info_fields[tag].llvm_bytes : 0;
}

const char *
memory_info_field_name (unsigned int tag)
{
  return tag < MEMORY_INFO_TAG_END ? memory_info_fields[tag].name : NULL;
}

uint64_t
memory_info_get (const struct memory_info *info, unsigned int tag)
{
  return (tag < MEMORY_INFO_TAG_END
	    ? memory_info_field_get (info, &memory_info_fields[tag])
	    : 0);
}

void
memory_info_set (struct memory_info *info, unsigned int tag, uint64_t value)
{
  if (tag >= MEMORY_INFO_TAG_END || memory_info_fields[tag].bytes == 0)
    return;
  const struct memory_info_field *field = &memory_info_fields[tag];
  char *place = (char *) info + field->offset;
  if (field->is_time)
    value = value > UINT64_MAX / MEMORY_INFO_NS_PER_MS
	      ? UINT64_MAX
	      : value * MEMORY_INFO_NS_PER_MS;
  if (field->bytes == 4)
    *(uint32_t *) place = value > UINT32_MAX ? UINT32_MAX : value;
  else
    *(uint64_t *) place = value;
  /* LLVM stores one time of each kind, which is then also the first.  */
  if (tag == MEMORY_INFO_ALLOC_TIMESTAMP)
    info->first_alloc_ns = info->last_alloc_ns;
  if (tag == MEMORY_INFO_DEALLOC_TIMESTAMP)
    info->first_dealloc_ns = info->last_dealloc_ns;
}
