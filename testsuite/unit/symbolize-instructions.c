/* Unit tests of the control flow and references of instructions.
   SPDX-License-Identifier: GPL-3.0-or-later

   The code is what assemblers and linkers write.  */

#include "arm-instructions.h"
#include "disassembler.h"
#include "x86-instructions.h"
#include <check.h>
#include <elf.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define START UINT64_C (0x400800)

/* Store the COUNT WORDS at CODE.  */
static void
store (uint8_t *code, const uint32_t *words, size_t count)
{
  for (size_t i = 0; i < count; i++)
    {
      uint32_t word = htole32 (words[i]);
      memcpy (code + 4 * i, &word, sizeof word);
    }
}

START_TEST (arm_flow_is_known)
{
  static const struct
  {
    uint32_t word;
    bool leaves;
    bool returns;
    bool calls;
    uint64_t target; /* 0: none */
  } rows[] = {
    { 0x14000000, true, false, false, START },		  /* b */
    { 0x17fffff2, true, false, false, START - 56 },	  /* b */
    { 0x940000b4, true, false, true, START + 0x2d0 },	  /* bl */
    { 0x95ffffff, true, false, true, START + 0x7fffffc }, /* bl */
    { 0xd61f0200, true, false, false, 0 },		  /* br x16 */
    { 0xd63f0000, true, false, true, 0 },		  /* blr x0 */
    { 0xd71f0a11, true, false, false, 0 },		  /* braa x16, x17 */
    { 0xd63f081f, true, false, true, 0 },		  /* blraaz x0 */
    { 0xd73f0a11, true, false, true, 0 },		  /* blraa x16, x17 */
    { 0xd65f03c0, true, true, false, 0 },		  /* ret */
    { 0xd65f0bff, true, true, false, 0 },		  /* retaa */
    { 0xd69f03e0, true, true, false, 0 },		  /* eret */
    { 0xd6bf03e0, true, true, false, 0 },		  /* drps */
    { 0x5500005f, true, true, false, 0 },		  /* retaasppc */
    { 0x54ffff6c, false, false, false, 0 },		  /* b.gt */
    { 0xb4000040, false, false, false, 0 },		  /* cbz x0 */
    { 0x37000040, false, false, false, 0 },		  /* tbnz w0, #0 */
    { 0xd4000001, false, false, false, 0 },		  /* svc #0 */
    { 0xd4200000, false, false, false, 0 },		  /* brk #0 */
    { 0xd503245f, false, false, false, 0 },		  /* bti c */
    { 0xa9bd7bfd, false, false, false, 0 },		  /* stp */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      uint8_t code[4];
      uint64_t target = 0;
      store (code, &rows[i].word, 1);
      struct instruction_flow flow = arm_instruction_flow (code);
      bool has_target
	= disassembler_find_target (EM_AARCH64, code, 4, START, &target);
      ck_assert_msg (flow.leaves == rows[i].leaves
		       && flow.returns == rows[i].returns
		       && flow.calls == rows[i].calls
		       && has_target == (rows[i].target != 0)
		       && target == rows[i].target,
		     "row %zu: leaves %d returns %d target %d %llx", i,
		     flow.leaves, flow.returns, has_target,
		     (unsigned long long) target);
    }
}
END_TEST

START_TEST (arm_code_is_disassembled)
{
  static const uint32_t words[] = { 0xd503245f, 0xd65f03c0, 0x12345678 };
  uint8_t code[12];
  struct instruction_flow flow;
  store (code, words, 3);
  struct disassembler *disassembler
    = disassembler_open (EM_AARCH64, code, 10, START);
  ck_assert_ptr_nonnull (disassembler);
  ck_assert_uint_eq (disassembler_take (disassembler, 0, &flow), 4);
  ck_assert (!flow.leaves);
  ck_assert_uint_eq (disassembler_take (disassembler, 4, &flow), 4);
  ck_assert (flow.leaves && flow.returns);
  /* Half an instruction.  */
  ck_assert_uint_eq (disassembler_take (disassembler, 8, &flow), 2);
  ck_assert (!flow.leaves);
  disassembler_close (disassembler);
}
END_TEST

