/* heapprof-gcov mark: name a moment in a running program.
   SPDX-License-Identifier: GPL-3.0-or-later

   The raw profile is mapped by the program, which looks at a word of its header
   whenever the size of the heap has changed.  So the program needs neither a
   signal nor a thread for this.  */

#include "commands.h"
#include "heap-moments.h"
#include "heapprof/raw-format.h"
#include "option-values.h"
#include "raw-profile.h"
#include "running-file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_SECONDS 2
#define STEP_NS 10000000

#define COMPLETE_TEXT "the profile is complete: no program writes it"

enum
{
  OPTION_WAIT = OPTION_HELP + 1,
  OPTION_LEAKS
};

static const struct command_option mark_options[]
  = { { OPTION_WAIT, "wait", "SECONDS",
	"how long to wait until the program has set the mark\n"
	"(default 2)" },
      { OPTION_LEAKS, "leaks", NULL,
	"also find the blocks that no pointer leads to, for\n"
	"show --at=lost" },
      { 0 } };

struct arguments
{
  size_t seconds;
  bool finds_leaks;
};

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  arguments->finds_leaks |= id == OPTION_LEAKS;
  return id == OPTION_LEAKS
	 || option_take_size ("mark", value, &arguments->seconds);
}

/* Map the header of the raw profile PATH.  Return NULL and set *ERR on
   failure.  */
static struct heapprof_raw_header *
map_header (const char *path, struct profile_error *err)
{
  int fd = open (path, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    {
      profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET, "%s",
			 strerror (errno));
      return NULL;
    }
  /* A complete profile may be shorter than the header of a running one.  */
  char magic[HEAPPROF_RAW_MAGIC_BYTES];
  struct stat status;
  void *header = MAP_FAILED;
  if (fstat (fd, &status) != 0
      || pread (fd, magic, sizeof magic, 0) != (ssize_t) sizeof magic
      || !raw_profile_has_magic (magic, sizeof magic))
    profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
		       "not a raw heap profile");
  else if (status.st_size < HEAPPROF_RAW_HEADER_BYTES)
    profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET, COMPLETE_TEXT);
  else if ((header = mmap (NULL, sizeof (struct heapprof_raw_header),
			   PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0))
	   == MAP_FAILED)
    profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET, "%s",
		       strerror (errno));
  close (fd);
  return header != MAP_FAILED ? header : NULL;
}

/* Return true if the program that writes HEADER, of PATH, knows marks.
   Otherwise set *ERR.  */
static bool
check_header (const struct heapprof_raw_header *header, const char *path,
	      struct profile_error *err)
{
  if (header->byte_order != HEAPPROF_RAW_BYTE_ORDER
      || header->version < HEAPPROF_RAW_VERSION_MOMENTS
      || header->version > HEAPPROF_RAW_VERSION
      || (header->flags & HEAPPROF_RAW_PACKED) != 0)
    profile_error_set (
      err, path, PROFILE_ERROR_NO_OFFSET,
      "the program was built with another version of heapprof");
  else if (header->state != HEAPPROF_RAW_RUNNING)
    profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET,
		       "the profile is complete");
  else
    return true;
  return false;
}

/* Wait until the request in HEADER is FREE, at most SECONDS.  */
static bool
wait_for_answer (const struct heapprof_raw_header *header, size_t seconds)
{
  const struct timespec step = { .tv_nsec = STEP_NS };
  for (uint64_t i = 0; i <= (uint64_t) seconds * (1000000000 / STEP_NS); i++)
    {
      if (__atomic_load_n (&header->mark_request, __ATOMIC_ACQUIRE)
	  == HEAPPROF_RAW_NO_REQUEST)
	return true;
      nanosleep (&step, NULL);
    }
  return false;
}

static enum exit_status
request (struct heapprof_raw_header *header, const char *label,
	 const char *path, const struct arguments *arguments)
{
  const size_t seconds = arguments->seconds;
  struct profile_error err;
  uint64_t state = HEAPPROF_RAW_NO_REQUEST;
  if (!check_header (header, path, &err))
    {
      diagnostics_error (&err);
      return STATUS_FAILED;
    }
  if (!wait_for_answer (header, seconds)
      || !__atomic_compare_exchange_n (&header->mark_request, &state,
				       HEAPPROF_RAW_WRITING, false,
				       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    {
      profile_error_set (&err, path, PROFILE_ERROR_NO_OFFSET,
			 "another mark is being set");
      diagnostics_error (&err);
      return STATUS_FAILED;
    }
  memset (header->mark_label, 0, sizeof header->mark_label);
  memcpy (header->mark_label, label, strlen (label));
  __atomic_store_n (&header->mark_request,
		    arguments->finds_leaks ? HEAPPROF_RAW_REQUESTED_LEAKS
					   : HEAPPROF_RAW_REQUESTED,
		    __ATOMIC_RELEASE);
  if (!wait_for_answer (header, seconds))
    diagnostics_note ("%s: the program has not allocated since; the mark will "
		      "be set when it does, or ends",
		      path);
  return STATUS_DONE;
}

/* Return the process that TEXT names, -1 if it is not a number.  */
static pid_t
process_of (const char *text)
{
  char *end;
  errno = 0;
  long pid = strtol (text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0
	     && pid <= INT_MAX
	   ? (pid_t) pid
	   : -1;
}

static enum exit_status
mark (const struct arguments *arguments, const char *process, const char *label)
{
  char path[PATH_MAX];
  struct profile_error err;
  pid_t pid = process_of (process);
  if (strlen (label) >= HEAP_LABEL_BYTES)
    return diagnostics_usage ("mark", "name longer than %d bytes",
			      HEAP_LABEL_BYTES - 1);
  if (pid < 0 && strlen (process) < sizeof path)
    strcpy (path, process);
  else if (!running_file_find (pid, path, sizeof path, &err))
    {
      diagnostics_error (&err);
      return STATUS_FAILED;
    }
  struct heapprof_raw_header *header = map_header (path, &err);
  if (header == NULL)
    {
      diagnostics_error (&err);
      return STATUS_FAILED;
    }
  enum exit_status status = request (header, label, path, arguments);
  munmap (header, sizeof *header);
  return status;
}

static enum exit_status
run_mark (int argc, char **argv)
{
  struct arguments arguments = { .seconds = DEFAULT_SECONDS };
  int operands;
  enum exit_status status;
  if (!command_options_take (&command_mark, argc, argv, take_option, &arguments,
			     &operands, &status))
    return status;
  if (argc - operands != 2)
    return diagnostics_usage ("mark", "expected a process and a name");
  return mark (&arguments, argv[operands], argv[operands + 1]);
}

const struct command command_mark = {
  .name = "mark",
  .operands = "PID|FILE NAME",
  .summary = "name a moment in a running program",
  .description
  = "Let the program PID, or the one that writes the raw profile FILE, record\n"
    "which blocks are live now, under NAME.  Show them with show --at=NAME.",
  .options = mark_options,
  .run = run_mark
};
