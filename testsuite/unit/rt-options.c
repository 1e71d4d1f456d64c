/* Unit tests of the run-time library's options and file names.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "format.h"
#include "path.h"
#include "rt-unit.h"
#include <signal.h>
#include <string.h>

static struct rt_options
parse (const char *text)
{
  struct rt_options options;
  rt_options_set_defaults (&options);
  rt_options_parse (text, &options);
  return options;
}

START_TEST (options_are_read)
{
  const struct rt_options none = parse ("");
  ck_assert (none.enabled && none.dump_signal == 0 && none.verbose == 0);
  ck_assert_uint_eq (none.max_depth, 256);
  ck_assert_str_eq (none.file, "");
  ck_assert (!none.folds_recursion);
  ck_assert_uint_eq (none.max_memory, 0);
  ck_assert_uint_eq (none.process, 0);

  const struct rt_options all
    = parse ("file=a%p=b:signal=SIGUSR2:verbose=1::max_depth=7:enabled=0");
  ck_assert_str_eq (all.file, "a%p=b");
  ck_assert_int_eq (all.dump_signal, SIGUSR2);
  ck_assert_uint_eq (all.verbose, 1);
  ck_assert_uint_eq (all.max_depth, 7);
  ck_assert (!all.enabled);
  ck_assert_int_eq (parse ("signal=USR1").dump_signal, SIGUSR1);
  ck_assert_int_eq (parse ("signal=10").dump_signal, 10);
  ck_assert_uint_eq (parse ("max_depth=5:max_depth=6").max_depth, 6);
  ck_assert (parse ("recursion=fold").folds_recursion);
  ck_assert (!parse ("recursion=fold:recursion=keep").folds_recursion);
  ck_assert_uint_eq (parse ("max_memory=70000").max_memory, 70000);
  ck_assert_uint_eq (parse ("max_memory=3k").max_memory, 3 << 10);
  ck_assert_uint_eq (parse ("max_memory=5m").max_memory, 5 << 20);
  ck_assert_uint_eq (parse ("max_memory=4000000000g").max_memory,
		     (uint64_t) 4000000000u << 30);
  ck_assert_uint_eq (none.resident_bytes, 0);
  ck_assert_uint_eq (parse ("resident=3m").resident_bytes, 3 << 20);
  ck_assert_uint_eq (parse ("process=4194304").process, 4194304);
}
END_TEST

START_TEST (mistakes_are_skipped)
{
  static char text[2 * RT_PATH_BYTES];
  const struct rt_options wrong
    = parse ("max_depth=0:max_depth=1025:max_depth=:max_depth:max_depth=1x:"
	     "max_depth=99999999999999999999:signal=9:signal=x:enabled=2:"
	     "recursion=:recursion=yes:max_memory=:max_memory=k:max_memory=1t:"
	     "max_memory=5000000000:max_memory=1kk:resident=x:nonsense:file=:=:"
	     "process=-1:process=x:process=2147483648:verbose=1");
  ck_assert_uint_eq (wrong.max_depth, 256);
  ck_assert_int_eq (wrong.dump_signal, 0);
  ck_assert (wrong.enabled && !wrong.folds_recursion);
  ck_assert_uint_eq (wrong.max_memory, 0);
  ck_assert_uint_eq (wrong.resident_bytes, 0);
  ck_assert_uint_eq (wrong.process, 0);
  ck_assert_str_eq (wrong.file, "");
  ck_assert_uint_eq (wrong.verbose, 1);

  memset (text, 'x', sizeof text - 1);
  memcpy (text, "file=", 5);
  ck_assert_str_eq (parse (text).file, "");
}
END_TEST

START_TEST (a_preview_has_the_early_options)
{
  struct rt_options options;
  rt_options_set_defaults (&options);
  rt_options_preview ("file=x:verbose=1::enabled=0:nonsense:process=none",
		      &options);
  ck_assert (!options.enabled);
  ck_assert_uint_eq (options.process, 0);
  ck_assert_uint_eq (options.verbose, 0);
  ck_assert_str_eq (options.file, "");
  rt_options_preview ("enabled=1:process=123:enabled", &options);
  ck_assert (options.enabled);
  ck_assert_uint_eq (options.process, 123);
  char longer[1000];
  memset (longer, 'x', sizeof longer);
  memcpy (longer + sizeof longer - 11, ":enabled=0", 11);
  rt_options_preview (longer, &options);
  ck_assert (!options.enabled);
}
END_TEST

START_TEST (patterns_are_expanded)
{
  const struct rt_path_facts facts = {
    .program = "prog", .host = "host", .pid = 12, .start_seconds = 1700000000
  };
  static const struct
  {
    const char *pattern, *path;
  } cases[] = { { "/x", "/x" },
		{ "%n.%p.hpraw", "prog.12.hpraw" },
		{ "/%h/%t/%%p", "/host/1700000000/%p" },
		{ "a%", "a%" },
		{ "%q%", "%q%" },
		{ "", "" } };
  char path[64];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      ck_assert (rt_path_expand (cases[i].pattern, &facts, path, sizeof path));
      ck_assert_str_eq (path, cases[i].path);
    }
  ck_assert (rt_path_expand ("%n%n", &facts, path, 9));
  ck_assert (!rt_path_expand ("%n%n", &facts, path, 8));
}
END_TEST

START_TEST (messages_are_formatted)
{
  char text[32];
  ck_assert_uint_eq (rt_format (text, sizeof text, "%s %u %x %d%%", "a",
				UINT64_MAX, (uint64_t) 0xbeef, -5),
		     31);
  ck_assert_str_eq (text, "a 18446744073709551615 beef -5%");
  rt_format (text, sizeof text, "%e", -28);
  ck_assert_str_eq (text, "No space left on device");
  ck_assert_uint_eq (rt_format (text, 4, "%s", "longer"), 3);
  ck_assert_str_eq (text, "lon");
}
END_TEST

RT_UNIT_MAIN (options_are_read, mistakes_are_skipped,
	      a_preview_has_the_early_options, patterns_are_expanded,
	      messages_are_formatted)
