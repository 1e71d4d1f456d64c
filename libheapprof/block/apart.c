/* Memory for blocks allocated by signal handlers that interrupt the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Pages are mapped one span page at a time and never unmapped.  With system
   calls for each block, a handler might take longer than the interval of the
   timer that triggers it, and the interrupted call would never proceed.

   Any handler may interrupt any of this code, and threads share it.  To take a
   page, a thread takes the whole list, so that no page can be removed and
   reinserted meanwhile, and puts the rest back.  */

#include "apart.h"
#include "bytes.h"
#include "shadow.h"
#include "span.h"
#include "sys.h"

struct page
{
  struct page *next;
};

static struct page *unused;

/* Prepend the list from FIRST to LAST to the unused pages.  */

static void
put (struct page *first, struct page *last)
{
  struct page *head = __atomic_load_n (&unused, __ATOMIC_RELAXED);
  do
    last->next = head;
  while (!__atomic_compare_exchange_n (&unused, &head, first, false,
				       __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/* Put the list REST back; usually no other thread has put one there.  */

static void
put_back (struct page *rest)
{
  struct page *none = NULL;
  if (__atomic_compare_exchange_n (&unused, &none, rest, false,
				   __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    return;
  struct page *last = rest;
  while (last->next != NULL)
    last = last->next;
  put (rest, last);
}

/* Return a list of fresh pages; NULL if there are none.  */

static struct page *
map_pages (void)
{
  char *const start = rt_span_map_apart (RT_SPAN_PAGE_BYTES);
  if (start == NULL)
    return NULL;
  if (!rt_span_enter_apart (start))
    {
      sys_unmap (start, RT_SPAN_PAGE_BYTES);
      return NULL;
    }
  rt_shadow_discard (start, RT_SPAN_PAGE_BYTES);
  struct page *list = NULL;
  for (size_t at = RT_SPAN_PAGE_BYTES; at > 0; at -= SYS_LEAST_PAGE_BYTES)
    {
      struct page *const page = (void *) (start + at - SYS_LEAST_PAGE_BYTES);
      page->next = list;
      list = page;
    }
  return list;
}

void *
rt_apart_take (void)
{
  struct page *page = __atomic_exchange_n (&unused, NULL, __ATOMIC_ACQUIRE);
  if (page == NULL && (page = map_pages ()) == NULL)
    return NULL;
  if (page->next != NULL)
    put_back (page->next);
  own_memset (page, 0, SYS_LEAST_PAGE_BYTES);
  return page;
}

void
rt_apart_give (void *page)
{
  put (page, page);
}
