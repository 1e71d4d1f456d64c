/* Call frame information: executing it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A function's entry (FDE) is found by binary search in .eh_frame_hdr.  The FDE
   and its common part (CIE) hold instructions that build, address by address,
   the rules for finding the caller's registers; they are executed up to the
   address requested.  The format is that of DWARF 5, section 6.4, with the
   changes of the Linux Standard Base.

   The tables are mapped with the module and trusted like its code, but no read
   goes beyond the length that an entry states.  */

#include "unwind-cfi.h"
#include "bytes.h"
#include "cfi-reader.h"
#include "frame.h"
#include <stdbool.h>
#include <stddef.h>

/* DWARF's register numbers.  */
#define REGISTER_FP MACHINE_FP
#define REGISTER_SP MACHINE_SP
#define REGISTER_RA MACHINE_RA

#define STATES_MAX 8 /* maximum depth of remembered states */

/* DWARF's codes of instructions, and of the two operations that GCC uses in
   expressions.  */
enum
{
  CFA_ADVANCE_LOC = 0x40,
  CFA_OFFSET = 0x80,
  CFA_RESTORE = 0xc0,
  CFA_NOP = 0,
  CFA_ADVANCE_LOC1 = 2,
  CFA_ADVANCE_LOC2 = 3,
  CFA_ADVANCE_LOC4 = 4,
  CFA_OFFSET_EXTENDED = 5,
  CFA_RESTORE_EXTENDED = 6,
  CFA_UNDEFINED = 7,
  CFA_SAME_VALUE = 8,
  CFA_REGISTER = 9,
  CFA_REMEMBER_STATE = 0xa,
  CFA_RESTORE_STATE = 0xb,
  CFA_DEF_CFA = 0xc,
  CFA_DEF_CFA_REGISTER = 0xd,
  CFA_DEF_CFA_OFFSET = 0xe,
  CFA_DEF_CFA_EXPRESSION = 0xf,
  CFA_EXPRESSION = 0x10,
  CFA_OFFSET_EXTENDED_SF = 0x11,
  CFA_DEF_CFA_SF = 0x12,
  CFA_DEF_CFA_OFFSET_SF = 0x13,
  CFA_VAL_OFFSET = 0x14,
  CFA_VAL_OFFSET_SF = 0x15,
  CFA_VAL_EXPRESSION = 0x16,
  CFA_GNU_ARGS_SIZE = 0x2e,
  CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,

  OP_DEREF = 0x06,
  OP_BREG0 = 0x70
};

/* How to find one of the caller's registers.  */
enum rule
{
  SAME,
  AT_CFA,
  AT_FP,
  UNDEFINED,
  OTHER
};

struct state
{
  enum
  {
    FROM_REGISTER,
    AT_ADDRESS,
    NOT_UNDERSTOOD
  } cfa;
  uint64_t cfa_register;
  int64_t cfa_offset;
  enum rule fp;
  int64_t fp_offset;
  enum rule ra;
  int64_t ra_offset;
  struct rt_cfi_saves saves;
};

/* The state of executing an entry's instructions.  */
struct program
{
  uint64_t code_factor;
  int64_t data_factor;
  uintptr_t location; /* where STATE becomes valid */
  uintptr_t target;
  uintptr_t start; /* of the FDE that covers the target; 0 if none does */
  struct state state;
  struct state initial; /* after the instructions of the CIE */
  struct state remembered[STATES_MAX];
  unsigned remembered_count;
  uint8_t pointer_encoding;
  bool has_augmentation;
  bool is_signal_frame;
};

static void
set_rule (struct program *program, uint64_t number, enum rule rule,
	  int64_t offset)
{
  const int64_t words = offset / (int64_t) sizeof (uintptr_t);
  if (number < RT_CFI_REGISTERS)
    program->state.saves.words[number]
      = rule == AT_CFA && offset == (int16_t) words * (int64_t) sizeof words
	  ? (int16_t) words
	  : 0;
  if (number == REGISTER_FP)
    {
      program->state.fp = rule;
      program->state.fp_offset = offset;
    }
  else if (number == REGISTER_RA)
    {
      program->state.ra = rule;
      program->state.ra_offset = offset;
    }
}

