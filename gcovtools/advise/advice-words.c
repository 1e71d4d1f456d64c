/* The words of advice on a site: the figures that support it, and what to do.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice-limits.h"
#include "advice-make.h"
#include "function-name.h"
#include "table.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Write N and WHAT, in the plural unless N is 1.  */
static void
write_count (FILE *out, double n, const char *what)
{
  char text[NUMBER_TEXT_BYTES];
  fprintf (out, "%s %s%s", number_text (text, (uint64_t) n), what,
	   n != 1 ? "s" : "");
}

static void
write_bytes (FILE *out, double bytes)
{
  char text[NUMBER_TEXT_BYTES];
  fputs (bytes_text (text, bytes), out);
}

static void
write_time (FILE *out, double ns)
{
  char text[NUMBER_TEXT_BYTES];
  fputs (time_text (text, ns), out);
}

static void
write_share (FILE *out, double part, double whole)
{
  char text[NUMBER_TEXT_BYTES];
  fprintf (out, "%s%%", share_text (text, part, whole));
}

/* Write the name of the function with the linkage name NAME.  Return false if
   memory is exhausted.  */
static bool
write_function (FILE *out, const char *name)
{
  char *demangled = function_name_demangle (name, false);
  if (demangled == NULL)
    return false;
  function_name_shorten (demangled);
  fputs (demangled, out);
  free (demangled);
  return true;
}

/* Return true if the type of ITEM tells what its blocks are.  Wrappers of
   malloc know only the type of their own results, whose size does not fit.  */
static bool
has_telling_type (const struct advice *item)
{
  const struct memory_info_range *size = &item->info.size_bytes;
  const struct heap_type *type = item->type;
  return type != NULL
	 && (type->kind != HEAP_TYPE_PLAIN || item->context == item->site)
	 && heap_known_has_bounds (&item->info, size)
	 && size->min >= type->start
	 && (size->min - type->start) % type->size == 0
	 && (size->max - type->start) % type->size == 0;
}

/* Write the type of ITEM's blocks if it is known.  Return false if memory is
   exhausted.  */
static bool
write_type (FILE *out, const struct advice_list *advice,
	    const struct advice *item)
{
  if (!has_telling_type (item))
    return true;
  char *name
    = strdup (heap_profile_string (advice->report->profile, item->type->name));
  if (name == NULL)
    return false;
  function_name_shorten (name);
  fprintf (out, " of type %s", name);
  free (name);
  return true;
}

/* Write the number of blocks, their type and sizes.  Return false if memory is
   exhausted.  */
static bool
write_blocks (FILE *out, const struct advice_list *advice,
	      const struct advice *item)
{
  const struct memory_info *info = &item->info;
  const struct memory_info_range *size = &info->size_bytes;
  write_count (out, (double) info->alloc_count, "block");
  fputs (" (", out);
  write_share (out, (double) info->alloc_count,
	       (double) advice->report->total.alloc_count);
  fputs (" of all)", out);
  if (!write_type (out, advice, item))
    return false;
  if (heap_known_has_bounds (info, size) && size->min == size->max)
    fprintf (out, ", %" PRIu64 " bytes%s", size->min,
	     info->alloc_count > 1 ? " each" : "");
  else if (heap_known_has_bounds (info, size))
    {
      fputs (", ", out);
      write_bytes (out, (double) size->min);
      fputs (" to ", out);
      write_bytes (out, (double) size->max);
    }
  else
    {
      fputs (", ", out);
      write_bytes (out, (double) size->total / (double) info->alloc_count);
      fputs (" on average", out);
    }
  return true;
}

/* ---- Evidence.  */

static void
write_accesses (FILE *out, const struct advice_list *advice,
		const struct memory_info *info)
{
  write_share (out, (double) info->access_count.total,
	       (double) advice->report->total.access_count.total);
  fputs (" of the accesses", out);
}

