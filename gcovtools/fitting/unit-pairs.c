/* Which notes of a newer version of a program belong to which unit of the older
   one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "unit-pairs.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A path without its suffix, backwards, with `/' for all separators: paths that
   end alike are next to each other when they are sorted.  */
struct ending
{
  char *text; /* malloced */
  size_t unit;
};

/* Return PATH as in struct ending.  NULL if memory is exhausted.  */
static char *
turn (const char *path)
{
  const char *slash = strrchr (path, '/');
  const char *dot = strrchr (path, '.');
  size_t n = dot != NULL && (slash == NULL || dot > slash)
	       ? (size_t) (dot - path)
	       : strlen (path);
  char *text = malloc (n + 2);
  if (text == NULL)
    return NULL;
  for (size_t i = 0; i < n; i++)
    text[i] = path[n - 1 - i] == '#' ? '/' : path[n - 1 - i];
  while (n > 0 && text[n - 1] == '/')
    n--;
  text[n] = '/';
  text[n + 1] = '\0';
  return text;
}

static int
compare_endings (const void *element1, const void *element2)
{
  const struct ending *a = element1;
  const struct ending *b = element2;
  int order = strcmp (a->text, b->text);
  return order != 0 ? order : (a->unit > b->unit) - (a->unit < b->unit);
}

/* Return how many bytes of whole components A and B have in common.  Equal
   paths have most.  */
static size_t
common_bytes (const char *a, const char *b)
{
  size_t common = 0;
  for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
    if (a[i] == '/')
      common = i + 1;
  return strcmp (a, b) == 0 ? SIZE_MAX : common;
}

/* Return the index of the first of the N ENDINGS that is not before TEXT.  */
static size_t
find_place (const struct ending *endings, size_t n, const char *text)
{
  size_t low = 0;
  while (low < n)
    {
      size_t middle = low + (n - low) / 2;
      if (strcmp (endings[middle].text, text) < 0)
	low = middle + 1;
      else
	n = middle;
    }
  return low;
}

/* Return the only one of the N ENDINGS that has most in common with TEXT; set
 *COMMON to that.  SIZE_MAX if there is none.  */
static size_t
find_nearest (const struct ending *endings, size_t n, const char *text,
	      size_t *common)
{
  size_t place = find_place (endings, n, text);
  size_t behind = place < n ? common_bytes (endings[place].text, text) : 0;
  size_t before = place > 0 ? common_bytes (endings[place - 1].text, text) : 0;
  *common = behind > before ? behind : before;
  if (*common == 0 || (behind == before && behind != SIZE_MAX))
    return SIZE_MAX;
  size_t nearest = behind > before ? place : place - 1;
  /* Another one on the same side may have as much in common.  */
  size_t other = behind > before ? place + 1 : place - 2;
  if (other < n && common_bytes (endings[other].text, text) == *common)
    return SIZE_MAX;
  return endings[nearest].unit;
}

/* Leave each unit only to the file that has most in common with it, or to none
   if there are several.  COMMON is, for each file, what it has.  */
static bool
keep_best (size_t *pairs, const size_t *common, size_t count, size_t n)
{
  size_t *best = calloc (n + 1, sizeof *best);
  size_t *winners = calloc (n + 1, sizeof *winners);
  bool is_done = best != NULL && winners != NULL;
  for (size_t i = 0; is_done && i < count; i++)
    if (pairs[i] != SIZE_MAX && common[i] > best[pairs[i]])
      best[pairs[i]] = common[i];
  for (size_t i = 0; is_done && i < count; i++)
    if (pairs[i] != SIZE_MAX)
      winners[pairs[i]] += common[i] == best[pairs[i]];
  for (size_t i = 0; is_done && i < count; i++)
    if (pairs[i] != SIZE_MAX
	&& (common[i] < best[pairs[i]] || winners[pairs[i]] > 1))
      pairs[i] = SIZE_MAX;
  free (best);
  free (winners);
  return is_done;
}

bool
unit_pairs_find (const struct input_list *notes,
		 const struct gcov_unit *const *units, size_t n, size_t *pairs)
{
  struct ending *endings = calloc (n + 1, sizeof *endings);
  size_t *common = calloc (notes->count + 1, sizeof *common);
  bool is_done = endings != NULL && common != NULL;
  for (size_t i = 0; is_done && i < n; i++)
    {
      endings[i] = (struct ending){ turn (units[i]->path), i };
      is_done = endings[i].text != NULL;
    }
  if (is_done)
    qsort (endings, n, sizeof *endings, compare_endings);
  for (size_t i = 0; is_done && i < notes->count; i++)
    {
      char *text = turn (notes->files[i].unit_path);
      is_done = text != NULL;
      if (is_done)
	pairs[i] = find_nearest (endings, n, text, &common[i]);
      free (text);
    }
  is_done = is_done && keep_best (pairs, common, notes->count, n);
  for (size_t i = 0; endings != NULL && i < n; i++)
    free (endings[i].text);
  free (endings);
  free (common);
  return is_done;
}
