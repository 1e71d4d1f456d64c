/* Random counter profiles, and counter profiles as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "counter-text.h"
#include "profile-text.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
compare_lines (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Return the lines of TEXT sorted.  Frees TEXT.  */
static char *
sorted_lines (char *text)
{
  size_t count = 0;
  for (const char *c = text; *c; c++)
    count += *c == '\n';
  char **lines = calloc (count + 1, sizeof *lines);
  char *sorted = calloc (1, strlen (text) + 1);
  char *rest = text;
  for (size_t i = 0; i < count; i++)
    lines[i] = strsep (&rest, "\n");
  qsort (lines, count, sizeof *lines, compare_lines);
  char *end = sorted;
  for (size_t i = 0; i < count; i++)
    end += sprintf (end, "%s\n", lines[i]);
  free (lines);
  free (text);
  return sorted;
}

static void
print_name (FILE *out, const struct counter_profile *profile, uint32_t name)
{
  fwrite (counter_profile_name (profile, name), 1,
	  counter_profile_name_bytes (profile, name), out);
}

static void
print_function (FILE *out, const struct counter_profile *profile,
		const struct counter_function *function)
{
  fputs ("function ", out);
  print_name (out, profile, function->name);
  fprintf (out, " %" PRIx64 " %d:", function->hash, function->shape.is_pseudo);
  for (uint32_t i = 0; i < function->shape.counter_count; i++)
    fprintf (out, " %" PRIu64, function->counters[i]);
  fputs (" bitmap", out);
  for (uint32_t i = 0; i < function->shape.bitmap_bytes; i++)
    fprintf (out, " %02x", function->bitmap[i]);
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->shape.site_counts[kind]; i++)
      {
	const struct counter_value_site *site = &function->sites[kind][i];
	fprintf (out, " %d.%" PRIu32, kind, i);
	for (uint32_t k = 0; k < site->count; k++)
	  fprintf (out, " %" PRIx64 "=%" PRIu64, site->values[k].value,
		   site->values[k].count);
      }
  fputc ('\n', out);
}

static void
print_rest (FILE *out, const struct counter_profile *profile)
{
  fprintf (out, "flags %u stream %" PRIu64 "\n",
	   counter_profile_flags (profile), counter_profile_stream (profile));
  for (uint32_t i = 0; i < counter_profile_name_count (profile); i++)
    if (counter_profile_is_vtable (profile, i))
      {
	fputs ("vtable ", out);
	print_name (out, profile, i);
	fputc ('\n', out);
      }
  for (uint32_t i = 0; i < counter_profile_binary_id_count (profile); i++)
    {
      size_t n;
      const uint8_t *id = counter_profile_binary_id (profile, i, &n);
      fputs ("binary ", out);
      for (size_t k = 0; k < n; k++)
	fprintf (out, "%02x", id[k]);
      fputc ('\n', out);
    }
  for (uint32_t i = 0; i < counter_profile_trace_count (profile); i++)
    {
      const struct counter_trace *trace = counter_profile_trace (profile, i);
      fprintf (out, "trace %" PRIu64 ":", trace->weight);
      for (size_t k = 0; k < trace->count; k++)
	fprintf (out, " %" PRIx64, trace->guids[k]);
      fputc ('\n', out);
    }
}

char *
counter_text (const struct counter_profile *profile)
{
  char *text;
  size_t n;
  FILE *out = open_memstream (&text, &n);
  for (uint32_t i = 0; i < counter_profile_function_count (profile); i++)
    print_function (out, profile, counter_profile_function (profile, i));
  print_rest (out, profile);
  fclose (out);
  return sorted_lines (text);
}

/* ---- Random numbers.  */

/* Return a random number below LIMIT.  */
static uint64_t
below (uint64_t *state, uint64_t limit)
{
  return next_random (state) % limit;
}

static uint32_t
random_name (struct counter_profile *profile, uint64_t *state,
	     const char *prefix)
{
  char name[60];
  int n = snprintf (name, sizeof name, "%s%" PRIu64, prefix, below (state, 50));
  return counter_profile_add_name (profile, name, n);
}