static void
write_memory (FILE *out, const struct advice_list *advice,
	      const struct advice *item)
{
  fputs (" Mean over the run: ", out);
  write_bytes (out, item->memory_bytes);
  fputs (", ", out);
  write_share (out, item->memory_bytes, advice->memory_bytes);
  fputs (" of the memory", out);
}

static void
show_temporaries (FILE *out, const struct advice_list *advice,
		  const struct advice *item)
{
  (void) advice;
  fputs ("; freed after ", out);
  write_time (out, report_mean_lifetime_ns (&item->info));
  fputs (" on average.", out);
}

static void
show_growth (FILE *out, const struct advice_list *advice,
	     const struct advice *item)
{
  const struct memory_info *info = &item->info;
  (void) advice;
  fputs (", ", out);
  write_bytes (out, (double) info->size_bytes.total);
  fputs (" together", out);
  if (item->contexts == 1 && item->growth.factor > 0)
    {
      char text[NUMBER_TEXT_BYTES];
      fprintf (out, "; each is %s times as large as the one before",
	       ratio_text (text, item->growth.factor));
      if (item->growth.objects > 1)
	{
	  fputs (", in ", out);
	  write_count (out, item->growth.objects, "chain");
	}
    }
  fputs (". ", out);
  if (item->growth.factor == 0 || item->contexts > 1)
    fputs ("At most ", out);
  write_count (out, (double) info->alloc_count - item->objects, "block");
  fputs (" replace a smaller one.", out);
}

/* Write how the blocks of INFO end, if they end together.  */
static void
write_end (FILE *out, const struct advice_list *advice,
	   const struct memory_info *info)
{
  if (advice->report->known.has_runs && info->live_count == info->alloc_count)
    fputs (" None is freed.", out);
  else if (advice_are_freed_together (advice, info))
    fprintf (out, " All are freed within %d%% of the run.",
	     ADVICE_TOGETHER_PERCENT);
}

static void
show_pool (FILE *out, const struct advice_list *advice,
	   const struct advice *item)
{
  const struct memory_info *info = &item->info;
  uint64_t mean = info->size_bytes.total / info->alloc_count;
  fputs ("; ", out);
  write_count (out, item->memory_blocks, "block");
  fputs (" live on average. In glibc, a block of ", out);
  fprintf (out, "%" PRIu64 " bytes takes %" PRIu64 ".", mean,
	   mean + advice_block_overhead (mean));
  write_end (out, advice, info);
}

static void
show_unused (FILE *out, const struct advice_list *advice,
	     const struct advice *item)
{
  fputs ("; no access was counted.", out);
  write_memory (out, advice, item);
  fputs (".", out);
}

static void
show_oversized (FILE *out, const struct advice_list *advice,
		const struct advice *item)
{
  const struct memory_info *info = &item->info;
  char text[NUMBER_TEXT_BYTES];
  fprintf (out, "; %s of a block is accessed on average.",
	   percent_text (text, (double) info->utilization_percent.total
				 / (double) info->alloc_count));
  write_memory (out, advice, item);
  fputs (".", out);
}

static void
show_leak (FILE *out, const struct advice_list *advice,
	   const struct advice *item)
{
  const struct memory_info *info = &item->info;
  fputs ("; the program lost the last pointer to ", out);
  if (info->lost_count == info->alloc_count)
    fputs (info->lost_count == 1 ? "it" : "all of them", out);
  else
    {
      write_count (out, (double) info->lost_count, "block");
      fputs (", ", out);
      write_bytes (out, (double) info->lost_bytes);
    }
  fputs (".", out);
  write_memory (out, advice, item);
  fputs (".", out);
}

static void
show_growing (FILE *out, const struct advice_list *advice,
	      const struct advice *item)
{
  const struct memory_info *info = &item->info;
  fputs ("; none is freed. The oldest lived ", out);
  write_time (out, (double) info->lifetime_ns.max);
  fputs (", the youngest ", out);
  write_time (out, (double) info->lifetime_ns.min);
  fputs (", of a run of ", out);
  write_time (out, report_run_length_ns (advice->report));
  fputs (". They have ", out);
  write_accesses (out, advice, info);
  fputs (".", out);
}

