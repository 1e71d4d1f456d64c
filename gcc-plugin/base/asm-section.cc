/* Assembler text in separate sections.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "asm-section.h"

void
asm_push_section (const char *name, const char *flags, const char *type,
		  tree decl)
{
  tree group = decl ? DECL_COMDAT_GROUP (decl) : NULL_TREE;

  fprintf (asm_out_file, "\t.pushsection\t%s,\"%s%s\",@%s", name, flags,
	   group ? "G" : "", type);
  if (group)
    fprintf (asm_out_file, ",%s,comdat", IDENTIFIER_POINTER (group));
  putc ('\n', asm_out_file);
}

void
asm_push_section_of (const char *name, tree decl)
{
  tree group = DECL_COMDAT_GROUP (decl);

  fprintf (asm_out_file, "\t.pushsection\t%s,\"%so\",@progbits,", name,
	   group ? "G" : "");
  /* Without quotes, which GCC 16 writes around names with -masm=intel: here the
     assembler takes them for a part of the name.  */
  fputs (targetm.strip_name_encoding (XSTR (XEXP (DECL_RTL (decl), 0), 0)),
	 asm_out_file);
  if (group)
    fprintf (asm_out_file, ",%s,comdat", IDENTIFIER_POINTER (group));
  putc ('\n', asm_out_file);
}

void
asm_pop_section (void)
{
  fprintf (asm_out_file, "\t.popsection\n");
}

void
asm_initialiser (const char *symbol, bool is_hidden)
{
  fprintf (asm_out_file,
	   "\t.pushsection\t.init_array.%05d,\"awG\",@init_array,"
	   "%s.entry,comdat\n\t.balign\t%d\n",
	   HEAPPROF_INIT_PRIORITY, symbol, POINTER_SIZE_UNITS);
  if (is_hidden)
    fprintf (asm_out_file, "\t.hidden\t%s\n", symbol);
  fprintf (asm_out_file, "%s%s\n\t.popsection\n",
	   integer_asm_op (POINTER_SIZE_UNITS, true), symbol);
}

/* One byte at a time, so that no character of TEXT needs quoting.  */
void
asm_text (const char *text)
{
  for (size_t i = 0; text[i]; i++)
    fprintf (asm_out_file, "%s%d%s", i % 16 == 0 ? "\t.byte\t" : ",",
	     (unsigned char) text[i], i % 16 == 15 || !text[i + 1] ? "\n" : "");
}

char *
asm_label_name (rtx_insn *label)
{
  char text[40];

  ASM_GENERATE_INTERNAL_LABEL (text, "L", CODE_LABEL_NUMBER (label));
  return xstrdup (text + (*text == '*'));
}
