/* The filters of system calls that the program has installed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A filter is a program for the kernel's packet filter, in the subset that
   seccomp allows.  A call is refused if one of them ends the process or sends
   it a signal; and if it asks a tracer or supervisor, which would see a call
   that the program did not make.  */

#include "call-filter.h"
#include "bytes.h"
#include "sys.h"
#include "system-call.h"
#include "thread-pointer.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>

/* Constants that old headers do not have.  */
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000u
#endif
#ifndef SECCOMP_RET_LOG
#define SECCOMP_RET_LOG 0x7ffc0000u
#endif
#ifndef SECCOMP_RET_ACTION_FULL
#define SECCOMP_RET_ACTION_FULL 0xffff0000u
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCHITECTURE (MACHINE_ELF | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE)
#else
#define ARCHITECTURE (MACHINE_ELF | __AUDIT_ARCH_64BIT)
#endif

struct call_filter
{
  struct call_filter *next;
  bool is_active;
  uint32_t count; /* of CODE; none: the strict mode */
  struct sock_filter code[];
};

/* Newest first.  Never released: another thread may run it.  */
static struct call_filter *filters;

/* Stands for all those that could not be copied.  */
static struct call_filter strict;

/* The process, for calls after which it may no longer be asked for.  */
static long own_pid;

/* Return the result of the operation of CODE; false if there is none.  */

static bool
compute (unsigned code, uint32_t a, uint32_t b, uint32_t *result)
{
  switch (BPF_OP (code))
    {
    case BPF_ADD:
      *result = a + b;
      return true;
    case BPF_SUB:
      *result = a - b;
      return true;
    case BPF_MUL:
      *result = a * b;
      return true;
    case BPF_DIV:
      *result = b != 0 ? a / b : 0;
      return b != 0;
    case BPF_AND:
      *result = a & b;
      return true;
    case BPF_OR:
      *result = a | b;
      return true;
    case BPF_XOR:
      *result = a ^ b;
      return true;
    case BPF_LSH:
      *result = b < 32 ? a << b : 0;
      return true;
    case BPF_RSH:
      *result = b < 32 ? a >> b : 0;
      return true;
    case BPF_NEG:
      *result = -a;
      return true;
    default:
      return false;
    }
}

static bool
compare (unsigned code, uint32_t a, uint32_t b)
{
  switch (BPF_OP (code))
    {
    case BPF_JEQ:
      return a == b;
    case BPF_JGT:
      return a > b;
    case BPF_JGE:
      return a >= b;
    default: /* BPF_JSET */
      return (a & b) != 0;
    }
}

/* Return the action of FILTER for the call in DATA.  What the kernel would not
   have accepted ends the process.  */

static uint32_t
run (const struct call_filter *filter, const struct seccomp_data *data)
{
  uint32_t memory[BPF_MEMWORDS];
  uint32_t a = 0;
  uint32_t x = 0;
  own_memset (memory, 0, sizeof memory);
  for (uint32_t at = 0; at < filter->count; at++)
    {
      const struct sock_filter *const code = &filter->code[at];
      const uint32_t operand = BPF_SRC (code->code) == BPF_X ? x : code->k;
      uint32_t loaded = code->k;
      switch (BPF_CLASS (code->code))
	{
	case BPF_LD:
	case BPF_LDX:
	  if (BPF_MODE (code->code) == BPF_ABS)
	    {
	      if (code->k > sizeof *data - sizeof loaded)
		return SECCOMP_RET_KILL_PROCESS;
	      own_memcpy (&loaded, (const char *) data + code->k,
			  sizeof loaded);
	    }
	  else if (BPF_MODE (code->code) == BPF_MEM)
	    loaded = memory[code->k % BPF_MEMWORDS];
	  else if (BPF_MODE (code->code) == BPF_LEN)
	    loaded = sizeof *data;
	  else if (BPF_MODE (code->code) != BPF_IMM)
	    return SECCOMP_RET_KILL_PROCESS;
	  *(BPF_CLASS (code->code) == BPF_LD ? &a : &x) = loaded;
	  break;
	case BPF_ST:
	  memory[code->k % BPF_MEMWORDS] = a;
	  break;
	case BPF_STX:
	  memory[code->k % BPF_MEMWORDS] = x;
	  break;
	case BPF_ALU:
	  if (!compute (code->code, a, operand, &a))
	    return SECCOMP_RET_KILL_PROCESS;
	  break;
	case BPF_JMP:
	  if (BPF_OP (code->code) == BPF_JA)
	    at += code->k;
	  else
	    at += compare (code->code, a, operand) ? code->jt : code->jf;
	  break;
	case BPF_RET:
	  return BPF_RVAL (code->code) == BPF_A ? a : code->k;
	default: /* BPF_MISC */
	  if (BPF_MISCOP (code->code) == BPF_TXA)
	    a = x;
	  else
	    x = a;
	}
    }
  return SECCOMP_RET_KILL_PROCESS;
}

