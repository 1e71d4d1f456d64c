/* The table of options and its parser.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "options.h"
#include "bytes.h"
#include "debug-log.h"
#include "log.h"
#include "text.h"
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

struct rt_options rt_options;

/* Longest name and longest number, terminator included.  */
#define WORD_BYTES 32

/* Parse an unsigned decimal number; return false if TEXT is not one, or exceeds
   MAX.  */

static bool
parse_number (const char *text, unsigned max, unsigned *value)
{
  uint64_t number = 0;
  if (*text == '\0')
    return false;
  for (; *text >= '0' && *text <= '9' && number <= max; text++)
    number = number * 10 + (unsigned) (*text - '0');
  if (*text != '\0' || number > max)
    return false;
  *value = (unsigned) number;
  return true;
}

static bool
set_file (const char *value, struct rt_options *options)
{
  if (*value == '\0' || own_strlen (value) >= sizeof options->file)
    return false;
  own_memcpy (options->file, value, own_strlen (value) + 1);
  return true;
}

/* Accept signals that a user might choose by name, and any other by number.  */

static bool
parse_signal (const char *value, int *signal)
{
  static const struct
  {
    const char *name;
    int number;
  } names[] = { { "HUP", SIGHUP },     { "USR1", SIGUSR1 }, { "USR2", SIGUSR2 },
		{ "WINCH", SIGWINCH }, { "QUIT", SIGQUIT }, { "URG", SIGURG } };
  if (text_begins (value, "SIG"))
    value += 3;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (text_is (value, names[i].name))
      {
	*signal = names[i].number;
	return true;
      }
  unsigned number;
  if (!parse_number (value, 64, &number) || number == SIGKILL
      || number == SIGSTOP || number == SIGSEGV)
    return false;
  *signal = (int) number;
  return true;
}

static bool
set_signal (const char *value, struct rt_options *options)
{
  return parse_signal (value, &options->dump_signal);
}

static bool
set_mark (const char *value, struct rt_options *options)
{
  return parse_signal (value, &options->mark_signal);
}

/* Of any unit.  */
#define INTERVAL_MAX 1000000u

/* Accept a number of seconds, minutes, hours or milliseconds, more than 0.  */

static bool
set_interval (const char *value, struct rt_options *options)
{
  static const struct
  {
    const char *name;
    unsigned ms;
  } units[] = { { "ms", 1 }, { "m", 60000 }, { "h", 3600000 }, { "s", 1000 } };
  char digits[WORD_BYTES];
  const size_t length = own_strlen (value);
  unsigned number, ms = 1000;
  if (length >= sizeof digits)
    return false;
  text_copy (digits, value, sizeof digits);
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    {
      const size_t n = own_strlen (units[i].name);
      if (length <= n || !text_is (value + length - n, units[i].name))
	continue;
      digits[length - n] = '\0';
      ms = units[i].ms;
      break;
    }
  if (!parse_number (digits, INTERVAL_MAX, &number) || number == 0)
    return false;
  options->interval_ms = (uint64_t) number * ms;
  return true;
}

static bool
set_keep (const char *value, struct rt_options *options)
{
  return parse_number (value, UINT32_MAX, &options->snapshots_kept);
}

static bool
set_peak (const char *value, struct rt_options *options)
{
  const bool is_exact = text_is (value, "exact");
  if (!is_exact && !text_is (value, "near"))
    return false;
  options->is_peak_exact = is_exact;
  options->is_special = is_exact || options->sample_bytes != 0;
  return true;
}

static bool
set_verbose (const char *value, struct rt_options *options)
{
  return parse_number (value, 9, &options->verbose);
}

static bool
set_max_depth (const char *value, struct rt_options *options)
{
  unsigned depth;
  if (!parse_number (value, RT_MAX_DEPTH, &depth) || depth == 0)
    return false;
  options->max_depth = depth;
  return true;
}

static bool
set_recursion (const char *value, struct rt_options *options)
{
  const bool folds = text_is (value, "fold");
  if (!folds && !text_is (value, "keep"))
    return false;
  options->folds_recursion = folds;
  return true;
}

/* Accept a number of bytes, KiB, MiB or GiB.  */

static bool
parse_bytes (const char *value, uint64_t *bytes)
{
  static const char units[] = "kmg";
  char digits[WORD_BYTES];
  const size_t length = own_strlen (value);
  unsigned number, shift = 0;
  if (length == 0 || length >= sizeof digits)
    return false;
  text_copy (digits, value, sizeof digits);
  const char *const unit = text_find (units, digits[length - 1]);
  if (unit != NULL)
    {
      shift = 10 * (unsigned) (unit - units + 1);
      digits[length - 1] = '\0';
    }
  if (!parse_number (digits, UINT32_MAX, &number))
    return false;
  *bytes = (uint64_t) number << shift;
  return true;
}

