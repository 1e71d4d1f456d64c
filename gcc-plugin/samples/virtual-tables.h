/* The virtual tables of C++ classes that a unit knows.
   SPDX-License-Identifier: GPL-3.0-or-later

   Those that the unit has or refers to are in its symbol table.  The tables of
   classes that are only declared in it are known from their types, which are
   noted as the front end completes them.  */

#ifndef HEAPPROF_VIRTUAL_TABLES_H
#define HEAPPROF_VIRTUAL_TABLES_H

/* Note the tables of classes from now on for which WANTED says so.  */
void virtual_tables_start (const char *plugin_name,
			   bool (*wanted) (uint64_t guid));

/* Put the tables noted into the symbol table, so that objects for LTO can have
   them.  */
void virtual_tables_declare (void);

/* Find all tables of the unit; and release what that took.  */
void virtual_tables_collect (void);
void virtual_tables_release (void);

/* The variable that is the table GUID; NULL if the unit does not know it.  */
tree virtual_tables_find (uint64_t guid);

/* Where pointers to TABLE, the variable, point in objects, bytes behind its
   beginning, when they are the pointers of the base class CLASS_TYPE.  If there
   is not exactly one such offset the result is a reason; else NULL.  */
const char *virtual_table_offset (tree table, tree class_type,
				  unsigned HOST_WIDE_INT *offset);

/* Can code of the unit compare with the address of TABLE?  */
bool virtual_table_usable_p (tree table);

/* TABLE is compared with: have the linker take it as absent if nothing defines
   it.  */
void virtual_table_refer (tree table);

#endif /* HEAPPROF_VIRTUAL_TABLES_H */