START_TEST (arm_data_is_found)
{
  static const struct
  {
    uint32_t word;
    uint64_t target; /* 0: none */
  } rows[] = {
    { 0xf0000020, 0 },		/* adrp x0, START's page + 7 pages */
    { 0x91004001, 0x407010 },	/* add x1, x0, #16 */
    { 0xb9400822, 0x407018 },	/* ldr w2, [x1, #8] */
    { 0x39400002, 0x407000 },	/* ldrb w2, [x0] */
    { 0x3d800400, 0x407010 },	/* str q0, [x0, #16] */
    { 0x91400403, 0x408000 },	/* add x3, x0, #4096 */
    { 0xf9400c60, 0x408018 },	/* ldr x0, [x3, #24] */
    { 0xf9400801, 0 },		/* ldr x1, [x0, #16]: it was loaded */
    { 0x10000044, START + 40 }, /* adr x4, #8 */
    { 0x910043e5, 0 },		/* add x5, sp, #16 */
    { 0x94000000, 0 },		/* bl */
    { 0xf9400061, 0 },		/* ldr x1, [x3]: the call changed it */
  };
  enum
  {
    COUNT = sizeof rows / sizeof *rows
  };
  uint8_t code[4 * COUNT];
  struct instruction_references found;
  for (size_t i = 0; i < COUNT; i++)
    store (code + 4 * i, &rows[i].word, 1);
  struct disassembler *disassembler
    = disassembler_open (EM_AARCH64, code, sizeof code, START);
  for (size_t i = 0; i < COUNT; i++)
    {
      ck_assert_uint_eq (4, disassembler_take_references (disassembler, 4 * i,
							  false, &found));
      ck_assert_msg (found.count == (rows[i].target != 0)
		       && (found.count == 0
			   || found.addresses[0] == rows[i].target),
		     "row %zu: %llx", i,
		     found.count > 0 ? (unsigned long long) found.addresses[0]
				     : 0);
    }
  disassembler_close (disassembler);
}
END_TEST

START_TEST (other_machines_are_refused)
{
  uint8_t code[4] = { 0 };
  ck_assert_ptr_null (disassembler_problem (EM_AARCH64));
  ck_assert_str_eq (disassembler_problem (EM_RISCV),
		    "not for x86-64 or AArch64");
  ck_assert_ptr_null (disassembler_open (EM_RISCV, code, 4, START));
}
END_TEST

START_TEST (veneers_have_targets)
{
  static const struct
  {
    uint32_t words[6];
    size_t count;
    bool needs_name;
    uint64_t target;
  } rows[] = {
    /* adrp, add, br */
    { { 0xd00fdd50, 0x91003210, 0xd61f0200 }, 3, false, 0x1ffaa00c },
    /* ldr, adr, add, br, 8 bytes of distance */
    { { 0x58000090, 0x10000011, 0x8b110210, 0xd61f0200, 0x1234, 0x10 },
      6,
      false,
      START + 4 + UINT64_C (0x1000001234) },
    /* ldr, br, 8 bytes of address */
    { { 0x58000050, 0xd61f0200, 0x5678, 0x2 },
      4,
      false,
      UINT64_C (0x200005678) },
    /* b; bti, b */
    { { 0x14000010 }, 1, true, START + 64 },
    { { 0xd503245f, 0x14000010 }, 2, true, START + 68 },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      uint8_t code[24];
      uint64_t target = 0;
      size_t bytes = 4 * rows[i].count;
      store (code, rows[i].words, rows[i].count);
      ck_assert (arm_veneer_target (code, bytes, START, true, &target));
      ck_assert_uint_eq (target, rows[i].target);
      ck_assert_int_eq (arm_veneer_target (code, bytes, START, false, &target),
			!rows[i].needs_name);
      /* One that is cut is none.  */
      ck_assert (!arm_veneer_target (code, bytes - 4, START, false, &target));
    }
}
END_TEST

START_TEST (other_code_is_no_veneer)
{
  static const uint32_t rows[][4] = {
    { 0xd00fdd50, 0xf9400211, 0x91000210, 0xd61f0220 }, /* of .plt */
    { 0xd00fdd51, 0x91003210, 0xd61f0200 },		/* another register */
    { 0x58000050, 0x91003210, 0xd61f0200 },		/* ldr, add, br */
    { 0x58000010, 0xd61f0200, 0, 0 },			/* loads itself */
    { 0x58ffffd0, 0xd61f0200, 0, 0 },			/* before it */
    { 0xa9bd7bfd, 0x14000010 },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      uint8_t code[16];
      uint64_t target;
      store (code, rows[i], 4);
      ck_assert_msg (!arm_veneer_target (code, 16, START, true, &target),
		     "row %zu", i);
    }
  ck_assert (arm_veneer_has_name ("__third_veneer"));
  ck_assert (arm_veneer_has_name ("__AArch64ADRPThunk_third"));
  ck_assert (!arm_veneer_has_name ("__erratum_843419_veneer_1"));
  ck_assert (!arm_veneer_has_name ("_veneer"));
  ck_assert (!arm_veneer_has_name ("third"));
}
END_TEST

