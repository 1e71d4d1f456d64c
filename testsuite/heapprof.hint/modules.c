/* The first hint, while another thread changes the list of modules: the list is
   in no state to be read.
   SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "hint.h"
#include <link.h>

int
main (int argc, char **argv)
{
  struct link_map *const program = _r_debug.r_map;
  struct link_map *const next = program->l_next;
  program->l_next = (struct link_map *) 8;
  void *const block = heapprof_malloc_hinted (100, 1);
  program->l_next = next;
  hint_fill (block, 100, 1);
  free (block);
  hint_expect_backend (argc, argv);
  return hint_finish ();
}