static bool
set_max_memory (const char *value, struct rt_options *options)
{
  return parse_bytes (value, &options->max_memory);
}

static bool
set_resident (const char *value, struct rt_options *options)
{
  return parse_bytes (value, &options->resident_bytes);
}

static bool
set_sample (const char *value, struct rt_options *options)
{
  uint64_t bytes;
  if (!parse_bytes (value, &bytes) || bytes > RT_SAMPLE_OPTION_MAX)
    return false;
  options->sample_bytes = (uint32_t) bytes;
  options->is_special = options->is_peak_exact || bytes != 0;
  return true;
}

static bool
set_seed (const char *value, struct rt_options *options)
{
  return parse_number (value, UINT32_MAX, &options->seed);
}

static bool
set_watch (const char *value, struct rt_options *options)
{
  return parse_number (value, RT_WATCHES_MAX, &options->watches);
}

static bool
set_process (const char *value, struct rt_options *options)
{
  return parse_number (value, INT32_MAX, &options->process);
}

static bool
set_affinity (const char *value, struct rt_options *options)
{
  unsigned records;
  if (!parse_number (value, 1, &records))
    return false;
  options->records_affinity = records != 0;
  return true;
}

static bool
set_leaks (const char *value, struct rt_options *options)
{
  unsigned finds;
  if (!parse_number (value, 1, &finds))
    return false;
  options->finds_leaks = finds != 0;
  return true;
}

static bool
set_python (const char *value, struct rt_options *options)
{
  unsigned names;
  if (!parse_number (value, 1, &names))
    return false;
  options->names_python = names != 0;
  return true;
}

static bool
set_enabled (const char *value, struct rt_options *options)
{
  unsigned enabled;
  if (!parse_number (value, 1, &enabled))
    return false;
  options->enabled = enabled != 0;
  return true;
}

#if HEAPPROF_CHECKING > 0

static bool
set_log (const char *value, struct rt_options *options)
{
  if (!rt_debug_start (value))
    return false;
  if (options->level == 0)
    options->level = 1;
  return true;
}

static bool
set_level (const char *value, struct rt_options *options)
{
  return parse_number (value, 3, &options->level);
}

#endif

static bool print_help (const char *value, struct rt_options *options);

static const struct option
{
  const char *name;
  const char *value; /* as shown by the help */
  const char *help;
  bool (*set) (const char *value, struct rt_options *options);
} table[] = {
  { "file", "PATH",
    "write the raw profile to PATH; %p: process ID, %n: program name, %h: host,"
    " %t: start time in seconds, %%: percent sign (default: %n.%p.hpraw in the"
    " folder given to the compiler, or the current one)",
    set_file },
  { "signal", "NUMBER",
    "write a snapshot on this signal; SIGUSR1 and other names work too"
    " (default: none)",
    set_signal },
  { "mark", "NUMBER",
    "record what is live, as mark `signal', on this signal (default: none)",
    set_mark },
  { "interval", "TIME",
    "write a snapshot after each such time in which the program allocates:"
    " seconds, or with the unit ms, s, m or h (default: none)",
    set_interval },
  { "keep", "NUMBER",
    "with interval, keep this many of the newest snapshots, 0: all (default: 5)",
    set_keep },
  { "peak", "near|exact",
    "exact: know the peak of the heap to the byte, at the cost of a lock; near:"
    " to a thousandth (default: near)",
    set_peak },
  { "verbose", "0|1", "report the files written (default: 0)", set_verbose },
  { "max_depth", "FRAMES",
    "keep this many innermost frames of each calling context, at most 1024"
    " (default: 256)",
    set_max_depth },
  { "recursion", "keep|fold",
    "fold: omit calls between two returns to the same address from calling"
    " contexts; keep: omit nothing (default: keep)",
    set_recursion },
  { "max_memory", "BYTES",
    "limit the memory and file size of the profile; k, m, g: KiB, MiB, GiB;"
    " then count new contexts at their callers (default: no limit)",
    set_max_memory },
  { "resident", "BYTES",
    "keep about as many bytes of contexts in memory, and the others only in the"
    " file until they are used again: less memory, more time (default: 0, all)",
    set_resident },
  { "sample", "BYTES",
    "profile a random sample of blocks, one for each BYTES allocated on"
    " average, at most 256m; the others come from the program's own allocator"
    " (default: 0, all blocks)",
    set_sample },
  { "seed", "NUMBER", "which sample; 0: another one each time (default: 0)",
    set_seed },
  { "watch", "WORDS",
    "with sample, estimate accesses by code that does not count them: each"
    " thread watches this many words, at most 4, with the processor's"
    " watchpoints (default: 0)",
    set_watch },
  { "process", "PID",
    "profile only the process with this ID, not its children (default: 0, all"
    " processes)",
    set_process },
  { "affinity", "0|1",
    "1: record which contexts' blocks are used together, as long as there is"
    " one thread (default: 1)",
    set_affinity },
  { "leaks", "0|1",
    "1: find the live blocks that the program has no pointer to, at the end and"
    " for snapshots (default: 1)",
    set_leaks },
  { "python", "0|1",
    "1: calling contexts have the frames of Python code, too (default: 1)",
    set_python },
  { "enabled", "0|1",
    "0: do not profile; allocations then go to the program's own allocator"
    " (default: 1)",
    set_enabled },
#if HEAPPROF_CHECKING > 0
  { "log", "FILE", "append what the library does to FILE", set_log },
  { "level", "0|1|2|3",
    "1: files, modules, threads, processes; 2: also memory and contexts;"
    " 3: also each allocation and release (default with log: 1)",
    set_level },
#endif
  { "help", NULL, "print this list", print_help }
};

