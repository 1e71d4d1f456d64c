// A program that is profiled while it runs: does what its input says.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <dlfcn.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <new>
#include <pthread.h>
#include <signal.h>
#include <stdexcept>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void *kept[100000];
static int kept_count;
static volatile bool is_stopping;

static void
keep (int count, size_t size)
{
  for (int i = 0; i < count; i++)
    kept[kept_count++] = malloc (size);
}

static void
release (int count)
{
  while (count-- > 0)
    free (kept[--kept_count]);
}

// 13 blocks, 888 bytes.
static void
kinds ()
{
  void *blocks[8];
  blocks[0] = malloc (10);
  blocks[1] = calloc (3, 20);
  blocks[2] = realloc (NULL, 30);
  blocks[2] = realloc (blocks[2], 300);
  blocks[3] = reallocarray (NULL, 4, 10);
  blocks[4] = memalign (64, 70);
  blocks[5] = aligned_alloc (64, 128);
  if (posix_memalign (&blocks[6], 64, 80) != 0)
    abort ();
  blocks[7] = valloc (90);
  for (int i = 0; i <= 7; i++)
    free (blocks[i]);
  operator delete[] (operator new[] (5));
  operator delete (operator new (4), 4);
  operator delete (operator new (7, std::nothrow), std::nothrow);
  operator delete (operator new (64, std::align_val_t (64)),
		   std::align_val_t (64));
}

// Some allocators do not have this.
static void
whole_pages ()
{
  free (pvalloc (1));
}

static void *
work (void *)
{
  for (int i = 0; i < 5; i++)
    free (malloc (1000));
  return NULL;
}

static void *
load (void *file)
{
  return dlopen (static_cast<char *> (file), RTLD_NOW);
}

static void
run_threads (int count)
{
  pthread_t threads[100];
  for (int i = 0; i < count; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < count; i++)
    pthread_join (threads[i], NULL);
}

// Allocates until the program ends, with a pattern in each block.
static void *
churn (void *data)
{
  unsigned char *blocks[64] = {};
  size_t sizes[64] = {};
  unsigned state = (unsigned) (size_t) data;
  while (!is_stopping)
    {
      state = state * 1103515245 + 12345;
      unsigned i = state >> 16 & 63;
      for (size_t j = 0; j < sizes[i]; j++)
	if (blocks[i][j] != (unsigned char) i)
	  abort ();
      size_t size = state >> 8 & 255;
      if (state % 5 == 0)
	{
	  unsigned char *resized
	    = (unsigned char *) realloc (blocks[i], size + 1);
	  if (resized == NULL)
	    abort ();
	  blocks[i] = resized;
	}
      else
	{
	  free (blocks[i]);
	  blocks[i] = (unsigned char *) malloc (size + 1);
	}
      memset (blocks[i], (int) i, sizes[i] = size);
      if (state % 1024 == 0)
	try
	  {
	    throw std::runtime_error ("a message that needs a block of its own");
	  }
	catch (std::exception &)
	  {
	  }
    }
  for (int i = 0; i < 64; i++)
    free (blocks[i]);
  return NULL;
}

// Loads and unloads a module that allocates, until the program ends.
static void *
reload (void *data)
{
  while (!is_stopping)
    {
      void *module = dlopen ((const char *) data, RTLD_LAZY);
      if (module == NULL)
	abort ();
      void *(*make) (size_t) = (void *(*) (size_t)) dlsym (module, "make");
      void (*drop) (void *) = (void (*) (void *)) dlsym (module, "drop");
      for (int i = 0; i < 20; i++)
	drop (make (100));
      free (make (50));
      drop (malloc (70));
      dlclose (module);
    }
  return NULL;
}

// Slots of all modules that lead to the library.
static int
count_module (struct dl_phdr_info *info, size_t, void *data)
{
  Dl_info target;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      if (header->p_type != PT_LOAD || (header->p_flags & PF_W) == 0
	  || strstr (info->dlpi_name, "libheapprof-attach") != NULL)
	continue;
      void **word = (void **) (info->dlpi_addr + header->p_vaddr);
      word = (void **) (((size_t) word + 7) & -8ul);
      for (void **end = word + header->p_filesz / sizeof *word; word < end;
	   word++)
	if (dladdr (*word, &target) != 0
	    && strstr (target.dli_fname, "libheapprof-attach") != NULL)
	  ++*(int *) data;
    }
  return 0;
}

static int
count_slots ()
{
  int count = 0;
  dl_iterate_phdr (count_module, &count);
  return count;
}

static void
restrict_calls ()
{
  struct sock_filter allow = BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = { 1, &allow };
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// A child that is in the state WHAT.  Return its process ID.
static pid_t
start_child (const char *what)
{
  pid_t child = fork ();
  if (child != 0)
    {
      usleep (100000);
      return child;
    }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (strcmp (what, "traced") == 0)
    ptrace (PTRACE_TRACEME, 0, NULL, NULL);
  else if (strcmp (what, "restricted") == 0)
    restrict_calls ();
  else if (strcmp (what, "ignoring") == 0)
    signal (SIGSEGV, SIG_IGN);
  else if (strcmp (what, "stopped") == 0)
    raise (SIGSTOP);
  else if (strcmp (what, "ended") == 0)
    _exit (0);
  for (;;)
    pause ();
}

// The exit status of a child that allocates.
static int
run_child ()
{
  int status = -1;
  pid_t child = fork ();
  if (child == 0)
    {
      keep (10, 10);
      release (10);
      run_threads (2);
      _exit (count_slots () > 0 ? 3 : 4);
    }
  waitpid (child, &status, 0);
  return WIFEXITED (status) ? WEXITSTATUS (status) : -1;
}

int
main (int, char **arguments)
{
  static char buffers[2][4096];
  char line[256], what[32], text[128];
  pthread_t thread;
  // The C library allocates no buffers.
  setvbuf (stdin, buffers[0], _IOFBF, sizeof buffers[0]);
  setvbuf (stdout, buffers[1], _IOLBF, sizeof buffers[1]);
  keep (20, 33);
  puts ("ready");
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      int count = 0, size = 0, answer = 0;
      sscanf (line, "%31s %d %d", what, &count, &size);
      sscanf (line, "%*s %127s", text);
      if (strcmp (what, "keep") == 0)
	keep (count, (size_t) size);
      else if (strcmp (what, "release") == 0)
	release (count);
      else if (strcmp (what, "kinds") == 0)
	kinds ();
      else if (strcmp (what, "pages") == 0)
	whole_pages ();
      else if (strcmp (what, "threads") == 0)
	run_threads (count);
      else if (strcmp (what, "churn") == 0)
	while (count-- > 0)
	  pthread_create (&thread, NULL, churn, (void *) (size_t) count);
      else if (strcmp (what, "reload") == 0)
	pthread_create (&thread, NULL, reload, strdup (text));
      else if (strcmp (what, "slots") == 0)
	answer = count_slots ();
      else if (strcmp (what, "child") == 0)
	answer = run_child ();
      else if (strcmp (what, "start") == 0)
	answer = start_child (text);
      else if (strcmp (what, "load") == 0)
	dlopen (text, RTLD_NOW);
      else if (strcmp (what, "load-beside") == 0)
	pthread_create (&thread, NULL, load, strdup (text));
      else if (strcmp (what, "execute") == 0)
	execl (arguments[0], arguments[0], (char *) NULL);
      printf ("%d\n", answer);
    }
  is_stopping = true;
  return 7;
}
