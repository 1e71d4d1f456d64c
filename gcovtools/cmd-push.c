/* heapprof-gcov push: send profiles to a collector.
   SPDX-License-Identifier: GPL-3.0-or-later

   The profiled programs know nothing of this: it is a process of its own, which
   takes files that they have completed.  */

#include "commands.h"
#include "monotonic-time.h"
#include "option-values.h"
#include "profile-since.h"
#include "push-profiles.h"
#include "push-send.h"
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define DEFAULT_EVERY_S 5
#define DEFAULT_GIVE_UP_S 60
#define DEFAULT_QUEUE_MIB 64

/* The first wait after a failure; each one is twice the last one.  */
#define FIRST_WAIT_S 1
#define MOST_WAIT_S 60

/* A server that asks to wait longer is asked again after this.  */
#define MOST_ASKED_WAIT_S 3600

enum
{
  OPTION_FOLLOW = OPTION_HELP + 1,
  OPTION_EVERY,
  OPTION_FORMAT,
  OPTION_ENDPOINT,
  OPTION_HEADER,
  OPTION_QUEUE,
  OPTION_QUEUE_SIZE,
  OPTION_GIVE_UP,
  OPTION_SINCE,
  OPTION_DELETE,
  OPTION_DEBUG_DIRECTORY
};

static const struct command_option push_options[]
  = { { OPTION_FOLLOW, "follow", NULL,
	"go on, and send each new profile that matches, until\n"
	"interrupted or terminated" },
      { OPTION_EVERY, "every", "SECONDS",
	"how often to look for new profiles (default 5)" },
      { OPTION_FORMAT, "format", "FORMAT",
	"send otlp (default), to an OpenTelemetry collector, or\n"
	"pprof, to Pyroscope" },
      { OPTION_ENDPOINT, "endpoint", "URL",
	"send to URL; if it has no path, to the usual one\n"
	"(default: OTEL_EXPORTER_OTLP_PROFILES_ENDPOINT, or\n"
	"OTEL_EXPORTER_OTLP_ENDPOINT, or http://localhost:4318)" },
      { OPTION_HEADER, "header", "NAME=VALUE",
	"send this header, too; may be repeated" },
      { OPTION_QUEUE, "queue", "DIR",
	"keep profiles that could not be sent in DIR, where the\n"
	"next push continues (default: a temporary folder)" },
      { OPTION_QUEUE_SIZE, "queue-size", "MIB",
	"drop the oldest profiles beyond MIB mebibytes\n"
	"(default 64)" },
      { OPTION_GIVE_UP, "give-up", "SECONDS",
	"without --follow: how long to try to send one profile\n"
	"(default 60)" },
      { OPTION_SINCE, "since", "EARLIER",
	"send what EARLIER, of the same run, does not have yet" },
      { OPTION_DELETE, "delete", NULL,
	"delete files when what they have is in the queue, not\n"
	"those of running processes" },
      BINARY_ROW,
      DEBUG_DIRECTORY_ROW (OPTION_DEBUG_DIRECTORY),
      { 0 } };

struct arguments
{
  struct push_settings settings;
  struct profile_inputs inputs;
  const char *endpoint;
  const char *queue;
  const char *since;
  double every_s;
  double give_up_s;
  size_t queue_mib;
  bool follows;
  bool deletes;
};

/* A running push.  */
struct push
{
  const struct arguments *arguments;
  struct push_sender *sender;
  struct push_queue queue;
  struct push_profiles profiles;
  uint64_t sent, refused, rejected;
  double next_s;  /* when to send again; 0: at once */
  double wait_s;  /* the last wait, 0: there was no failure */
  double since_s; /* when the oldest profile was first tried; 0: it was not */
};

/* Set by the first signal; libcurl gives up when the second arrives.  */
static volatile sig_atomic_t stops, stops_at_once;

static void
on_signal (int number)
{
  (void) number;
  stops_at_once = stops;
  stops = 1;
}

static bool
take_format (const char *value, enum push_format *format)
{
  *format = strcmp (value, "pprof") == 0 ? PUSH_PPROF : PUSH_OTLP;
  if (*format == PUSH_PPROF || strcmp (value, "otlp") == 0)
    return true;
  diagnostics_usage ("push", "unknown format '%s'", value);
  return false;
}

static bool
take_header (const char *value, struct push_settings *settings)
{
  if (push_settings_add_header (settings, value))
    return true;
  diagnostics_usage ("push", "invalid header (expected NAME=VALUE)");
  return false;
}

