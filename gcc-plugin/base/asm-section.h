/* Assembler text in sections of their own.
   SPDX-License-Identifier: GPL-3.0-or-later

   A variable in a named section would not do: GCC takes one of a comdat
   function and one of another in the same section for a conflict.  */

#ifndef HEAPPROF_ASM_SECTION_H
#define HEAPPROF_ASM_SECTION_H

/* Begin the section NAME with FLAGS and TYPE, in the comdat group of DECL if it
   has one; DECL may be NULL.  Then go back to where that was.  */
void asm_push_section (const char *name, const char *flags, const char *type,
		       tree decl);
void asm_pop_section (void);

/* The same for a section that is not loaded, about the function DECL, which the
   linker keeps if, and only if, it keeps the code of that.  */
void asm_push_section_of (const char *name, tree decl);

/* Of the constructors' priorities those up to 100 belong to the
   implementation.  */
#define HEAPPROF_INIT_PRIORITY 1

/* Have the function SYMBOL called when the program starts, before any
   constructor of users, once however many objects say so.  */
void asm_initialiser (const char *symbol, bool is_hidden);

/* Write TEXT without its end.  */
void asm_text (const char *text);

/* LABEL as it stands in assembler text.  Malloced.  */
char *asm_label_name (rtx_insn *label);

#endif /* HEAPPROF_ASM_SECTION_H */