static void
show_cold (FILE *out, const struct advice_list *advice,
	   const struct advice *item)
{
  fputs ("; lifetime ", out);
  write_time (out, report_mean_lifetime_ns (&item->info));
  fputs (".", out);
  write_memory (out, advice, item);
  fputs (", with ", out);
  write_accesses (out, advice, &item->info);
  fputs (".", out);
}

/* ---- What to do.  */

enum container
{
  NO_CONTAINER,
  CONTAINER_COPY, /* of any of these */
  CONTAINER_STRING,
  CONTAINER_VECTOR,
  CONTAINER_OTHER
};

/* Return the container that the linkage name NAME is a function of.  */
static enum container
container_of (const char *name)
{
  static const struct
  {
    const char *prefix;
    enum container container;
  } prefixes[] = { { "NSt7__cxx1112basic_string", CONTAINER_STRING },
		   { "NSs", CONTAINER_STRING },
		   { "NSt6vector", CONTAINER_VECTOR },
		   { "NSt", CONTAINER_OTHER } };
  char plain[32] = "N";
  if (strncmp (name, "_ZN", 3) != 0)
    return NO_CONTAINER;
  /* Without the K of const functions.  */
  strncat (plain, name + 3 + (name[3] == 'K'), sizeof plain - 2);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp (plain, prefixes[i].prefix, strlen (prefixes[i].prefix)) == 0)
      return prefixes[i].container;
  return NO_CONTAINER;
}

/* Return what the site of ITEM calls for its blocks.  */
static enum container
find_container (const struct advice_list *advice, const struct advice *item)
{
  const struct heap_profile *profile = advice->report->profile;
  enum container container = NO_CONTAINER;
  for (uint32_t node = item->context; node != item->site && node != 0;
       node = heap_profile_context_caller (profile, node))
    {
      const struct heap_frame *frame
	= heap_profile_frame (profile,
			      heap_profile_context_frame (profile, node));
      const char *name = heap_profile_string (profile, frame->function_name);
      if (function_name_is_copy (name))
	return CONTAINER_COPY;
      enum container found = container_of (name);
      if (found != NO_CONTAINER)
	container = found;
    }
  return container;
}

static void
advise_temporaries (FILE *out, const struct advice_list *advice,
		    const struct advice *item)
{
  const struct memory_info *info = &item->info;
  const struct memory_info_range *size = &info->size_bytes;
  switch (find_container (advice, item))
    {
    case CONTAINER_COPY:
      fputs (
	"Avoid the copy: pass a reference, move the object, or assign to one "
	"that is kept.",
	out);
      return;
    case CONTAINER_STRING:
      fputs ("Reuse one string, or avoid the copy: pass a reference or a "
	     "std::string_view.",
	     out);
      return;
    case CONTAINER_VECTOR:
      fputs ("Keep the vector and clear() it: its memory is reused.", out);
      return;
    case CONTAINER_OTHER:
      fputs ("Keep the container, or use one that needs no block for each "
	     "element.",
	     out);
      return;
    case NO_CONTAINER:
    default:
      break;
    }
  if (item->growth.function != NULL)
    fputs ("Start with a larger block, or keep freed blocks and reuse them.",
	   out);
  else if (heap_known_has_bounds (info, size)
	   && size->max <= ADVICE_STACK_BYTES)
    fprintf (out,
	     "If they do not leave the function, use a local variable of "
	     "%" PRIu64 " bytes; otherwise keep freed blocks and reuse them.",
	     size->max);
  else
    fputs ("Keep a block that is large enough and reuse it.", out);
}

