/* A daemon that gives up its rights: privileges WAY END.  It allocates in 16
   contexts, gives up rights by WAY, and allocates in 4096.  Exits with 77 if WAY
   is not permitted, and with 3 at the end.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include "ways.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <heapprof/heapprof.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALLOW BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define LOAD(field)                                                            \
  BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, field))

#ifdef PLAIN
#pragma weak heapprof_dump
#endif

static void
become_nobody (void)
{
  require (setgroups (0, NULL));
  require (setresgid (65534, 65534, 65534));
  require (setresuid (65534, 65534, 65534));
}

/* No file may be opened or mapped, and the system call ALSO is refused.  */

static void
filter (unsigned also)
{
  struct sock_filter code[]
    = { LOAD (nr),
#ifdef SYS_open
	BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 0, 1),
	REFUSE,
#endif
	BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
	REFUSE,
	BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, also, 0, 1),
	REFUSE,
	BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
	ALLOW,
	LOAD (args[4]),
	BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, UINT32_MAX, 0, 1),
	ALLOW,
	REFUSE };
  const struct sock_fprog program = { sizeof code / sizeof code[0], code };
  require (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  require (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

/* Landlock: no file may be used.  */

static void
lock (void)
{
#ifdef SYS_landlock_create_ruleset
  const uint64_t all = 0x1fff;
  const long rules
    = syscall (SYS_landlock_create_ruleset, &all, sizeof all, 0);
  if (rules < 0)
    _exit (77);
  require (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  require ((int) syscall (SYS_landlock_restrict_self, rules, 0));
  close ((int) rules);
#else
  _exit (77);
#endif
}

static void
close_all (void)
{
  for (int fd = 3; fd < 1024; fd++)
    close (fd);
}

static void
go (const char *way)
{
  if (strcmp (way, "user") == 0)
    become_nobody ();
  else if (strcmp (way, "root") == 0)
    {
      require (mkdir ("empty", 0755));
      require (chroot ("empty"));
      require (chdir ("/"));
      close_all ();
      become_nobody ();
    }
  else if (strcmp (way, "namespace") == 0)
    {
      require (unshare (CLONE_NEWNS));
      require (mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL));
      require (mount ("none", ".", "tmpfs", 0, NULL));
    }
  else if (strcmp (way, "filter") == 0)
    filter (SYS_openat);
  else if (strcmp (way, "madvise") == 0)
    filter (SYS_madvise);
  else if (strcmp (way, "landlock") == 0)
    lock ();
}

int
main (int count, char **arguments)
{
  if (count != 3)
    return 1;
  const char *const end = arguments[2];
  for (unsigned way = 0; way < 16; way++)
    descend (12, way);
  go (arguments[1]);
  if (strcmp (end, "wide") == 0)
    {
      /* Large blocks are far away from small ones: nobody may look at all the
	 counters between them.  */
      struct rusage usage;
      char *const block = malloc ((size_t) 1 << 26);
      block[0] = 1;
      serve ();
      free (block);
      require (getrusage (RUSAGE_SELF, &usage));
      return usage.ru_minflt < 100000 ? 3 : 1;
    }
  if (strcmp (end, "large") == 0)
    {
      char *const block = malloc ((size_t) 1 << 33);
      require (block == NULL);
      block[0] = block[(size_t) 1 << 32] = 1;
      free (block);
      return 3;
    }
  if (strcmp (end, "fork") == 0)
    return serve_in_child ();
  keeps = strcmp (end, "keep") == 0;
  serve ();
  if (strcmp (end, "dump") == 0)
    return heapprof_dump () == 0 ? 4 : 3;
  if (strcmp (end, "kill") == 0)
    kill (getpid (), SIGKILL);
  return 3;
}
