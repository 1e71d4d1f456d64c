/* Count the instructions that a program executes in an emulator.
   SPDX-License-Identifier: GPL-3.0-or-later

   This shared object is a plugin of qemu's user mode (qemu-aarch64 -plugin
   FILE,out=NUMBER PROGRAM).  At the end of the program, the file NUMBER gets
   the number of instructions.  qemu's header is not installed everywhere, so
   the few functions in use are declared here.  */

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define EXPORTED __attribute__ ((visibility ("default")))

struct qemu_plugin_insn;
struct qemu_plugin_tb;
struct qemu_info;

void qemu_plugin_register_vcpu_tb_trans_cb (
  uint64_t id, void (*translated) (uint64_t id, struct qemu_plugin_tb *block));
void qemu_plugin_register_atexit_cb (uint64_t id,
				     void (*at_exit) (uint64_t id, void *data),
				     void *data);
size_t qemu_plugin_tb_n_insns (const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn (const struct qemu_plugin_tb *block, size_t number);
void qemu_plugin_register_vcpu_insn_exec_inline (struct qemu_plugin_insn
						   *instruction,
						 int operation, void *sum,
						 uint64_t added);

/* Add to a u64.  */
#define OPERATION_ADD 0

EXPORTED int qemu_plugin_version = 1;

static uint64_t executed;
static char output[4096];

static void
count_block (uint64_t id, struct qemu_plugin_tb *block)
{
  size_t n = qemu_plugin_tb_n_insns (block);
  (void) id;
  for (size_t i = 0; i < n; i++)
    qemu_plugin_register_vcpu_insn_exec_inline (qemu_plugin_tb_get_insn (block,
									 i),
						OPERATION_ADD, &executed, 1);
}

static void
write_number (uint64_t id, void *data)
{
  FILE *file = fopen (output, "w");
  (void) id;
  (void) data;
  if (file == NULL)
    return;
  fprintf (file, "%" PRIu64 "\n", executed);
  fclose (file);
}

EXPORTED int
qemu_plugin_install (uint64_t id, const struct qemu_info *info, int count,
		     char **arguments)
{
  static const char name[] = "out=";
  size_t n = sizeof name - 1;
  (void) info;
  if (count != 1 || strncmp (arguments[0], name, n) != 0)
    return -1;
  snprintf (output, sizeof output, "%s", arguments[0] + n);
  qemu_plugin_register_vcpu_tb_trans_cb (id, count_block);
  qemu_plugin_register_atexit_cb (id, write_number, NULL);
  return 0;
}