static bool
take_option (void *data, int id, const char *value)
{
  struct arguments *arguments = data;
  switch (id)
    {
    case OPTION_FOLLOW:
      arguments->follows = true;
      return true;
    case OPTION_DELETE:
      arguments->deletes = true;
      return true;
    case OPTION_EVERY:
      return option_take_seconds ("push", value, &arguments->every_s);
    case OPTION_GIVE_UP:
      return option_take_seconds ("push", value, &arguments->give_up_s);
    case OPTION_FORMAT:
      return take_format (value, &arguments->settings.format);
    case OPTION_HEADER:
      return take_header (value, &arguments->settings);
    case OPTION_QUEUE_SIZE:
      return option_take_size ("push", value, &arguments->queue_mib);
    case OPTION_ENDPOINT:
      arguments->endpoint = value;
      return true;
    case OPTION_QUEUE:
      arguments->queue = value;
      return true;
    case OPTION_SINCE:
      arguments->since = value;
      return true;
    case OPTION_DEBUG_DIRECTORY:
      arguments->inputs.debug_directories = value;
      return true;
    default:
      arguments->inputs.binaries[arguments->inputs.binary_count++] = value;
      return true;
    }
}

/* Return a random number from 0.5 to 1, so that many processes do not all try
   again at one time.  */
static double
jitter (void)
{
  uint32_t number = 0;
  if (getrandom (&number, sizeof number, 0) != sizeof number)
    number = (uint32_t) clock ();
  return 0.5 + number / (2.0 * UINT32_MAX);
}

/* What WORD of PUSH's profiles is, for COUNT.  */
static const char *
plural (uint64_t count)
{
  return count == 1 ? "" : "s";
}

/* After ANSWER, wait.  */
static void
postpone (struct push *push, const struct push_answer *answer, double now_s)
{
  push->wait_s = push->wait_s == 0 ? FIRST_WAIT_S : 2 * push->wait_s;
  if (push->wait_s > MOST_WAIT_S)
    push->wait_s = MOST_WAIT_S;
  double wait_s = push->wait_s * jitter ();
  if (answer->wait_s > 0)
    wait_s
      = answer->wait_s < MOST_ASKED_WAIT_S ? answer->wait_s : MOST_ASKED_WAIT_S;
  push->next_s = now_s + wait_s;
  diagnostics_note ("%s: %s; trying again", push->arguments->settings.url,
		    answer->text);
}

/* Send the oldest profile of the queue.  Return false if there is none, or if
   it must be sent again later.  */
static bool
send_first (struct push *push)
{
  const char *url = push->arguments->settings.url;
  struct push_item item;
  struct push_answer answer;
  struct profile_error err;
  if (!push_queue_first (&push->queue, &item, &err))
    {
      if (err.path == NULL)
	return false;
      diagnostics_error (&err);
      push->refused++;
      push_item_remove (&item);
      return true;
    }
  if (push->since_s == 0)
    push->since_s = monotonic_time_s ();
  push_send (push->sender, item.query, item.data, item.size, &answer);
  if (answer.result == PUSH_AGAIN)
    {
      push_item_release (&item);
      postpone (push, &answer, monotonic_time_s ());
      return false;
    }
  if (answer.result == PUSH_REFUSED)
    {
      profile_error_set (&err, url, PROFILE_ERROR_NO_OFFSET,
			 "profile refused: %s", answer.text);
      diagnostics_error (&err);
      push->refused++;
    }
  else
    push->sent++;
  if (answer.result == PUSH_SENT && answer.rejected > 0)
    diagnostics_warning ("%s: %" PRIu64 " parts of a profile rejected%s%s", url,
			 answer.rejected, *answer.text != '\0' ? ": " : "",
			 answer.text);
  else if (answer.result == PUSH_SENT && *answer.text != '\0')
    diagnostics_warning ("%s: %s", url, answer.text);
  push->rejected += answer.result == PUSH_SENT && answer.rejected > 0;
  push->next_s = push->wait_s = push->since_s = 0;
  push_item_remove (&item);
  return true;
}

/* Wait until the clock shows UNTIL_S, or a signal arrives.  */
static void
wait_until (double until_s)
{
  double rest_s = until_s - monotonic_time_s ();
  if (rest_s <= 0 || stops)
    return;
  /* A signal between the test and the call delays the end by at most this.  */
  struct timespec rest = monotonic_time_spec (rest_s < 0.5 ? rest_s : 0.5);
  nanosleep (&rest, NULL);
}

/* Say once that profiles were dropped.  */
static void
note_dropped (const struct push *push)
{
  if (push->queue.dropped > 0)
    diagnostics_warning ("the queue is full: the oldest profiles are dropped");
}

/* Send what is there until it has been sent, or for too long.  */
static bool
send_all (struct push *push)
{
  if (!push_profiles_scan (&push->profiles, &push->queue))
    return false;
  note_dropped (push);
  while (!stops)
    {
      while (!stops && send_first (push))
	;
      if (push->next_s == 0
	  || push->next_s > push->since_s + push->arguments->give_up_s)
	break;
      while (!stops && monotonic_time_s () < push->next_s)
	wait_until (push->next_s);
    }
  return true;
}

