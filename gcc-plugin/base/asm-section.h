/* Assembler text in separate sections.
   SPDX-License-Identifier: GPL-3.0-or-later

   A variable in a named section does not work: GCC reports a section conflict
   between a variable of a comdat function and one of another function.  */

#ifndef HEAPPROF_ASM_SECTION_H
#define HEAPPROF_ASM_SECTION_H

/* Switch to the section NAME with FLAGS and TYPE, in the comdat group of DECL
   if it has one; DECL may be NULL.  asm_pop_section returns to the previous
   section.  */
void asm_push_section (const char *name, const char *flags, const char *type,
		       tree decl);
void asm_pop_section (void);

/* Switch to a section that is not loaded and describes the function DECL.  The
   linker keeps it if and only if it keeps the code of DECL.  */
void asm_push_section_of (const char *name, tree decl);

/* Constructor priorities up to 100 are reserved for the implementation.  */
#define HEAPPROF_INIT_PRIORITY 1

/* Call the function SYMBOL once at program start, before any constructor of the
   user, however many objects request it.  */
void asm_initialiser (const char *symbol, bool is_hidden);

/* Write TEXT without its terminating null character.  */
void asm_text (const char *text);

/* Return the name of LABEL in assembler text, in malloced memory.  */
char *asm_label_name (rtx_insn *label);

#endif /* HEAPPROF_ASM_SECTION_H */
