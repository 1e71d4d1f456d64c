/* Joining of ranges that a loop accesses at the same time.
   SPDX-License-Identifier: GPL-3.0-or-later

   for (i = 0; i < n; i++)
     sum += a[i].x + a[i].y;

   has two ranges with the same step and count.  If they begin less than half a
   granule apart, each pair of addresses is counted in the granule of the first:
   one range of weight 2.  And

   for (i = 0; i < n; i += 4)
     sum += a[i] + a[i + 1] + a[i + 2] + a[i + 3];

   has four ranges that form one with a quarter of the step.  */

#include "gcc-compat.h"
#include "heap-access.h"
#include "arguments.h"
#include "heapprof/abi.h"
#include "loop-count.h"

/* A range that begins less than this many bytes after another is counted with
   it.  */
static const HOST_WIDE_INT window_bytes = HEAPPROF_GRANULE_BYTES / 2;

/* True if A and B differ only in FIRST and WEIGHT.  */
static bool
same_range_p (const loop_update &a, const loop_update &b)
{
  if (a.loop != b.loop || a.at_exit != b.at_exit
      || a.n_dimensions != b.n_dimensions || a.object || b.object)
    return false;
  /* Otherwise one could be empty and the other not.  */
  if (a.at_exit ? a.block != b.block || a.inner || b.inner
		: a.may_be_empty || b.may_be_empty)
    return false;
  for (unsigned i = 0; i < a.n_dimensions; i++)
    if (!operand_equal_p (a.dimension[i].step, b.dimension[i].step, 0)
	|| !operand_equal_p (a.dimension[i].count, b.dimension[i].count, 0))
      return false;
  return true;
}

/* If B begins at a constant distance from A, store it in *DISTANCE and return
   true.  */
static bool
constant_distance (const loop_update &a, const loop_update &b,
		   HOST_WIDE_INT *distance)
{
  aff_tree first, second;
  poly_int64 offset;

  tree_to_aff_combination (a.first, sizetype, &first);
  tree_to_aff_combination (b.first, sizetype, &second);
  aff_combination_scale (&first, -1);
  aff_combination_add (&second, &first);
  if (second.n || second.rest || !second.offset.to_shwi (&offset)
      || !offset.is_constant (distance))
    return false;
  return true;
}

/* An update, and its distance from the first one of its group in bytes.  */
struct placed_update
{
  unsigned index;
  HOST_WIDE_INT distance;
};

static int
compare_distances (const void *a, const void *b)
{
  const placed_update *const left = (const placed_update *) a;
  const placed_update *const right = (const placed_update *) b;

  if (left->distance != right->distance)
    return left->distance < right->distance ? -1 : 1;
  return left->index < right->index ? -1 : 1;
}

/* List in PLACED, in the order of their addresses, the update FIRST and the
   later ones that differ from it only in weight and by a constant distance,
   except those in JOINED, which were already joined to others.  */
static void
find_neighbours (const vec<loop_update> &updates, unsigned first,
		 const_sbitmap joined, vec<placed_update> *placed)
{
  placed->truncate (0);
  placed->safe_push ({ first, 0 });
  for (unsigned i = first + 1; i < updates.length (); i++)
    {
      placed_update here = { i, 0 };
      if (!bitmap_bit_p (joined, i) && same_range_p (updates[first], updates[i])
	  && constant_distance (updates[first], updates[i], &here.distance))
	placed->safe_push (here);
    }
  placed->qsort (compare_distances);
}

/* For the updates in PLACED that begin in the window of another one, add their
   weights to that one.  Keep only the others in PLACED.  */
static void
join_windows (vec<loop_update> *updates, vec<placed_update> *placed,
	      auto_sbitmap *joined)
{
  const HOST_WIDE_INT window = arguments.exact_granules ? 1 : window_bytes;
  unsigned kept = 0;

  for (const placed_update &here : *placed)
    {
      const placed_update *const last = kept ? &(*placed)[kept - 1] : NULL;
      if (last && here.distance - last->distance < window)
	{
	  loop_update *const to = &(*updates)[last->index];
	  to->weight = fold_build2 (PLUS_EXPR, sizetype, to->weight,
				    (*updates)[here.index].weight);
	  bitmap_set_bit (*joined, here.index);
	}
      else
	(*placed)[kept++] = here;
    }
  placed->truncate (kept);
}

/* Replace the updates in PLACED by one if together they access memory with a
   smaller step.  */
static void
join_interleaved (vec<loop_update> *updates, const vec<placed_update> &placed,
		  auto_sbitmap *joined)
{
  const unsigned n = placed.length ();
  loop_update *first = &(*updates)[placed[0].index];
  loop_dimension *inner = &first->dimension[0];

  if (n < 2 || !first->n_dimensions || TREE_CODE (inner->step) != INTEGER_CST)
    return;
  const HOST_WIDE_INT gap = placed[1].distance - placed[0].distance;
  const bool backwards = tree_int_cst_sign_bit (inner->step);
  const tree whole = size_int (backwards ? -gap * n : gap * n);
  for (unsigned i = 1; i < n; i++)
    if (placed[i].distance - placed[i - 1].distance != gap
	|| !operand_equal_p ((*updates)[placed[i].index].weight, first->weight,
			     0))
      return;
  if (!tree_int_cst_equal (whole, inner->step))
    return;

  for (unsigned i = 1; i < n; i++)
    bitmap_set_bit (*joined, placed[i].index);
  if (backwards)
    first->first = (*updates)[placed[n - 1].index].first;
  inner->step = size_int (backwards ? -gap : gap);
  inner->count = fold_build2 (MULT_EXPR, sizetype, inner->count, size_int (n));
}

void
join_updates (vec<loop_update> *updates)
{
  auto_sbitmap joined (updates->length ());
  auto_vec<placed_update> placed;
  unsigned kept = 0;

  bitmap_clear (joined);
  for (unsigned i = 0; i < updates->length (); i++)
    if (!bitmap_bit_p (joined, i))
      {
	find_neighbours (*updates, i, joined, &placed);
	join_windows (updates, &placed, &joined);
	join_interleaved (updates, placed, &joined);
      }
  for (unsigned i = 0; i < updates->length (); i++)
    if (!bitmap_bit_p (joined, i))
      (*updates)[kept++] = (*updates)[i];
  updates->truncate (kept);
}
