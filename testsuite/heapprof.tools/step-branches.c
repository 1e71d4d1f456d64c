/* Run a program step by step and print the path of its own code.
   SPDX-License-Identifier: GPL-3.0-or-later

   A library for LD_PRELOAD.  With STEP_BRANCHES="LOW HIGH START", it prints the
   address, in hexadecimal, of each instruction between LOW and HIGH that runs after
   START was reached (if that is not 0) until the program exits.  The program steps
   itself: the processor traps after each instruction, and the handler returns to
   the next.  A tracing process would need two context switches for each, some fifty
   times as long.  */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* The instruction that stops the program; the flag for single steps.  */
#define BREAKPOINT 0xcc
#define TRAP_FLAG 0x100

static uint64_t low, high, start;
static unsigned char replaced;
static bool is_stepping;

/* Output that is not written yet.  */
static char output[1 << 16];
static size_t used;

static void
flush (void)
{
  for (size_t done = 0; done < used;)
    {
      ssize_t n = write (STDOUT_FILENO, output + done, used - done);
      if (n <= 0)
	_exit (77);
      done += n;
    }
  used = 0;
}

static void
print (uint64_t address)
{
  char digits[17];
  size_t n = 0;
  do
    digits[n++] = "0123456789abcdef"[address & 15];
  while ((address >>= 4) != 0);
  if (used + n + 1 > sizeof output)
    flush ();
  while (n > 0)
    output[used++] = digits[--n];
  output[used++] = '\n';
}

static void
trap (int number, siginfo_t *info, void *data)
{
  (void) number;
  (void) info;
  greg_t *registers = ((ucontext_t *) data)->uc_mcontext.gregs;
  uint64_t next = registers[REG_RIP];
  if (!is_stepping)
    {
      is_stepping = true;
      if (start != 0)
	{
	  *(unsigned char *) start = replaced;
	  registers[REG_RIP] = next = start;
	}
    }
  if (next >= low && next < high)
    print (next);
  registers[REG_EFL] |= TRAP_FLAG;
}

/* Make the program stop at START.  */
static void
set_breakpoint (void)
{
  uint64_t page_bytes = sysconf (_SC_PAGESIZE);
  void *page = (void *) (start & -page_bytes);
  if (mprotect (page, 2 * page_bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    _exit (77);
  replaced = *(unsigned char *) start;
  *(unsigned char *) start = BREAKPOINT;
}

__attribute__ ((constructor)) static void
begin (void)
{
  static char stack[1 << 16];
  char *at = getenv ("STEP_BRANCHES");
  if (at == NULL)
    return;
  low = strtoull (at, &at, 0);
  high = strtoull (at, &at, 0);
  start = strtoull (at, &at, 0);
  stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action
    = { .sa_sigaction = trap, .sa_flags = SA_SIGINFO | SA_ONSTACK };
  if (sigaltstack (&alternate, NULL) != 0
      || sigaction (SIGTRAP, &action, NULL) != 0)
    _exit (77);
  if (start != 0)
    set_breakpoint ();
  else
    raise (SIGTRAP);
}

__attribute__ ((destructor)) static void
end (void)
{
  flush ();
}
