/* CPython: the names and lines of its code objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "python-code.h"
#include "bytes.h"

/* Bytes of an object, read in pieces.  */
struct stream
{
  const struct rt_python_memory *memory;
  uintptr_t next; /* to read */
  uintptr_t end;
  uint8_t piece[128];
  unsigned at;
  unsigned count;
  bool has_failed;
};

static uint8_t
take_byte (struct stream *stream)
{
  if (stream->at == stream->count)
    {
      const size_t left = stream->end - stream->next;
      const size_t bytes
	= left < sizeof stream->piece ? left : sizeof stream->piece;
      if (bytes == 0
	  || !rt_python_read (stream->memory, stream->next, stream->piece,
			      bytes))
	{
	  stream->has_failed = true;
	  return 0;
	}
      stream->next += bytes;
      stream->at = 0;
      stream->count = (unsigned) bytes;
    }
  return stream->piece[stream->at++];
}

static bool
is_at_end (const struct stream *stream)
{
  return stream->has_failed
	 || (stream->at == stream->count && stream->next == stream->end);
}

/* ---- Strings.  */

/* Append the character C to the COUNT bytes of TEXT, which has room for BYTES,
   as UTF-8.  A character that stands for a byte of a file's name becomes that
   byte again.  Return the new count, COUNT if it does not fit.  */

static size_t
put_character (char *text, size_t count, size_t bytes, uint32_t c)
{
  char encoded[4];
  size_t length = 1;
  if (c == 0)
    encoded[0] = '?';
  else if (c < 0x80)
    encoded[0] = (char) c;
  else if (c >= 0xdc80 && c <= 0xdcff)
    encoded[0] = (char) (c - 0xdc00);
  else if (c < 0x800)
    {
      encoded[0] = (char) (0xc0 | c >> 6);
      encoded[1] = (char) (0x80 | (c & 0x3f));
      length = 2;
    }
  else if (c < 0x10000)
    {
      encoded[0] = (char) (0xe0 | c >> 12);
      encoded[1] = (char) (0x80 | (c >> 6 & 0x3f));
      encoded[2] = (char) (0x80 | (c & 0x3f));
      length = 3;
    }
  else
    {
      encoded[0] = (char) (0xf0 | (c >> 18 & 7));
      encoded[1] = (char) (0x80 | (c >> 12 & 0x3f));
      encoded[2] = (char) (0x80 | (c >> 6 & 0x3f));
      encoded[3] = (char) (0x80 | (c & 0x3f));
      length = 4;
    }
  if (count + length >= bytes)
    return count;
  own_memcpy (text + count, encoded, length);
  return count + length;
}

/* Store the string object at ADDRESS in the BYTES bytes at TEXT, cut if it is
   longer.  */

static bool
read_text (const struct rt_python_memory *memory,
	   const struct rt_python_layout *layout, uintptr_t type,
	   uintptr_t address, char *text, size_t bytes)
{
  uint8_t head[RT_PYTHON_TEXT_STATE + sizeof (uint32_t)];
  uintptr_t its_type;
  int64_t length;
  uint32_t state;
  if (address == 0 || address % sizeof (uintptr_t) != 0
      || !rt_python_read (memory, address, head, sizeof head))
    return false;
  own_memcpy (&its_type, head + RT_PYTHON_TYPE, sizeof its_type);
  own_memcpy (&length, head + RT_PYTHON_TEXT_LENGTH, sizeof length);
  own_memcpy (&state, head + RT_PYTHON_TEXT_STATE, sizeof state);
  const unsigned kind
    = state >> RT_PYTHON_TEXT_KIND_SHIFT & RT_PYTHON_TEXT_KIND_MASK;
  if (its_type != type || length < 0 || length > INT32_MAX
      || (state & RT_PYTHON_TEXT_COMPACT) == 0
      || (kind != 1 && kind != 2 && kind != 4))
    return false;
  struct stream stream
    = { .memory = memory,
	.next = address
		+ ((state & RT_PYTHON_TEXT_ASCII) != 0 ? layout->text_ascii
						       : layout->text_other) };
  stream.end = stream.next + (uintptr_t) length * kind;
  size_t count = 0;
  while (!is_at_end (&stream))
    {
      uint32_t c = 0;
      for (unsigned i = 0; i < kind; i++)
	c |= (uint32_t) take_byte (&stream) << 8 * i;
      const size_t before = count;
      count = put_character (text, count, bytes, c);
      if (count == before)
	break;
    }
  text[count] = '\0';
  return !stream.has_failed;
}

