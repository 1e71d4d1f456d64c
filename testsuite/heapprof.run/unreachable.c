/* A program that can no longer open its raw profile: unreachable WAY END.  Exits
   with 77 if WAY is not permitted, and with 3 at the end.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone))

static void
require (int status)
{
  if (status != 0)
    _exit (77);
}

/* No file may be opened for writing.  */

static void
filter (void)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args[2])),
    BPF_JUMP (BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  };
  const struct sock_fprog program = { sizeof code / sizeof code[0], code };
  require (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  require (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

static void
use_all_descriptors (void)
{
  const struct rlimit limit = { 20, 20 };
  require (setrlimit (RLIMIT_NOFILE, &limit));
  while (fcntl (0, F_DUPFD_CLOEXEC, 0) >= 0)
    continue;
}

static void
limit_files (void)
{
  const struct rlimit limit = { 0, 0 };
  require (setrlimit (RLIMIT_FSIZE, &limit));
}

static void
go (const char *way)
{
  if (strcmp (way, "filter") == 0)
    filter ();
  else if (strcmp (way, "descriptors") == 0)
    use_all_descriptors ();
  else if (strcmp (way, "size") == 0)
    limit_files ();
  else if (strcmp (way, "user") == 0)
    require (setresuid (65534, 65534, 65534));
  else if (strcmp (way, "root") == 0)
    require (chroot ("."));
  else if (strcmp (way, "moved") == 0)
    require (rename ("p.hpraw", "moved.hpraw"));
}

static NOINLINE long *
make (int count)
{
  long *const block = malloc (count * sizeof *block);
  for (int i = 0; i < count; i++)
    block[i] = i;
  return block;
}

static long *volatile kept;

int
main (int count, char **arguments)
{
  if (count != 3)
    return 1;
  for (int i = 0; i < 10; i++)
    {
      kept = make (10);
      if (i == 5)
	go (arguments[1]);
      if (i % 2 == 0)
	free (kept);
    }
  if (strcmp (arguments[2], "exec") == 0)
    execl ("/bin/sh", "sh", "-c", "exit 3", (char *) NULL);
  else if (strcmp (arguments[2], "exec-fails") == 0)
    execl ("/", "none", (char *) NULL);
  return 3;
}
