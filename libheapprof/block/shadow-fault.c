/* Counters that are mapped when they are first touched.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "shadow-fault.h"
#include "shadow.h"
#include "signal-set.h"
#include "sys.h"
#include <pthread.h>
#include <stddef.h>
#include <ucontext.h>

bool rt_shadow_is_lazy;

static uintptr_t base;
static bool (*provide) (uintptr_t offset);
static struct sigaction previous;

/* Do what would have happened without the library.  */

static void
pass_on (int number, siginfo_t *info, void *context)
{
  const struct sigaction action = previous;
  if ((action.sa_flags & SA_SIGINFO) == 0
      && (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN))
    {
      /* The access is repeated when the handler returns, and then ends the
	 program.  */
      struct sigaction none = { .sa_handler = SIG_DFL };
      __sigaction (number, &none, NULL);
      return;
    }
  /* The handler's own accesses are counted.  */
  sys_block_signals ((signal_set_get (&((ucontext_t *) context)->uc_sigmask)
		      | signal_set_get (&action.sa_mask))
		     & ~signal_bit (SIGSEGV));
  if ((action.sa_flags & SA_RESETHAND) != 0)
    previous = (struct sigaction){ .sa_handler = SIG_DFL };
  if ((action.sa_flags & SA_SIGINFO) != 0)
    action.sa_sigaction (number, info, context);
  else
    action.sa_handler (number);
}

static void
on_fault (int number, siginfo_t *info, void *context)
{
  const uintptr_t offset = (uintptr_t) info->si_addr - base;
  const bool by_access = info->si_code > 0;
  if (!by_access || offset >= RT_SHADOW_BYTES || !provide (offset))
    pass_on (number, info, context);
}

void
rt_shadow_fault_start (void *start, bool (*provider) (uintptr_t offset))
{
  struct sigaction action
    = { .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };
  action.sa_sigaction = on_fault;
  signal_set_put (&action.sa_mask, UINT64_MAX);
  base = (uintptr_t) start;
  provide = provider;
  __sigaction (SIGSEGV, &action, &previous);
  rt_shadow_is_lazy = true;
}

void
rt_shadow_fault_handle (const struct sigaction *action, struct sigaction *old)
{
  const struct sigaction before = previous;
  if (action != NULL)
    previous = *action;
  if (old != NULL)
    *old = before;
}
