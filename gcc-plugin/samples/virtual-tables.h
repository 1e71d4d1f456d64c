/* The virtual tables of C++ classes that a unit knows.
   SPDX-License-Identifier: GPL-3.0-or-later

   The symbol table contains the tables that the unit defines or refers to.  The
   tables of other classes that it declares are found through their types, which
   are collected when the front end completes them.  */

#ifndef HEAPPROF_VIRTUAL_TABLES_H
#define HEAPPROF_VIRTUAL_TABLES_H

/* Start collecting the tables of classes for which WANTED returns true.  */
void virtual_tables_start (const char *plugin_name,
			   bool (*wanted) (uint64_t guid));

/* Add the collected tables to the symbol table, so that objects for LTO can
   contain them.  */
void virtual_tables_declare (void);

/* Find all tables of the unit or link; and release the memory for that.  */
void virtual_tables_collect (void);
void virtual_tables_release (void);

/* Return the variable that holds the table GUID, or NULL if the unit does not
   know it.  */
tree virtual_tables_find (uint64_t guid);

/* Add all variables that hold a table GUID to *ALL.  */
void virtual_tables_find_all (uint64_t guid, vec<tree> *all);

/* Store in *OFFSET where the table pointers of the base class CLASS_TYPE in
   objects point to, in bytes from the start of the variable TABLE.  Return
   NULL, or the reason if there is not exactly one such offset.  */
const char *virtual_table_offset (tree table, tree class_type,
				  unsigned HOST_WIDE_INT *offset);

/* True if code of the unit can compare with the address of TABLE.  */
bool virtual_table_usable_p (tree table);

/* Prepare a comparison with TABLE: make the linker treat it as absent if
   nothing defines it.  */
void virtual_table_refer (tree table);

#endif /* HEAPPROF_VIRTUAL_TABLES_H */
