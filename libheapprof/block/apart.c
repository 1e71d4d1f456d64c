/* Memory for blocks that signal handlers get while they interrupt the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Pages come by the span page and are never unmapped.  With system calls for
   each block a handler would take longer than the timer that calls it may leave
   it, and the call that it interrupts would never go on.

   Any handler may interrupt any of this, and threads share it.  Who takes a
   page takes the whole list, so that no page of it can come and go meanwhile,
   and puts the rest back.  */

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

/* Put the list from FIRST to LAST in front of the unused pages.  */

static void
put (struct page *first, struct page *last)
{
  struct page *head = __atomic_load_n (&unused, __ATOMIC_RELAXED);
  do
    last->next = head;
  while (!__atomic_compare_exchange_n (&unused, &head, first, false,
				       __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/* Put the list REST back; most often nobody has put another one there.  */

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

/* A list of fresh pages; NULL if there are none.  */

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
  for (size_t at = RT_SPAN_PAGE_BYTES; at > 0; at -= SYS_PAGE_BYTES)
    {
      struct page *const page = (void *) (start + at - SYS_PAGE_BYTES);
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
  own_memset (page, 0, SYS_PAGE_BYTES);
  return page;
}

void
rt_apart_give (void *page)
{
  put (page, page);
}