static void
restore_rule (struct program *program, uint64_t number)
{
  const struct state *const initial = &program->initial;
  if (number < RT_CFI_REGISTERS)
    program->state.saves.words[number] = initial->saves.words[number];
  if (number == REGISTER_FP)
    set_rule (program, number, initial->fp, initial->fp_offset);
  else if (number == REGISTER_RA)
    set_rule (program, number, initial->ra, initial->ra_offset);
}

static void
define_cfa (struct program *program, uint64_t number, int64_t offset)
{
  program->state.cfa = FROM_REGISTER;
  program->state.cfa_register = number;
  program->state.cfa_offset = offset;
}

/* Read an expression.  Return true and set *OFFSET if it is `frame pointer +
   OFFSET', and set *DEREFERENCED if it means the word there; GCC emits these
   for functions that realign their stack.  */

static bool
read_expression (struct rt_cfi_reader *in, int64_t *offset, bool *dereferenced)
{
  const uint64_t bytes = rt_cfi_read_uleb (in);
  if (bytes > (uint64_t) (in->end - in->at))
    {
      in->failed = true;
      return false;
    }
  struct rt_cfi_reader expression = { in->at, in->at + bytes, false };
  in->at += bytes;
  if (rt_cfi_read_fixed (&expression, 1) != OP_BREG0 + REGISTER_FP)
    return false;
  *offset = rt_cfi_read_sleb (&expression);
  *dereferenced = expression.at < expression.end;
  if (*dereferenced && rt_cfi_read_fixed (&expression, 1) != OP_DEREF)
    return false;
  return !expression.failed && expression.at == expression.end;
}

static void
define_cfa_by_expression (struct program *program, struct rt_cfi_reader *in)
{
  int64_t offset = 0;
  bool dereferenced = false;
  if (!read_expression (in, &offset, &dereferenced))
    {
      program->state.cfa = NOT_UNDERSTOOD;
      return;
    }
  define_cfa (program, REGISTER_FP, offset);
  if (dereferenced)
    program->state.cfa = AT_ADDRESS;
}

static void
set_rule_by_expression (struct program *program, struct rt_cfi_reader *in)
{
  const uint64_t number = rt_cfi_read_uleb (in);
  int64_t offset = 0;
  bool dereferenced = false;
  const bool understood = read_expression (in, &offset, &dereferenced);
  set_rule (program, number, understood && !dereferenced ? AT_FP : OTHER,
	    offset);
}

static void
remember (struct program *program, struct rt_cfi_reader *in)
{
  if (program->remembered_count == STATES_MAX)
    in->failed = true;
  else
    program->remembered[program->remembered_count++] = program->state;
}

static void
recall (struct program *program, struct rt_cfi_reader *in)
{
  if (program->remembered_count == 0)
    in->failed = true;
  else
    program->state = program->remembered[--program->remembered_count];
}

/* Execute an instruction other than the three with an operand in the
   instruction byte.  Return false if execution is complete because the location
   is beyond the target.  */

