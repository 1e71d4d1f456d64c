/* CPython: where its structures keep what a walk reads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Offsets in bytes, one row for each version of the interpreter: within a
   version they do not change.  From 3.13 on the interpreter publishes most of
   them itself, and they are compared.  */

#ifndef HEAPPROF_PYTHON_LAYOUT_H
#define HEAPPROF_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct rt_python_layout
{
  uint16_t minor; /* of version 3 */

  /* The thread's state: its current frame, directly or in the structure that
     each call of the evaluation loop has on the stack.  */
  uint16_t state_current; /* 0: it has calls */
  uint16_t state_call;
  uint16_t call_current;
  uint16_t call_previous;

  uint16_t frame_code;
  uint16_t frame_previous;
  uint16_t frame_instruction;
  uint16_t frame_owner;
  uint16_t frame_is_entry; /* 0: the stack has a frame for each call of the
			      loop, with this owner or a greater one */
  uint8_t entry_owner;

  uint16_t code_first_line;
  uint16_t code_file;
  uint16_t code_function;
  uint16_t code_lines;
  uint16_t code_first_traceable;
  uint16_t code_instructions;

  uint16_t text_ascii; /* size of the head of a string, by kind */
  uint16_t text_other;
};

/* The same in all these versions.  */
#define RT_PYTHON_TYPE 8u	   /* of an object */
#define RT_PYTHON_SIZE 16u	   /* of an object of variable size */
#define RT_PYTHON_TYPE_DEALLOC 48u /* the function in a type */
#define RT_PYTHON_BYTES 32u	   /* the content of a bytes object */
#define RT_PYTHON_TEXT_LENGTH 16u
#define RT_PYTHON_TEXT_STATE 32u
#define RT_PYTHON_TEXT_KIND_SHIFT 2u
#define RT_PYTHON_TEXT_KIND_MASK 7u
#define RT_PYTHON_TEXT_COMPACT 0x20u
#define RT_PYTHON_TEXT_ASCII 0x40u
#define RT_PYTHON_OWNER_GENERATOR 1u
#define RT_PYTHON_POINTER_MASK (~(uintptr_t) 7) /* other bits are tags */
#define RT_PYTHON_UNIT 2u			/* bytes of an instruction */

/* Return the layout of VERSION, as Py_Version has it; NULL if it is not
   known.  */
const struct rt_python_layout *rt_python_layout_of (unsigned long version);

/* True if the offsets that the interpreter publishes at RUNTIME are those of
   LAYOUT; always, if its version publishes none.  */
bool rt_python_layout_agrees (const struct rt_python_layout *layout,
			      const void *runtime);

#endif /* HEAPPROF_PYTHON_LAYOUT_H */