/* ---- Lines.  */

/* What an entry of the table of lines says about the line.  */
enum
{
  ENTRY_SHORT_END = 10, /* below: the same line, and a byte of columns */
  ENTRY_NO_COLUMN = 13,
  ENTRY_LONG = 14,
  ENTRY_NOWHERE = 15
};

static uint32_t
take_number (struct stream *stream)
{
  uint32_t number = 0;
  for (unsigned shift = 0; shift < 32; shift += 6)
    {
      const uint8_t byte = take_byte (stream);
      number |= (uint32_t) (byte & 0x3f) << shift;
      if ((byte & 0x40) == 0)
	break;
    }
  return number;
}

/* Take the line's difference from that of the previous entry, and the rest of
   an entry of KIND.  */

static uint32_t
take_difference (struct stream *stream, unsigned kind)
{
  uint32_t difference = 0;
  unsigned columns = 0;
  if (kind == ENTRY_NO_COLUMN || kind == ENTRY_LONG)
    {
      const uint32_t number = take_number (stream);
      difference = (number & 1) != 0 ? -(number >> 1) : number >> 1;
      for (unsigned i = 0; kind == ENTRY_LONG && i < 3; i++)
	take_number (stream);
    }
  else if (kind < ENTRY_SHORT_END)
    columns = 1;
  else if (kind < ENTRY_NO_COLUMN)
    {
      difference = kind - ENTRY_SHORT_END;
      columns = 2;
    }
  for (unsigned i = 0; i < columns; i++)
    take_byte (stream);
  return difference;
}

/* Return the line of instruction UNIT of code that starts at FIRST_LINE, by the
   table in STREAM; 0 if it has none.  */

static uint32_t
find_line (struct stream *stream, uint32_t first_line, int64_t unit)
{
  uint32_t line = first_line;
  int64_t end = 0;
  if (unit < 0)
    return first_line;
  while (!is_at_end (stream))
    {
      const uint8_t first = take_byte (stream);
      const unsigned kind = first >> 3 & 15;
      if ((first & 0x80) == 0)
	break;
      line += take_difference (stream, kind);
      end += (first & 7) + 1;
      if (unit < end)
	return kind == ENTRY_NOWHERE ? 0 : line;
    }
  return 0;
}

static bool
read_line (const struct rt_python_memory *memory, uintptr_t type,
	   uintptr_t table, int64_t unit, struct rt_python_code *code)
{
  uint8_t head[RT_PYTHON_BYTES];
  uintptr_t its_type;
  int64_t bytes;
  if (table == 0 || table % sizeof (uintptr_t) != 0
      || !rt_python_read (memory, table, head, sizeof head))
    return false;
  own_memcpy (&its_type, head + RT_PYTHON_TYPE, sizeof its_type);
  own_memcpy (&bytes, head + RT_PYTHON_SIZE, sizeof bytes);
  if (its_type != type || bytes < 0 || bytes > INT32_MAX)
    return false;
  struct stream stream = { .memory = memory,
			   .next = table + RT_PYTHON_BYTES,
			   .end = table + RT_PYTHON_BYTES + (uintptr_t) bytes };
  code->line = find_line (&stream, code->first_line, unit);
  if (code->line > INT32_MAX)
    code->line = 0;
  return !stream.has_failed;
}

bool
rt_python_code_read (const struct rt_python_memory *memory,
		     const struct rt_python_layout *layout, uintptr_t text_type,
		     uintptr_t bytes_type, uintptr_t address, int64_t unit,
		     struct rt_python_code *code)
{
  uintptr_t file, function, lines;
  bool is_read = rt_python_read (memory, address + layout->code_first_line,
				 &code->first_line, sizeof code->first_line)
		 && rt_python_read (memory, address + layout->code_file, &file,
				    sizeof file)
		 && rt_python_read (memory, address + layout->code_function,
				    &function, sizeof function)
		 && rt_python_read (memory, address + layout->code_lines,
				    &lines, sizeof lines)
		 && read_text (memory, layout, text_type, file, code->file,
			       sizeof code->file)
		 && read_text (memory, layout, text_type, function,
			       code->function, sizeof code->function)
		 && read_line (memory, bytes_type, lines, unit, code);
  if (code->first_line > INT32_MAX)
    code->first_line = 0;
  return is_read;
}