static bool
execute_extended (struct program *program, struct rt_cfi_reader *in,
		  uint8_t code)
{
  uint64_t number;
  switch (code)
    {
    case CFA_NOP:
      return true;
    case CFA_ADVANCE_LOC1:
    case CFA_ADVANCE_LOC2:
    case CFA_ADVANCE_LOC4:
      program->location
	+= rt_cfi_read_fixed (in, (size_t) 1 << (code - CFA_ADVANCE_LOC1))
	   * program->code_factor;
      return program->location <= program->target;
    case CFA_OFFSET_EXTENDED:
      number = rt_cfi_read_uleb (in);
      set_rule (program, number, AT_CFA,
		(int64_t) rt_cfi_read_uleb (in) * program->data_factor);
      return true;
    case CFA_OFFSET_EXTENDED_SF:
      number = rt_cfi_read_uleb (in);
      set_rule (program, number, AT_CFA,
		rt_cfi_read_sleb (in) * program->data_factor);
      return true;
    case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
      number = rt_cfi_read_uleb (in);
      set_rule (program, number, AT_CFA,
		-((int64_t) rt_cfi_read_uleb (in) * program->data_factor));
      return true;
    case CFA_RESTORE_EXTENDED:
      restore_rule (program, rt_cfi_read_uleb (in));
      return true;
    case CFA_UNDEFINED:
      set_rule (program, rt_cfi_read_uleb (in), UNDEFINED, 0);
      return true;
    case CFA_SAME_VALUE:
      set_rule (program, rt_cfi_read_uleb (in), SAME, 0);
      return true;
    case CFA_REGISTER:
    case CFA_VAL_OFFSET:
    case CFA_VAL_OFFSET_SF:
      number = rt_cfi_read_uleb (in);
      rt_cfi_read_uleb (in);
      set_rule (program, number, OTHER, 0);
      return true;
    case CFA_REMEMBER_STATE:
      remember (program, in);
      return true;
    case CFA_RESTORE_STATE:
      recall (program, in);
      return true;
    case CFA_DEF_CFA:
      number = rt_cfi_read_uleb (in);
      define_cfa (program, number, (int64_t) rt_cfi_read_uleb (in));
      return true;
    case CFA_DEF_CFA_SF:
      number = rt_cfi_read_uleb (in);
      define_cfa (program, number,
		  rt_cfi_read_sleb (in) * program->data_factor);
      return true;
    case CFA_DEF_CFA_REGISTER:
      program->state.cfa_register = rt_cfi_read_uleb (in);
      return true;
    case CFA_DEF_CFA_OFFSET:
      program->state.cfa_offset = (int64_t) rt_cfi_read_uleb (in);
      return true;
    case CFA_DEF_CFA_OFFSET_SF:
      program->state.cfa_offset = rt_cfi_read_sleb (in) * program->data_factor;
      return true;
    case CFA_DEF_CFA_EXPRESSION:
      define_cfa_by_expression (program, in);
      return true;
    case CFA_EXPRESSION:
      set_rule_by_expression (program, in);
      return true;
    case CFA_GNU_ARGS_SIZE:
      rt_cfi_read_uleb (in);
      return true;
    default:
      /* Including CFA_VAL_EXPRESSION.  */
      in->failed = !MACHINE_IS_CFA_NOP (code);
      return true;
    }
}

/* Execute instructions up to the target; return false if they are not
   supported.  */

static bool
execute (struct program *program, struct rt_cfi_reader *in)
{
  bool more = true;
  while (more && in->at < in->end && !in->failed)
    {
      const uint8_t byte = (uint8_t) rt_cfi_read_fixed (in, 1);
      const uint8_t operand = byte & 0x3f;
      switch (byte & 0xc0)
	{
	case CFA_ADVANCE_LOC:
	  program->location += operand * program->code_factor;
	  more = program->location <= program->target;
	  break;
	case CFA_OFFSET:
	  set_rule (program, operand, AT_CFA,
		    (int64_t) rt_cfi_read_uleb (in) * program->data_factor);
	  break;
	case CFA_RESTORE:
	  restore_rule (program, operand);
	  break;
	default:
	  more = execute_extended (program, in, operand);
	}
    }
  return !in->failed;
}

/* Return the content of the entry at START, after the length field.  */

static struct rt_cfi_reader
open_entry (const uint8_t *start)
{
  uint32_t length;
  own_memcpy (&length, start, sizeof length);
  struct rt_cfi_reader in = { start + 4, start + 4 + length, false };
  /* The end of the section, or a 64-bit entry, which no compiler emits.  */
  if (length == 0 || length == UINT32_MAX)
    {
      in.end = in.at;
      in.failed = true;
    }
  return in;
}

/* Read the data that the CIE's augmentation STRING announces.  */

