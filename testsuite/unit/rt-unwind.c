/* Unit tests of the run-time library's reader of call frame information.
   SPDX-License-Identifier: GPL-3.0-or-later

   The functions are never called: the tests read the assembler's output for
   their directives.  A label marks the place to which a call would return.  */

#include "rt-unit.h"
#include "unwind-cfi.h"
#include <link.h>

extern const char cfi_start[], frame_pointer[], no_frame[], pushed[],
  in_epilogue[], after_epilogue[], realigned[], outermost[], interrupted[],
  strange[], far_away[], no_table[], never_called[];

__asm__("	.text\n"
	"cfi_start:\n"
	"	.cfi_startproc\n"
	"	nop\n"
	"no_frame:\n"
	"	push %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset 6, -16\n"
	"	mov %rsp, %rbp\n"
	"	.cfi_def_cfa_register 6\n"
	"	nop\n"
	"frame_pointer:\n"
	"	.cfi_remember_state\n"
	"	pop %rbp\n"
	"	.cfi_def_cfa 7, 8\n"
	"	.cfi_restore 6\n"
	"	nop\n"
	"in_epilogue:\n"
	"	ret\n"
	"	.cfi_restore_state\n"
	"	nop\n"
	"after_epilogue:\n"
	"	nop\n"
	"	.cfi_endproc\n"
	/* Saved registers and locals, relative to the stack pointer; the
	   location advances by more than a byte can hold.  */
	"	.cfi_startproc\n"
	"	push %rbx\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset 3, -16\n"
	"	push %rbp\n"
	"	.cfi_def_cfa_offset 24\n"
	"	.cfi_offset 6, -24\n"
	"	sub $4096, %rsp\n"
	"	.cfi_def_cfa_offset 4120\n"
	"	nop\n"
	"pushed:\n"
	"	.skip 70000, 0x90\n"
	"	.cfi_def_cfa_offset 32\n"
	"	nop\n"
	"far_away:\n"
	"	nop\n"
	"	.cfi_endproc\n"
	/* What GCC writes when it realigns the stack: CFA = [rbp - 8], rbp
	   saved at rbp.  */
	"	.cfi_startproc\n"
	"	.cfi_escape 0x10, 0x6, 0x2, 0x76, 0x0\n"
	"	.cfi_escape 0xf, 0x3, 0x76, 0x78, 0x6\n"
	"	nop\n"
	"realigned:\n"
	"	nop\n"
	"	.cfi_endproc\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined rip\n"
	"	nop\n"
	"outermost:\n"
	"	nop\n"
	"	.cfi_endproc\n"
	"	.cfi_startproc\n"
	"	.cfi_signal_frame\n"
	"	.cfi_def_cfa 7, 160\n"
	"	nop\n"
	"interrupted:\n"
	"	nop\n"
	"	.cfi_endproc\n"
	/* The CFA in a register that is not tracked.  */
	"	.cfi_startproc\n"
	"	.cfi_def_cfa 10, 0\n"
	"	nop\n"
	"strange:\n"
	"	nop\n"
	"	.cfi_endproc\n"
	"	.skip 64, 0x90\n"
	"no_table:\n"
	"	nop\n"
	/* The address of a function, as left on a coroutine's stack.  */
	"	.skip 64, 0x90\n"
	"never_called:\n"
	"	.cfi_startproc\n"
	"	nop\n"
	"	.cfi_endproc\n"
	"	.skip 64, 0x90\n");