static uint64_t
random_count (uint64_t *state)
{
  switch (below (state, 8))
    {
    case 0:
      return 0;
    case 1:
      return COUNTER_GREATEST - below (state, 3);
    case 2:
      return next_random (state) >> 1;
    default:
      return below (state, 1000);
    }
}

static uint64_t
random_value (struct counter_profile *profile, uint64_t *state, int kind,
	      bool is_named)
{
  if (kind == COUNTER_MEMOP_SIZE)
    return below (state, 2000);
  if (below (state, 6) == 0)
    return 0;
  if (!is_named && below (state, 4) == 0)
    return next_random (state);
  uint32_t name
    = random_name (profile, state, kind == COUNTER_VTABLE ? "_ZTV" : "target");
  if (kind == COUNTER_VTABLE)
    counter_profile_set_vtable (profile, name);
  return counter_profile_name_guid (profile, name);
}

static void
add_random_values (struct counter_profile *profile,
		   struct counter_function *function, uint64_t *state,
		   bool is_named)
{
  struct counter_value values[600];
  for (int kind = 0; kind < COUNTER_VALUE_KINDS; kind++)
    for (uint32_t i = 0; i < function->shape.site_counts[kind]; i++)
      {
	size_t n = below (state, 20) == 0 ? 250 + below (state, 350)
					  : below (state, 6);
	for (size_t k = 0; k < n; k++)
	  {
	    values[k].value = random_value (profile, state, kind, is_named);
	    values[k].count = random_count (state);
	  }
	counter_profile_add_values (profile, function, kind, i, values, n, 1);
      }
}

static void
add_random_function (struct counter_profile *profile, uint64_t *state,
		     bool is_named)
{
  uint32_t name = random_name (profile, state, "x.c;function");
  uint64_t hash = below (state, 3);
  if (below (state, 4) == 0)
    hash |= COUNTER_HASH_CONTEXT_SENSITIVE;
  uint64_t seed = hash * 51 + name * 17 + below (state, 10) / 9;
  struct counter_shape shape
    = { .counter_count = 1 + below (&seed, 5),
	.bitmap_bytes = below (&seed, 4) == 0 ? below (&seed, 5) : 0,
	.site_counts = { below (&seed, 3), below (&seed, 2), below (&seed, 2) },
	.is_pseudo = below (&seed, 10) == 0 };
  struct counter_function *function
    = counter_profile_add_function (profile, name, hash, &shape);
  uint64_t counters[5];
  for (uint32_t i = 0; i < shape.counter_count; i++)
    counters[i] = random_count (state);
  if (shape.is_pseudo)
    counters[0] = COUNTER_WARM + below (state, 2);
  counter_function_add_counters (function, counters, 1);
  for (uint32_t i = 0; i < shape.bitmap_bytes; i++)
    counter_function_add_bits (function, i, next_random (state) >> 8);
  add_random_values (profile, function, state, is_named);
}

struct counter_profile *
random_counters (uint64_t seed, unsigned int functions, bool is_named)
{
  uint64_t state = seed + 1;
  struct profile_error err;
  struct counter_profile *profile = counter_profile_new ();
  counter_profile_add_flags (profile,
			     COUNTER_IR | COUNTER_CONTEXT_SENSITIVE
			       | COUNTER_TEMPORAL,
			     functions > 0, &err);
  for (unsigned int i = 0; i < functions; i++)
    add_random_function (profile, &state, is_named);
  uint64_t traces = below (&state, 4);
  for (uint64_t i = 0; i < traces; i++)
    {
      uint64_t guids[5];
      size_t n = 1 + below (&state, 5);
      for (size_t k = 0; k < n; k++)
	guids[k]
	  = counter_profile_name_guid (profile,
				       random_name (profile, &state, "step"));
      counter_profile_add_trace (profile, 1 + below (&state, 9), guids, n);
    }
  counter_profile_add_stream (profile, traces + below (&state, 9));
  for (uint64_t i = below (&state, 4); !is_named && i > 0; i--)
    {
      uint64_t id[3] = { below (&state, 5), 1, 2 };
      counter_profile_add_binary_id (profile, id, 1 + below (&state, 20));
    }
  return profile;
}