/* Send new profiles until a signal arrives; then those that are left, once.  */
static bool
send_ever (struct push *push)
{
  double scan_s = 0;
  while (!stops)
    {
      if (monotonic_time_s () >= scan_s)
	{
	  if (!push_profiles_scan (&push->profiles, &push->queue))
	    return false;
	  note_dropped (push);
	  scan_s = monotonic_time_s () + push->arguments->every_s;
	}
      if (monotonic_time_s () >= push->next_s && !stops)
	while (!stops && send_first (push))
	  ;
      wait_until (push->next_s > 0 && push->next_s < scan_s ? push->next_s
							    : scan_s);
    }
  if (!push_profiles_scan (&push->profiles, &push->queue))
    return false;
  while (!stops_at_once && send_first (push))
    ;
  return true;
}

/* Print what was done; return true if all was sent.  */
static bool
print_summary (const struct push *push)
{
  size_t waiting = push_queue_count (&push->queue);
  printf ("%" PRIu64 " profile%s sent", push->sent, plural (push->sent));
  const struct
  {
    uint64_t count;
    const char *what;
  } others[] = { { push->rejected, "of them rejected in part" },
		 { push->refused, "refused" },
		 { push->queue.dropped, "dropped" },
		 { waiting, push->queue.is_own ? "not sent" : "in the queue" },
		 { push->profiles.invalid, "invalid" } };
  bool is_all = true;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].count > 0)
      {
	printf (", %" PRIu64 " %s", others[i].count, others[i].what);
	is_all = false;
      }
  putchar ('\n');
  return is_all;
}

static enum exit_status
push_to (struct push *push)
{
  const struct arguments *arguments = push->arguments;
  struct profile_error err;
  if (!push_queue_open (&push->queue, arguments->queue,
			(uint64_t) arguments->queue_mib << 20, &err))
    {
      diagnostics_error (&err);
      return STATUS_FAILED;
    }
  bool is_done = arguments->follows ? send_ever (push) : send_all (push);
  /* A program that runs on and on is over when it is told to be.  */
  is_done = (print_summary (push) || arguments->follows) && is_done;
  return diagnostics_close_stdout () && is_done ? STATUS_DONE : STATUS_FAILED;
}

static void
catch_signals (void)
{
  struct sigaction action = { .sa_handler = on_signal };
  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
}

/* Send the COUNT profiles at OPERANDS.  */
static enum exit_status
push_operands (struct arguments *arguments, char **operands, int count)
{
  struct push push
    = { .arguments = arguments,
	.queue.lock = -1,
	.profiles
	= { .settings = &arguments->settings,
	    .inputs = arguments->inputs,
	    .patterns = operands,
	    .pattern_count = (size_t) count,
	    .since = arguments->since,
	    .follows = arguments->follows,
	    .skips_running = arguments->follows || arguments->queue != NULL,
	    .deletes = arguments->deletes } };
  if (count == 0)
    return diagnostics_usage ("push", "no profile given");
  if (arguments->since != NULL && (count != 1 || arguments->follows))
    return diagnostics_usage ("push",
			      "--since needs exactly one profile, and not "
			      "--follow");
  if (!push_settings_complete (&arguments->settings, arguments->endpoint))
    return STATUS_USAGE;
  if (arguments->since != NULL
      && !profile_since_check (arguments->since, *operands))
    return STATUS_FAILED;
  push.sender = push_sender_new (&arguments->settings, &stops_at_once);
  if (push.sender == NULL)
    return STATUS_FAILED;
  catch_signals ();
  enum exit_status status = push_to (&push);
  push_queue_release (&push.queue);
  push_profiles_release (&push.profiles);
  push_sender_free (push.sender);
  return status;
}

static enum exit_status
run_push (int argc, char **argv)
{
  struct arguments arguments = { .every_s = DEFAULT_EVERY_S,
				 .give_up_s = DEFAULT_GIVE_UP_S,
				 .queue_mib = DEFAULT_QUEUE_MIB };
  int operands;
  enum exit_status status;
  arguments.inputs.binaries
    = calloc ((size_t) argc, sizeof *arguments.inputs.binaries);
  if (arguments.inputs.binaries == NULL)
    return diagnostics_memory ();
  if (command_options_take (&command_push, argc, argv, take_option, &arguments,
			    &operands, &status))
    status = push_operands (&arguments, argv + operands, argc - operands);
  push_settings_release (&arguments.settings);
  free (arguments.inputs.binaries);
  return status;
}

const struct command command_push = {
  .name = "push",
  .operands = "PROFILE...",
  .summary = "send raw profiles to a collector",
  .description
  = "Send raw profiles, files or quoted patterns of file names, over HTTP to an\n"
    "OpenTelemetry collector or to Pyroscope.  Of each run, its first profile is\n"
    "sent completely, and of each later one what is new.",
  .options = push_options,
  .run = run_push
};