static int
find_table (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
      *(const void **) data
	= (const void *) (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  return 1; /* the program is first */
}

static const void *
own_table (void)
{
  const void *table = NULL;
  dl_iterate_phdr (find_table, &table);
  ck_assert_ptr_nonnull (table);
  return table;
}

static struct rt_cfi_row
row_at (const char *address)
{
  return rt_cfi_read_row (own_table (), (uintptr_t) address);
}

START_TEST (frames_with_frame_pointers)
{
  ck_assert_int_eq (row_at (frame_pointer).cfa_kind, RT_CFA_STANDARD);
  ck_assert_int_eq (row_at (after_epilogue).cfa_kind, RT_CFA_STANDARD);
}
END_TEST

START_TEST (frames_found_from_the_stack_pointer)
{
  struct rt_cfi_row row = row_at (no_frame);
  ck_assert_int_eq (row.cfa_kind, RT_CFA_FROM_SP);
  ck_assert_int_eq (row.cfa_offset, 8);
  ck_assert_int_eq (row.fp_kind, RT_FP_SAME);
  row = row_at (in_epilogue);
  ck_assert_int_eq (row.cfa_kind, RT_CFA_FROM_SP);
  ck_assert_int_eq (row.cfa_offset, 8);
  ck_assert_int_eq (row.fp_kind, RT_FP_SAME);
  row = row_at (pushed);
  ck_assert_int_eq (row.cfa_kind, RT_CFA_FROM_SP);
  ck_assert_int_eq (row.cfa_offset, 4120);
  ck_assert_int_eq (row.fp_kind, RT_FP_AT_CFA);
  ck_assert_int_eq (row.fp_offset, -24);
  row = row_at (far_away);
  ck_assert_int_eq (row.cfa_offset, 32);
}
END_TEST

START_TEST (realigned_frames)
{
  const struct rt_cfi_row row = row_at (realigned);
  ck_assert_int_eq (row.cfa_kind, RT_CFA_AT_FP);
  ck_assert_int_eq (row.cfa_offset, -8);
  ck_assert_int_eq (row.fp_kind, RT_FP_AT_FP);
  ck_assert_int_eq (row.fp_offset, 0);
}
END_TEST

START_TEST (ends_of_the_stack)
{
  ck_assert_int_eq (row_at (outermost).cfa_kind, RT_CFA_OUTERMOST);
  ck_assert_int_eq (row_at (interrupted).cfa_kind, RT_CFA_OUTERMOST);
  ck_assert_int_eq (row_at (never_called).cfa_kind, RT_CFA_OUTERMOST);
  ck_assert_int_eq (row_at (strange).cfa_kind, RT_CFA_UNKNOWN);
  ck_assert_int_eq (row_at (no_table).cfa_kind, RT_CFA_UNKNOWN);
}
END_TEST

/* Fail unless, at ADDRESS, rbx and rbp are saved at these distances from the
   CFA, in words, and no other register but the return address.  */

static void
check_saves (const char *address, int rbx, int rbp)
{
  struct rt_cfi_saves saves;
  ck_assert (rt_cfi_read_saves (own_table (), (uintptr_t) address, &saves));
  for (unsigned i = 0; i < RT_CFI_REGISTERS; i++)
    ck_assert_int_eq (saves.words[i], i == 3	? rbx
				      : i == 6	? rbp
				      : i == 16 ? -1
						: 0);
}

START_TEST (saved_registers)
{
  struct rt_cfi_saves saves;
  check_saves (no_frame, 0, 0);
  check_saves (frame_pointer, 0, -2);
  check_saves (in_epilogue, 0, 0);
  check_saves (after_epilogue, 0, -2);
  check_saves (pushed, -2, -3);
  check_saves (realigned, 0, 0);
  ck_assert (!rt_cfi_read_saves (own_table (), (uintptr_t) no_table, &saves));
}
END_TEST

START_TEST (functions)
{
  const void *const table = own_table ();
  const uintptr_t start = (uintptr_t) cfi_start;
  ck_assert_uint_eq (rt_cfi_function (table, (uintptr_t) no_frame), start);
  ck_assert_uint_eq (rt_cfi_function (table, (uintptr_t) after_epilogue),
		     start);
  ck_assert_uint_ne (rt_cfi_function (table, (uintptr_t) pushed), start);
}
END_TEST

RT_UNIT_MAIN (frames_with_frame_pointers, frames_found_from_the_stack_pointer,
	      realigned_frames, ends_of_the_stack, saved_registers, functions)