static bool
allows (const struct call_filter *filter, const struct seccomp_data *data)
{
  if (filter->count == 0)
    return data->nr == SYS_read || data->nr == SYS_write;
  switch (run (filter, data) & SECCOMP_RET_ACTION_FULL)
    {
    case SECCOMP_RET_ALLOW:
    case SECCOMP_RET_LOG:
    case SECCOMP_RET_ERRNO:
      return true;
    default:
      return false;
    }
}

/* What a refused call returns.  Two of them cannot fail; threads must differ.
 */

static long
refusal (long number)
{
  switch (number)
    {
    case SYS_getpid:
      return __atomic_load_n (&own_pid, __ATOMIC_RELAXED);
    case SYS_gettid:
      return (long) ((uintptr_t) machine_own_thread_pointer () >> 4
		     & INT32_MAX);
    default:
      return -EPERM;
    }
}

/* See system-call.h.  */

static long
check (long number, const long arguments[6])
{
  /* Calls of the program, which the process ends with.  */
  if (number == SYS_exit_group || number == SYS_execve
      || number == SYS_execveat)
    return 0;
  struct seccomp_data data = { .nr = (int) number, .arch = ARCHITECTURE };
  for (unsigned i = 0; i < 6; i++)
    data.args[i] = (uint64_t) arguments[i];
  const struct call_filter *filter
    = __atomic_load_n (&filters, __ATOMIC_ACQUIRE);
  for (; filter != NULL; filter = filter->next)
    if (__atomic_load_n (&filter->is_active, __ATOMIC_RELAXED)
	&& !allows (filter, &data))
      return refusal (number);
  return 0;
}

static void
publish (struct call_filter *filter)
{
  __atomic_store_n (&own_pid, sys_pid (), __ATOMIC_RELAXED);
  __atomic_store_n (&filter->is_active, true, __ATOMIC_RELAXED);
  struct call_filter *head = __atomic_load_n (&filters, __ATOMIC_RELAXED);
  do
    filter->next = head;
  while (!__atomic_compare_exchange_n (&filters, &head, filter, false,
				       __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  __atomic_store_n (&__hpr_system_call_check, check, __ATOMIC_RELEASE);
}

struct call_filter *
call_filter_add_strict (void)
{
  static uint32_t is_known;
  if (__atomic_exchange_n (&is_known, 1, __ATOMIC_RELAXED) == 0)
    publish (&strict);
  else
    __atomic_store_n (&strict.is_active, true, __ATOMIC_RELAXED);
  return &strict;
}

bool
call_filter_is_strict (const struct call_filter *filter)
{
  return filter == &strict;
}

static bool
is_readable (const void *data, size_t bytes)
{
  const uintptr_t start = (uintptr_t) data;
  const uintptr_t last = start + bytes - sizeof (uint64_t);
  for (uintptr_t at = start; at < last; at += SYS_LEAST_PAGE_BYTES)
    if (!sys_is_readable ((const void *) at))
      return false;
  return sys_is_readable ((const void *) last);
}

struct call_filter *
call_filter_add (const struct sock_fprog *program)
{
  if (!is_readable (program, sizeof *program))
    return NULL;
  const size_t bytes = program->len * sizeof program->filter[0];
  if (bytes == 0 || !is_readable (program->filter, bytes))
    return NULL;
  struct call_filter *const filter = sys_map (sizeof *filter + bytes);
  if (filter == NULL)
    return call_filter_add_strict ();
  filter->count = program->len;
  own_memcpy (filter->code, program->filter, bytes);
  publish (filter);
  return filter;
}

void
call_filter_cancel (struct call_filter *filter)
{
  __atomic_store_n (&filter->is_active, false, __ATOMIC_RELAXED);
}

bool
call_filter_allows (const struct call_filter *filter, long number)
{
  const struct seccomp_data data = { .nr = (int) number, .arch = ARCHITECTURE };
  return allows (filter, &data);
}
