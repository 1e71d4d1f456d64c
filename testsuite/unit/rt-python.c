/* Unit tests of the run-time library's reader of Python's code objects, with
   objects made by hand in each version's layout.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "python-code.h"
#include "rt-unit.h"
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

/* Objects, at the end of readable memory.  */
static unsigned char *memory;
static unsigned char *next; /* the last object */

static const uintptr_t text_type = 0x1000, bytes_type = 0x2000;
static const struct rt_python_layout *layout;
static struct rt_python_code code;

static void
begin (unsigned minor)
{
  layout = rt_python_layout_of (3ul << 24 | minor << 16 | 0x2f0);
  ck_assert (layout != NULL);
  memory = mmap (NULL, 9 * PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert (memory != MAP_FAILED);
  munmap (memory + 8 * PAGE, PAGE);
  next = memory + 8 * PAGE;
}

static void
end (void)
{
  munmap (memory, 8 * PAGE);
}

static void
put (unsigned char *object, unsigned offset, const void *value, size_t bytes)
{
  memcpy (object + offset, value, bytes);
}

static unsigned char *
make (size_t bytes, uintptr_t type)
{
  next -= (bytes + 15) / 16 * 16;
  memset (next, 0, bytes);
  const uint64_t references = 1;
  put (next, 0, &references, sizeof references);
  put (next, RT_PYTHON_TYPE, &type, sizeof type);
  return next;
}

/* Make a string of COUNT characters of KIND bytes.  */

static unsigned char *
make_text (const void *characters, int64_t count, unsigned kind, bool is_ascii)
{
  const unsigned head = is_ascii ? layout->text_ascii : layout->text_other;
  unsigned char *const text = make (head + (size_t) count * kind, text_type);
  const uint32_t state = kind << RT_PYTHON_TEXT_KIND_SHIFT
			 | RT_PYTHON_TEXT_COMPACT
			 | (is_ascii ? RT_PYTHON_TEXT_ASCII : 0);
  put (text, RT_PYTHON_TEXT_LENGTH, &count, sizeof count);
  put (text, RT_PYTHON_TEXT_STATE, &state, sizeof state);
  put (text, head, characters, (size_t) count * kind);
  return text;
}

static unsigned char *
make_ascii (const char *text)
{
  return make_text (text, (int64_t) strlen (text), 1, true);
}

static unsigned char *
make_code (unsigned char *file, unsigned char *function, int32_t first_line,
	   const void *lines, int64_t line_bytes)
{
  unsigned char *const table
    = make (RT_PYTHON_BYTES + (size_t) line_bytes, bytes_type);
  put (table, RT_PYTHON_SIZE, &line_bytes, sizeof line_bytes);
  put (table, RT_PYTHON_BYTES, lines, (size_t) line_bytes);
  unsigned char *const object = make (layout->code_instructions, 0x3000);
  put (object, layout->code_file, &file, sizeof file);
  put (object, layout->code_function, &function, sizeof function);
  put (object, layout->code_lines, &table, sizeof table);
  put (object, layout->code_first_line, &first_line, sizeof first_line);
  return object;
}

/* Read OBJECT by both ways of reading, which must agree.  */

static bool
read_code (const unsigned char *object, int64_t unit)
{
  static struct rt_python_code copied;
  const struct rt_python_memory locked = { true }, unlocked = { false };
  const bool is_read
    = rt_python_code_read (&locked, layout, text_type, bytes_type,
			   (uintptr_t) object, unit, &code);
  ck_assert_int_eq (rt_python_code_read (&unlocked, layout, text_type,
					 bytes_type, (uintptr_t) object, unit,
					 &copied),
		    is_read);
  if (is_read)
    {
      ck_assert_str_eq (code.file, copied.file);
      ck_assert_str_eq (code.function, copied.function);
      ck_assert_uint_eq (code.line, copied.line);
    }
  return is_read;
}

/* Entries: head 1 kkkk nnn, n + 1 instructions.  */
static const unsigned char lines[] = {
  0xf8,	      /* 1: nowhere */
  0xd9, 0x11, /* 2: kind 11, line + 1; columns below */
  0x22,	      /* its second column */
  0x82, 0x33, /* 3: kind 0, the same line */
  0xe8, 0x07, /* 1: kind 13, line - 3 */
  0xf7, 0x68, 0x01, 0x05, 0x41, 0x02, 0x06, /* 8: kind 14, line + 52 */
  0xd7, 0x11, 0x22			    /* 8: kind 10, the same line */
};

static const struct
{
  int64_t unit;
  uint32_t line;
} places[] = { { -1, 100 }, { 0, 0 },  { 1, 101 },    { 2, 101 },  { 3, 101 },
	       { 5, 101 },  { 6, 98 }, { 7, 150 },    { 14, 150 }, { 15, 150 },
	       { 22, 150 }, { 23, 0 }, { 1000000, 0 } };

START_TEST (lines_are_decoded)
{
  for (unsigned minor = 11; minor <= 14; minor++)
    {
      begin (minor);
      unsigned char *const object
	= make_code (make_ascii ("/a/b.py"), make_ascii ("A.f.<locals>.g"), 100,
		     lines, sizeof lines);
      for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
	{
	  ck_assert (read_code (object, places[i].unit));
	  ck_assert_str_eq (code.file, "/a/b.py");
	  ck_assert_str_eq (code.function, "A.f.<locals>.g");
	  ck_assert_uint_eq (code.first_line, 100);
	  ck_assert_uint_eq (code.line, places[i].line);
	}
      end ();
    }
}
END_TEST

/* A table that ends in an entry, or has something else, gives no line, or is
   rejected; it is never read beyond its end.  */
START_TEST (tables_of_lines_end_anywhere)
{
  begin (11);
  unsigned char *const file = make_ascii ("f"), *const function
						= make_ascii ("g");
  for (size_t n = 0; n <= sizeof lines; n++)
    {
      unsigned char *const object
	= make_code (file, function, 100, lines, (int64_t) n);
      if (read_code (object, 1000))
	ck_assert_uint_eq (code.line, 0);
    }
  static const unsigned char bad[][6]
    = { { 0x00 }, { 0x7f, 1, 2 }, { 0xf7, 0xff, 0xff, 0xff, 0xff, 0xff } };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    if (read_code (make_code (file, function, 1, bad[i], sizeof bad[i]), 9))
      ck_assert_uint_eq (code.line, 0);
  /* Lines before the first one of the file, and after the last.  */
  static const unsigned char back[] = { 0xe8, 0x0b };
  ck_assert (read_code (make_code (file, function, 2, back, 2), 0));
  ck_assert_uint_eq (code.line, 0);
  ck_assert (read_code (make_code (file, function, -1, back, 2), 0));
  ck_assert_uint_eq (code.first_line, 0);
  end ();
}
END_TEST

START_TEST (text_is_utf8)
{
  begin (12);
  static const uint8_t latin[] = { 'e', 0xe9, 0 };
  static const uint16_t wide[] = { 0x4e2d, 0xdc80, 0xdcff, 'x', 0x7ff };
  static const uint32_t widest[] = { 0x1f600, 'y' };
  unsigned char *object = make_code (make_text (latin, 3, 1, false),
				     make_text (wide, 5, 2, false), 1, "", 0);
  ck_assert (read_code (object, 0));
  ck_assert_str_eq (code.file, "e\xc3\xa9?");
  ck_assert_str_eq (code.function, "\xe4\xb8\xad\x80\xffx\xdf\xbf");
  object
    = make_code (make_text (widest, 2, 4, false), make_ascii (""), 1, "", 0);
  ck_assert (read_code (object, 0));
  ck_assert_str_eq (code.file, "\xf0\x9f\x98\x80y");
  ck_assert_str_eq (code.function, "");
  /* Too long: cut at a character.  */
  static uint16_t many[2 * RT_PYTHON_FUNCTION_BYTES];
  for (size_t i = 0; i < sizeof many / sizeof many[0]; i++)
    many[i] = 0x4e2d;
  object = make_code (make_ascii ("f"),
		      make_text (many, 2 * RT_PYTHON_FUNCTION_BYTES, 2, false),
		      1, "", 0);
  ck_assert (read_code (object, 0));
  ck_assert_uint_eq (strlen (code.function),
		     (RT_PYTHON_FUNCTION_BYTES - 1) / 3 * 3);
  end ();
}
END_TEST

/* Objects of other types, and of other forms, are rejected.  */
START_TEST (other_objects_are_rejected)
{
  begin (13);
  unsigned char *const good = make_ascii ("good");
  unsigned char *const object = make_code (good, good, 1, "", 0);
  ck_assert (read_code (object, 0));
  static const unsigned names[] = { 0, 1 };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    {
      const unsigned at = i == 0 ? layout->code_file : layout->code_function;
      const uintptr_t values[] = { 0, (uintptr_t) good + 1 };
      for (size_t j = 0; j < sizeof values / sizeof values[0]; j++)
	{
	  put (object, at, &values[j], sizeof values[j]);
	  ck_assert (!read_code (object, 0));
	}
      put (object, at, &good, sizeof good);
    }
  const uint64_t none = 0;
  put (object, layout->code_lines, &none, sizeof none);
  ck_assert (!read_code (object, 0));
  put (object, layout->code_lines, &good, sizeof good);
  ck_assert (!read_code (object, 0));
  static const uint32_t states[]
    = { 0, 1u << 2, 3u << 2 | 0x20, 7u << 2 | 0x20 };
  for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
    {
      unsigned char *const bad = make_ascii ("bad");
      put (bad, RT_PYTHON_TEXT_STATE, &states[i], sizeof states[i]);
      ck_assert (!read_code (make_code (bad, good, 1, "", 0), 0));
    }
  static const int64_t lengths[] = { -1, INT64_MAX };
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
    {
      unsigned char *const bad = make_ascii ("bad");
      put (bad, RT_PYTHON_TEXT_LENGTH, &lengths[i], sizeof lengths[i]);
      ck_assert (!read_code (make_code (bad, good, 1, "", 0), 0));
    }
  end ();
}
END_TEST

/* Without the interpreter's lock nothing faults.  */
START_TEST (missing_memory_is_noticed)
{
  begin (14);
  const struct rt_python_memory unlocked = { false };
  ck_assert (!rt_python_code_read (&unlocked, layout, text_type, bytes_type,
				   (uintptr_t) memory + 8 * PAGE, 0, &code));
  ck_assert (!rt_python_code_read (&unlocked, layout, text_type, bytes_type,
				   (uintptr_t) memory + 8 * PAGE - 80, 0,
				   &code));
  const int64_t length = 1000;
  unsigned char *const text = make_ascii ("");
  put (text, RT_PYTHON_TEXT_LENGTH, &length, sizeof length);
  unsigned char *const object = make_code (text, text, 1, "", 0);
  /* The text would go on after the end of memory.  */
  ck_assert (!rt_python_code_read (&unlocked, layout, text_type, bytes_type,
				   (uintptr_t) object, 0, &code));
  end ();
}
END_TEST

START_TEST (versions)
{
  for (unsigned minor = 0; minor < 256; minor++)
    ck_assert_int_eq (rt_python_layout_of (3ul << 24 | minor << 16) != NULL,
		      minor >= 11 && minor <= 14);
  ck_assert (rt_python_layout_of (2ul << 24 | 11ul << 16) == NULL);
  ck_assert (rt_python_layout_of (4ul << 24 | 11ul << 16) == NULL);
}
END_TEST

/* From 3.13 on, what the interpreter says about itself must agree: nothing of
   it may be different.  */
START_TEST (layouts_are_compared)
{
  static unsigned char runtime[PAGE];
  const struct rt_python_layout *const old
    = rt_python_layout_of (3ul << 24 | 12ul << 16);
  ck_assert (rt_python_layout_agrees (old, runtime));
  const struct rt_python_layout *const new
    = rt_python_layout_of (3ul << 24 | 13ul << 16);
  ck_assert (!rt_python_layout_agrees (new, runtime));
  static const struct
  {
    unsigned at;
    uint64_t value;
  } words[]
    = { { 16, 0 },    { 184, 72 },  { 232, 8 },	  { 240, 0 },	{ 248, 56 },
	{ 264, 70 },  { 280, 112 }, { 296, 128 }, { 304, 136 }, { 312, 68 },
	{ 344, 200 }, { 544, 32 },  { 552, 16 },  { 560, 40 } };
  memcpy (runtime, "xdebugpy", 8);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    put (runtime, words[i].at, &words[i].value, sizeof words[i].value);
  ck_assert (rt_python_layout_agrees (new, runtime));
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    {
      runtime[words[i].at] ^= 1;
      ck_assert (!rt_python_layout_agrees (new, runtime));
      runtime[words[i].at] ^= 1;
    }
  runtime[0] = 'y';
  ck_assert (!rt_python_layout_agrees (new, runtime));
}
END_TEST

RT_UNIT_MAIN (lines_are_decoded, tables_of_lines_end_anywhere, text_is_utf8,
	      other_objects_are_rejected, missing_memory_is_noticed, versions,
	      layouts_are_compared)
