/* A program that restricts its system calls: sandbox NUMBER...  After it has
   started and allocated, filters make the calls NUMBER... fail with EPERM.  Exits
   with 77 if filters are not allowed.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static volatile unsigned calls;

static void
give_up (unsigned number)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  };
  const struct sock_fprog program = { sizeof code / sizeof code[0], code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    exit (77);
}

/* Each WAY is a context of its own, so that the profile grows.  */

static NOINLINE void
descend (unsigned levels, unsigned way)
{
  char *volatile block = malloc (10 + levels);
  *(volatile char *) block = 1;
  if (levels > 0)
    {
      if (way & 1)
	descend (levels - 1, way / 2);
      else
	descend (levels - 1, way / 2);
    }
  calls++;
  free (block);
}

int
main (int count, char **arguments)
{
  for (unsigned way = 0; way < 16; way++)
    descend (9, way);
  for (int i = 1; i < count; i++)
    give_up ((unsigned) atoi (arguments[i]));
  for (unsigned way = 16; way < 512; way++)
    descend (9, way);
  printf ("%u\n", calls);
  return 0;
}