START_TEST (x86_flow_is_known)
{
  static const struct
  {
    const char *code;
    unsigned int size;
    bool leaves;
    bool returns;
    bool calls;
    uint64_t target;
  } rows[] = {
    { "\xc3", 1, true, true, false, 0 },
    { "\xf3\xc3", 2, true, true, false, 0 },
    { "\xc2\x08", 3, true, true, false, 0 },
    { "\xe8\x10\0\0", 5, true, false, true, START + 21 },
    { "\x66\xe9\xf0\xff\xff\xff", 6, true, false, false, START - 10 },
    { "\xeb\xfe", 2, true, false, false, START },
    { "\xff\xd0", 2, true, false, true, 0 },
    { "\xff\xe0", 2, true, false, false, 0 },  /* jmp */
    { "\xff\xc0", 2, false, false, false, 0 }, /* inc */
    { "\x74\x10", 2, false, false, false, 0 }, /* je */
    { "\x90", 1, false, false, false, 0 },
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      uint8_t code[8] = { 0 };
      uint64_t target = 0;
      memcpy (code, rows[i].code, strlen (rows[i].code));
      struct instruction_flow flow = x86_instruction_flow (code, rows[i].size);
      bool has_target = disassembler_find_target (EM_X86_64, code, rows[i].size,
						  START, &target);
      ck_assert_msg (flow.leaves == rows[i].leaves
		       && flow.returns == rows[i].returns
		       && flow.calls == rows[i].calls
		       && has_target == (rows[i].target != 0)
		       && target == rows[i].target,
		     "row %zu: leaves %d returns %d target %llx", i,
		     flow.leaves, flow.returns, (unsigned long long) target);
    }
}
END_TEST

/* Displacements are not addresses if there is an address relative to the
   instruction, nor is any number in code that may be loaded anywhere.  */
START_TEST (x86_data_is_found)
{
  static const struct
  {
    const char *code;
    unsigned int size;
    bool code_is_fixed;
    uint64_t targets[2];
  } rows[] = {
    /* mov 0x12345678(%rip),%eax */
    { "\x8b\x05\x78\x56\x34\x12", 6, false, { START + 6 + 0x12345678 } },
    { "\x8b\x05\x78\x56\x34\x12", 6, true, { START + 6 + 0x12345678 } },
    /* movl $0x404060,0x2000(%rip) */
    { "\xc7\x05\x00\x20\x00\x00\x60\x40\x40\x00",
      10,
      true,
      { START + 10 + 0x2000, 0x404060 } },
    /* mov $0x404060,%edi */
    { "\xbf\x60\x40\x40\x00", 5, true, { 0x404060 } },
    { "\xbf\x60\x40\x40\x00", 5, false, { 0 } },
    /* mov 0x404060(,%rax,4),%eax */
    { "\x8b\x04\x85\x60\x40\x40\x00", 7, true, { 0x404060 } },
    /* movq $0x404070,0x404060 */
    { "\x48\xc7\x04\x25\x60\x40\x40\x00\x70\x40\x40\x00",
      12,
      true,
      { 0x404070, 0x404060 } },
    /* mov %eax,%ebx */
    { "\x89\xc3", 2, true, { 0 } },
  };
  if (disassembler_problem (EM_X86_64) != NULL)
    return;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      struct instruction_references found;
      struct disassembler *disassembler
	= disassembler_open (EM_X86_64, (const uint8_t *) rows[i].code,
			     rows[i].size, START);
      ck_assert_uint_eq (rows[i].size,
			 disassembler_take_references (disassembler, 0,
						       rows[i].code_is_fixed,
						       &found));
      unsigned int count
	= (rows[i].targets[0] != 0) + (rows[i].targets[1] != 0);
      ck_assert_msg (found.count == count, "row %zu: %u", i, found.count);
      for (unsigned int j = 0; j < count; j++)
	ck_assert_msg (found.addresses[j] == rows[i].targets[j],
		       "row %zu: %llx", i,
		       (unsigned long long) found.addresses[j]);
      disassembler_close (disassembler);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("instructions");
  TCase *arm = tcase_create ("arm");
  tcase_add_test (arm, arm_flow_is_known);
  tcase_add_test (arm, arm_code_is_disassembled);
  tcase_add_test (arm, arm_data_is_found);
  tcase_add_test (arm, other_machines_are_refused);
  tcase_add_test (arm, veneers_have_targets);
  tcase_add_test (arm, other_code_is_no_veneer);
  suite_add_tcase (suite, arm);
  TCase *x86 = tcase_create ("x86");
  tcase_add_test (x86, x86_flow_is_known);
  tcase_add_test (x86, x86_data_is_found);
  suite_add_tcase (suite, x86);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? 0 : 1;
}