static bool
read_augmentation (struct program *program, const char *string,
		   struct rt_cfi_reader *in)
{
  if (*string == '\0')
    return true;
  if (*string++ != 'z')
    return false;
  program->has_augmentation = true;
  const uint64_t bytes = rt_cfi_read_uleb (in);
  if (bytes > (uint64_t) (in->end - in->at))
    return false;
  struct rt_cfi_reader data = { in->at, in->at + bytes, false };
  in->at += bytes;
  for (; *string != '\0'; string++)
    switch (*string)
      {
      case 'R':
	program->pointer_encoding = (uint8_t) rt_cfi_read_fixed (&data, 1);
	break;
      case 'L':
	rt_cfi_read_fixed (&data, 1);
	break;
      case 'P':
	{
	  /* An indirect pointer has the size of a direct one.  */
	  const uint8_t encoding = (uint8_t) rt_cfi_read_fixed (&data, 1);
	  rt_cfi_read_pointer (&data, encoding & 0x7f);
	  break;
	}
      case 'S':
	program->is_signal_frame = true;
	break;
      default:
	return false;
      }
  return !data.failed;
}

static bool
execute_cie (struct program *program, const uint8_t *start)
{
  struct rt_cfi_reader in = open_entry (start);
  const uint64_t id = rt_cfi_read_fixed (&in, 4);
  const uint64_t version = rt_cfi_read_fixed (&in, 1);
  const char *const augmentation = (const char *) in.at;
  while (rt_cfi_read_fixed (&in, 1) != 0)
    continue;
  program->code_factor = rt_cfi_read_uleb (&in);
  program->data_factor = rt_cfi_read_sleb (&in);
  const uint64_t return_register
    = version == 1 ? rt_cfi_read_fixed (&in, 1) : rt_cfi_read_uleb (&in);
  if (in.failed || id != 0 || (version != 1 && version != 3)
      || return_register != REGISTER_RA
      || !read_augmentation (program, augmentation, &in)
      || !execute (program, &in))
    return false;
  program->initial = program->state;
  return true;
}

/* Execute the FDE at START and its CIE up to the target.  */

static bool
execute_fde (struct program *program, const uint8_t *start)
{
  struct rt_cfi_reader in = open_entry (start);
  const uint8_t *const cie_field = in.at;
  const uint64_t cie_distance = rt_cfi_read_fixed (&in, 4);
  const uintptr_t target = program->target;
  /* The CIE's instructions apply to all addresses.  */
  program->location = 0;
  program->target = UINTPTR_MAX;
  if (in.failed || cie_distance == 0
      || !execute_cie (program, cie_field - cie_distance))
    return false;
  program->location = rt_cfi_read_pointer (&in, program->pointer_encoding);
  const uintptr_t bytes
    = rt_cfi_read_pointer (&in, program->pointer_encoding & 0x0f);
  program->target = target;
  if (in.failed || target < program->location
      || target - program->location >= bytes)
    return false;
  program->start = program->location;
  if (program->has_augmentation)
    {
      const uint64_t skip = rt_cfi_read_uleb (&in);
      if (skip > (uint64_t) (in.end - in.at))
	return false;
      in.at += skip;
    }
  return execute (program, &in);
}

/* An entry of an .eh_frame_hdr: a function and its FDE, as distances from the
   table.  */
struct entry
{
  int32_t location;
  int32_t fde;
};

/* Find the entry for ADDRESS in TABLE, an .eh_frame_hdr.  Return false if there
   is none, or the table does not have the layout that all linkers use.  */

static bool
find_entry (const uint8_t *table, uintptr_t address, struct entry *entry)
{
  if (table[0] != 1 || table[2] != PE_UDATA4 || table[3] != PE_TABLE_SDATA4)
    return false;
  const uint8_t encoding = table[1] & 0x0f;
  const size_t pointer_bytes
    = encoding == PE_UDATA4 || encoding == PE_SDATA4 ? 4 : 8;
  const uint8_t *const entries = table + 4 + pointer_bytes + 4;
  uint32_t count;
  own_memcpy (&count, entries - 4, sizeof count);

  /* The last entry that does not start after ADDRESS is in [LOW, HIGH).  */
  const int64_t wanted = (int64_t) (address - (uintptr_t) table);
  uint32_t low = 0, high = count;
  while (high - low > 1)
    {
      const uint32_t middle = low + (high - low) / 2;
      own_memcpy (entry, entries + middle * sizeof *entry, sizeof *entry);
      if (entry->location <= wanted)
	low = middle;
      else
	high = middle;
    }
  if (count == 0)
    return false;
  own_memcpy (entry, entries + low * sizeof *entry, sizeof *entry);
  return entry->location <= wanted;
}