static void
advise_growth (FILE *out, const struct advice_list *advice,
	       const struct advice *item)
{
  enum container container = find_container (advice, item);
  if (container == CONTAINER_VECTOR || container == CONTAINER_STRING)
    fputs ("Call reserve() with the expected size before the first element "
	   "is added.",
	   out);
  else
    fputs ("Allocate the expected size first, or start with a larger block.",
	   out);
}

static void
advise_pool (FILE *out, const struct advice_list *advice,
	     const struct advice *item)
{
  const struct memory_info *info = &item->info;
  if (info->live_count == info->alloc_count
      || advice_are_freed_together (advice, info))
    fputs ("Allocate them from an arena: large chunks without a header for "
	   "each block, freed as a whole.",
	   out);
  else
    fputs ("Allocate them from a pool: large chunks without a header for each "
	   "block, and a list of free blocks.",
	   out);
  if (advice->options.remarks == NULL)
    fputs (" Or build with -fplugin-arg-heapprof-use: libheaphint's pools have "
	   "no headers.",
	   out);
}

static void
advise_unused (FILE *out, const struct advice_list *advice,
	       const struct advice *item)
{
  (void) advice;
  (void) item;
  fputs ("Allocate them where they are used. First make sure that they are not "
	 "passed to the kernel, or to a library that was built without access "
	 "counts.",
	 out);
}

static void
advise_oversized (FILE *out, const struct advice_list *advice,
		  const struct advice *item)
{
  (void) advice;
  (void) item;
  fputs ("Allocate what is needed, or shrink the blocks when their sizes are "
	 "known. Accesses by the kernel are not counted.",
	 out);
}

static void
advise_leak (FILE *out, const struct advice_list *advice,
	     const struct advice *item)
{
  (void) advice;
  (void) item;
  fputs ("Free them before the last pointer to them is gone.", out);
}

static void
advise_growing (FILE *out, const struct advice_list *advice,
		const struct advice *item)
{
  (void) advice;
  (void) item;
  fputs ("Check whether they are still needed. If not, free them.", out);
}

static void
advise_cold (FILE *out, const struct advice_list *advice,
	     const struct advice *item)
{
  (void) advice;
  (void) item;
  fputs ("Keep them apart from other blocks, as a build with "
	 "-fplugin-arg-heapprof-use does. If they are not needed all the time, "
	 "free them earlier or create them later.",
	 out);
}

typedef void advice_writer (FILE *out, const struct advice_list *advice,
			    const struct advice *item);

static bool
word (const struct advice_list *advice, struct advice *item,
      advice_writer *show, advice_writer *advise)
{
  struct advice_text text;
  bool is_done = advice_text_start (&text, &item->evidence);
  if (is_done)
    {
      is_done = write_blocks (text.out, advice, item);
      show (text.out, advice, item);
      if (item->kind == ADVICE_RESERVE && item->growth.function != NULL)
	{
	  fputs (" Grown in ", text.out);
	  is_done &= write_function (text.out, item->growth.function);
	  fputs (".", text.out);
	}
      is_done &= advice_text_end (&text);
    }
  if (is_done && advice_text_start (&text, &item->action))
    {
      advise (text.out, advice, item);
      return advice_text_end (&text);
    }
  return false;
}

bool
advice_word_site (const struct advice_list *advice, struct advice *item)
{
  static const struct
  {
    advice_writer *show;
    advice_writer *advise;
  } writers[ADVICE_KINDS]
    = { [ADVICE_UNUSED] = { show_unused, advise_unused },
	[ADVICE_TEMPORARIES] = { show_temporaries, advise_temporaries },
	[ADVICE_RESERVE] = { show_growth, advise_growth },
	[ADVICE_POOL] = { show_pool, advise_pool },
	[ADVICE_OVERSIZED] = { show_oversized, advise_oversized },
	[ADVICE_LEAK] = { show_leak, advise_leak },
	[ADVICE_GROWING] = { show_growing, advise_growing },
	[ADVICE_COLD] = { show_cold, advise_cold } };
  return word (advice, item, writers[item->kind].show,
	       writers[item->kind].advise);
}
