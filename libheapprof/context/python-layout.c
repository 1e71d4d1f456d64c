/* CPython: where its structures keep what a walk reads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "python-layout.h"
#include "bytes.h"
#include <stddef.h>

static const struct rt_python_layout layouts[]
  = { { .minor = 11,
	.state_call = 56,
	.call_current = 8,
	.call_previous = 16,
	.frame_code = 32,
	.frame_previous = 48,
	.frame_instruction = 56,
	.frame_is_entry = 68,
	.frame_owner = 69,
	.code_first_line = 72,
	.code_file = 112,
	.code_function = 128,
	.code_lines = 136,
	.code_first_traceable = 168,
	.code_instructions = 184,
	.text_ascii = 48,
	.text_other = 72 },
      { .minor = 12,
	.state_call = 56,
	.call_current = 0,
	.call_previous = 8,
	.frame_code = 0,
	.frame_previous = 8,
	.frame_instruction = 56,
	.frame_owner = 70,
	.entry_owner = 3,
	.code_first_line = 68,
	.code_file = 112,
	.code_function = 128,
	.code_lines = 136,
	.code_first_traceable = 176,
	.code_instructions = 192,
	.text_ascii = 40,
	.text_other = 56 },
      { .minor = 13,
	.state_current = 72,
	.frame_code = 0,
	.frame_previous = 8,
	.frame_instruction = 56,
	.frame_owner = 70,
	.entry_owner = 3,
	.code_first_line = 68,
	.code_file = 112,
	.code_function = 128,
	.code_lines = 136,
	.code_first_traceable = 184,
	.code_instructions = 200,
	.text_ascii = 40,
	.text_other = 56 },
      { .minor = 14,
	.state_current = 72,
	.frame_code = 0,
	.frame_previous = 8,
	.frame_instruction = 56,
	.frame_owner = 74,
	.entry_owner = 3,
	.code_first_line = 68,
	.code_file = 112,
	.code_function = 128,
	.code_lines = 136,
	.code_first_traceable = 192,
	.code_instructions = 208,
	.text_ascii = 40,
	.text_other = 56 } };

/* Where the interpreter publishes them, as 8-byte words.  */
struct published
{
  uint16_t minor;
  uint16_t state_current;
  uint16_t frame_previous;
  uint16_t frame_code;
  uint16_t frame_instruction;
  uint16_t frame_owner;
  uint16_t code_file;
  uint16_t code_function;
  uint16_t code_lines;
  uint16_t code_first_line;
  uint16_t code_instructions;
  uint16_t text_state;
  uint16_t text_length;
  uint16_t text_ascii;
};

static const struct published publications[]
  = { { 13, 184, 232, 240, 248, 264, 280, 296, 304, 312, 344, 544, 552, 560 },
      { 14, 208, 256, 264, 272, 288, 320, 336, 344, 352, 384, 624, 632, 640 } };

/* Before these, at the start: a magic, the version, and whether threads run
   without a global lock.  */
#define MAGIC "xdebugpy"
#define MAGIC_BYTES 8u
#define FREE_THREADED 16u

const struct rt_python_layout *
rt_python_layout_of (unsigned long version)
{
  for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
    if (version >> 24 == 3 && (version >> 16 & 0xff) == layouts[i].minor)
      return &layouts[i];
  return NULL;
}

static bool
has_word (const void *runtime, uint16_t offset, uint64_t expected)
{
  uint64_t word;
  own_memcpy (&word, (const char *) runtime + offset, sizeof word);
  return word == expected;
}

bool
rt_python_layout_agrees (const struct rt_python_layout *layout,
			 const void *runtime)
{
  const struct published *at = NULL;
  for (size_t i = 0; i < sizeof publications / sizeof publications[0]; i++)
    if (publications[i].minor == layout->minor)
      at = &publications[i];
  return at == NULL
	 || (own_memcmp (runtime, MAGIC, MAGIC_BYTES) == 0
	     && has_word (runtime, FREE_THREADED, 0)
	     && has_word (runtime, at->state_current, layout->state_current)
	     && has_word (runtime, at->frame_previous, layout->frame_previous)
	     && has_word (runtime, at->frame_code, layout->frame_code)
	     && has_word (runtime, at->frame_instruction,
			  layout->frame_instruction)
	     && has_word (runtime, at->frame_owner, layout->frame_owner)
	     && has_word (runtime, at->code_file, layout->code_file)
	     && has_word (runtime, at->code_function, layout->code_function)
	     && has_word (runtime, at->code_lines, layout->code_lines)
	     && has_word (runtime, at->code_first_line, layout->code_first_line)
	     && has_word (runtime, at->code_instructions,
			  layout->code_instructions)
	     && has_word (runtime, at->text_state, RT_PYTHON_TEXT_STATE)
	     && has_word (runtime, at->text_length, RT_PYTHON_TEXT_LENGTH)
	     && has_word (runtime, at->text_ascii, layout->text_ascii));
}
