/* The functions of the source, with what is known of their code and copies.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-sources.h"
#include "heapprof/mip-format.h"
#include <stdlib.h>
#include <string.h>

/* A body of a function, or a copy of one.  */
struct piece
{
  const char *name; /* of the source function */
  const char *file;
  uint32_t line;
  bool is_local;
  uint32_t function;	       /* the body, or the function around the copy */
  const struct mip_copy *copy; /* NULL: a body */
};

static int
compare_places (const struct piece *p, const struct piece *q)
{
  int order = strcmp (p->file, q->file);
  return order != 0 ? order : (p->line > q->line) - (p->line < q->line);
}

static int
compare_pieces (const void *a, const void *b)
{
  const struct piece *p = a, *q = b;
  int order = strcmp (p->name, q->name);
  return order != 0 ? order : compare_places (p, q);
}

/* Return the pieces of PROFILE, sorted and malloced, and set *COUNT; NULL if
   memory is exhausted.  */
static struct piece *
list_pieces (const struct mip_profile *profile, size_t *count)
{
  size_t n = 0;
  struct piece *pieces
    = calloc (profile->function_count + profile->copy_count + 1,
	      sizeof *pieces);
  for (uint32_t i = 0; pieces != NULL && i < profile->function_count; i++)
    {
      const struct mip_function *function = &profile->functions[i];
      pieces[n++] = (struct piece){
	.name = mip_profile_string (profile, function->origin),
	.file = mip_profile_string (profile, function->file),
	.line = function->line,
	.is_local = (function->flags & HEAPPROF_MIP_LOCAL) != 0,
	.function = i
      };
      for (uint32_t j = 0; j < function->copy_count; j++)
	{
	  const struct mip_copy *copy
	    = &profile->copies[function->first_copy + j];
	  pieces[n++]
	    = (struct piece){ .name = mip_profile_string (profile, copy->name),
			      .file = mip_profile_string (profile, copy->file),
			      .line = copy->line,
			      .is_local
			      = (copy->flags & HEAPPROF_MIP_COPY_LOCAL) != 0,
			      .function = i,
			      .copy = copy };
	}
    }
  if (pieces != NULL)
    qsort (pieces, n, sizeof *pieces, compare_pieces);
  *count = n;
  return pieces;
}

/* Add PIECE to source NUMBER.  */
static void
add_piece (struct mip_sources *sources, uint32_t number,
	   const struct mip_profile *profile, const struct piece *piece)
{
  struct mip_source *source = &sources->sources[number];
  const struct mip_function *function = &profile->functions[piece->function];
  const struct mip_copy *copy = piece->copy;
  if (copy == NULL)
    {
      source->has_body = true;
      source->ran |= function->runs > 0;
      source->body = piece->function;
      sources->of_function[piece->function] = number;
      return;
    }
  bool is_known
    = copy->rule != UINT32_MAX || (copy->flags & HEAPPROF_MIP_COPY_ALWAYS) != 0;
  source->has_copy = true;
  source->copy_ran |= copy->runs > 0;
  source->copy_may_have_ran |= !is_known && function->runs > 0;
}

/* Return true if one of the COUNT PIECES, all at one place of the source, can
   be named by other files.  The compiler makes the copies that it specializes
   local.  */
static bool
is_public (const struct piece *pieces, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!pieces[i].is_local)
      return true;
  return false;
}

/* Return a new source with the name and place of PIECE.  */
static uint32_t
begin_source (struct mip_sources *sources, const struct piece *piece)
{
  sources->sources[sources->count]
    = (struct mip_source){ .name = piece->name,
			   .file = piece->file,
			   .line = piece->line,
			   .body = MIP_NO_FUNCTION };
  return (uint32_t) sources->count++;
}

/* Add the COUNT PIECES, all of one name: a source for those that other files
   can name, and one for each other place.  */
static void
add_name (struct mip_sources *sources, const struct mip_profile *profile,
	  const struct piece *pieces, size_t count)
{
  uint32_t all = UINT32_MAX;
  size_t first = sources->count, end;
  for (size_t i = 0; i < count; i = end)
    {
      for (end = i + 1; end < count; end++)
	if (compare_places (&pieces[i], &pieces[end]) != 0)
	  break;
      uint32_t number = all;
      bool is_shared = is_public (&pieces[i], end - i);
      if (!is_shared || number == UINT32_MAX)
	number = begin_source (sources, &pieces[i]);
      if (is_shared)
	all = number;
      for (size_t j = i; j < end; j++)
	add_piece (sources, number, profile, &pieces[j]);
    }
  for (size_t i = first; i < sources->count; i++)
    sources->sources[i].is_shared_name = sources->count - first > 1;
}

bool
mip_sources_find (struct mip_sources *sources,
		  const struct mip_profile *profile)
{
  size_t count, end;
  struct piece *pieces = list_pieces (profile, &count);
  *sources = (struct mip_sources){
    .sources
    = calloc (pieces != NULL ? count + 1 : 1, sizeof (struct mip_source)),
    .of_function = calloc (profile->function_count + 1, sizeof (uint32_t))
  };
  bool is_done = pieces != NULL && sources->sources != NULL
		 && sources->of_function != NULL;
  for (size_t i = 0; is_done && i < count; i = end)
    {
      for (end = i + 1; end < count; end++)
	if (strcmp (pieces[i].name, pieces[end].name) != 0)
	  break;
      add_name (sources, profile, &pieces[i], end - i);
    }
  free (pieces);
  return is_done;
}

void
mip_sources_release (struct mip_sources *sources)
{
  free (sources->sources);
  free (sources->of_function);
  *sources = (struct mip_sources){ 0 };
}
