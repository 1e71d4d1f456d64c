/* No watching of samples, for the library that is attached.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "watch.h"

bool rt_watch_is_on;

void
rt_watch_stop (void)
{}

void
rt_watch_lock (void)
{}

void
rt_watch_unlock (void)
{}

void
rt_watch_become_child (void)
{}