/* Execute what TABLE, an .eh_frame_hdr, leads to for the instruction before
   ADDRESS.  Return false if there is nothing, or it is not supported.  */

static bool
execute_for (struct program *program, const void *table, uintptr_t address)
{
  struct entry entry;
  own_memset (program, 0, sizeof *program);
  program->target = address - 1;
  return find_entry (table, program->target, &entry)
	 && execute_fde (program, (const uint8_t *) table + entry.fde);
}

/* Convert STATE to a row, unknown if it needs unsupported rules.  */

static struct rt_cfi_row
row_of (const struct state *state)
{
  struct rt_cfi_row row = { .cfa_kind = RT_CFA_UNKNOWN };
  if (state->ra == UNDEFINED)
    row.cfa_kind = RT_CFA_OUTERMOST;
  if (state->ra != AT_CFA || state->ra_offset != (int32_t) state->ra_offset
      || (MACHINE_HAS_FIXED_RA && state->ra_offset != -8)
      || state->cfa_offset != (int32_t) state->cfa_offset
      || state->fp_offset != (int32_t) state->fp_offset || state->fp == OTHER
      || state->cfa == NOT_UNDERSTOOD)
    return row;
  row.cfa_offset = (int32_t) state->cfa_offset;
  row.fp_offset = (int32_t) state->fp_offset;
  row.ra_offset = (int32_t) state->ra_offset;
  row.fp_kind = state->fp == AT_CFA  ? RT_FP_AT_CFA
		: state->fp == AT_FP ? RT_FP_AT_FP
				     : RT_FP_SAME;
  if (state->cfa_register == REGISTER_FP)
    row.cfa_kind = state->cfa == AT_ADDRESS ? RT_CFA_AT_FP : RT_CFA_FROM_FP;
  else if (state->cfa_register == REGISTER_SP && state->cfa == FROM_REGISTER)
    row.cfa_kind = RT_CFA_FROM_SP;
  row.has_record
    = (row.cfa_kind == RT_CFA_FROM_FP || row.cfa_kind == RT_CFA_FROM_SP)
      && row.fp_kind == RT_FP_AT_CFA && row.ra_offset == row.fp_offset + 8;
  if (MACHINE_HAS_STANDARD_FRAMES && row.cfa_kind == RT_CFA_FROM_FP
      && row.cfa_offset == MACHINE_RECORD_AT + MACHINE_CFA_AT
      && row.fp_kind == RT_FP_AT_CFA && row.fp_offset == -16
      && row.ra_offset == -8)
    row.cfa_kind = RT_CFA_STANDARD;
  return row;
}

/* True if a function begins at ADDRESS.  Changes *PROGRAM.  */

static bool
is_start (struct program *program, const void *table, uintptr_t address)
{
  execute_for (program, table, address + 1);
  return program->start == address;
}

struct rt_cfi_row
rt_cfi_read_row (const void *table, uintptr_t address)
{
  struct program program;
  if (!execute_for (&program, table, address))
    {
      /* If a function begins here and none ends, this was no call:
	 makecontext, for example, leaves a function's address for a coroutine
	 to return to.  */
      const bool is_end
	= program.start == 0 && is_start (&program, table, address);
      return (struct rt_cfi_row){ .cfa_kind = is_end ? RT_CFA_OUTERMOST
						     : RT_CFA_UNKNOWN };
    }
  /* The interrupted code did not call the signal handler.  */
  if (program.is_signal_frame)
    return (struct rt_cfi_row){ .cfa_kind = RT_CFA_OUTERMOST };
  return row_of (&program.state);
}

bool
rt_cfi_read_saves (const void *table, uintptr_t address,
		   struct rt_cfi_saves *saves)
{
  struct program program;
  if (!execute_for (&program, table, address))
    return false;
  *saves = program.state.saves;
  return true;
}

uintptr_t
rt_cfi_function (const void *table, uintptr_t address)
{
  struct entry entry;
  return find_entry (table, address - 1, &entry)
	   ? (uintptr_t) table + (uintptr_t) (intptr_t) entry.location
	   : 0;
}