static bool
print_help (const char *value, struct rt_options *options)
{
  (void) value;
  (void) options;
  rt_log ("HEAPPROF_OPTIONS=NAME=VALUE[:NAME=VALUE]...");
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    rt_log ("  %s%s%s: %s", table[i].name, table[i].value == NULL ? "" : "=",
	    table[i].value == NULL ? "" : table[i].value, table[i].help);
  return true;
}

static const struct option *
find_option (const char *name)
{
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (text_is (name, table[i].name))
      return &table[i];
  return NULL;
}

/* Apply one NAME or NAME=VALUE; TEXT is split in two.  */

static bool
parse_option (char *text, struct rt_options *options)
{
  char *value = text_find (text, '=');
  if (value != NULL)
    *value++ = '\0';
  const struct option *const option = find_option (text);
  if (option == NULL)
    rt_log ("HEAPPROF_OPTIONS: unknown option `%s' ignored;"
	    " try HEAPPROF_OPTIONS=help",
	    text);
  else if (value == NULL && option->value != NULL)
    rt_log ("HEAPPROF_OPTIONS: missing value for %s=%s", text, option->value);
  else if (!option->set (value, options))
    rt_log ("HEAPPROF_OPTIONS: invalid value `%s' for %s=%s", value, text,
	    option->value);
  else
    return true;
  return false;
}

void
rt_options_set_defaults (struct rt_options *options)
{
  *options = (struct rt_options){ .enabled = true,
				  .records_affinity = true,
				  .finds_leaks = true,
				  .snapshots_kept = 5,
				  .names_python = true,
				  .max_depth = 256 };
}

/* True if OPTION decides whether there is a profile, and of which blocks.  */

static bool
is_early (const struct option *option)
{
  return option->set == set_enabled || option->set == set_process
	 || option->set == set_sample || option->set == set_seed;
}

void
rt_options_preview (const char *text, struct rt_options *options)
{
  char option[2 * WORD_BYTES];
  while (*text != '\0')
    {
      const char *const colon = text_find (text, ':');
      const size_t n
	= colon == NULL ? own_strlen (text) : (size_t) (colon - text);
      if (n < sizeof option)
	{
	  own_memcpy (option, text, n);
	  option[n] = '\0';
	  char *const value = text_find (option, '=');
	  if (value != NULL)
	    {
	      *value = '\0';
	      const struct option *const found = find_option (option);
	      if (found != NULL && is_early (found))
		found->set (value + 1, options);
	    }
	}
      text += n + (text[n] == ':');
    }
}

bool
rt_options_parse (const char *text, struct rt_options *options)
{
  bool is_valid = true;
  static char option[RT_PATH_BYTES + WORD_BYTES];
  while (*text != '\0')
    {
      const char *const colon = text_find (text, ':');
      const size_t n
	= colon == NULL ? own_strlen (text) : (size_t) (colon - text);
      if (n >= sizeof option)
	{
	  is_valid = false;
	  rt_log ("HEAPPROF_OPTIONS: option longer than %u bytes ignored",
		  (uint64_t) sizeof option - 1);
	}
      else if (n > 0)
	{
	  own_memcpy (option, text, n);
	  option[n] = '\0';
	  is_valid = parse_option (option, options) && is_valid;
	}
      text += n + (text[n] == ':');
    }
  return is_valid;
}
