/* Modules that are loaded while the library is attached.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "new-modules.h"
#include "lock.h"

/* The time after a look until the next one: it doubles each time.  */
#define FIRST_PAUSE_NS 4000000u
#define LAST_PAUSE_NS 1000000000u

uint32_t rt_attach_opens, rt_attach_settled_opens;

static struct rt_lock lock;
static size_t (*redirect) (void);

/* Number of calls that the current series of looks is for.  */
static uint32_t current;
static uint64_t next_ns, pause_ns;

void
rt_attach_look (size_t (*given) (void))
{
  rt_lock (&lock);
  redirect = given;
  next_ns = 0;
  rt_unlock (&lock);
  __atomic_fetch_add (&rt_attach_opens, 1, __ATOMIC_RELAXED);
}

static void
look (uint64_t now_ns)
{
  const uint32_t opens = __atomic_load_n (&rt_attach_opens, __ATOMIC_ACQUIRE);
  if (opens != current)
    {
      current = opens;
      pause_ns = FIRST_PAUSE_NS;
    }
  else if (pause_ns <= LAST_PAUSE_NS)
    pause_ns *= 2;
  else
    __atomic_store_n (&rt_attach_settled_opens, opens, __ATOMIC_RELAXED);
  redirect ();
  next_ns = now_ns + pause_ns;
}

void
rt_attach_look_slowly (uint64_t now_ns)
{
  if (now_ns < __atomic_load_n (&next_ns, __ATOMIC_RELAXED)
      || !rt_try_lock (&lock))
    return;
  if (now_ns >= next_ns && redirect != NULL)
    look (now_ns);
  rt_unlock (&lock);
}

void
rt_attach_look_reset_lock (void)
{
  rt_reset_lock (&lock);
}
