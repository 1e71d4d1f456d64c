/* Data types of allocation sites.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SITE_TYPES_H
#define HEAPPROF_SITE_TYPES_H

/* A call, or a variable, whose value is a pointer to allocated memory.  */
struct typed_value
{
  /* The type that it points to; NULL if unknown, error_mark_node if there are
     different types.  */
  tree type;
  /* Where the type starts in the block, in bytes: after the element count of an
     array.  */
  unsigned HOST_WIDE_INT offset;
  /* The function returns it.  */
  bool returned;
};

/* Note in VALUE that a TYPE starts OFFSET bytes after the address.  Classes
   take precedence over other types: memory for a class may also be accessed as
   bytes, or start with the element count of an array.  A class takes precedence
   over its bases, because pointers to it are converted to pointers to
   these.  */
void typed_value_note (typed_value *value, tree type,
		       unsigned HOST_WIDE_INT offset);

/* True if TYPE is a pointer to a type that memory may be allocated for.  */
bool site_types_pointer_p (tree type);

/* Add the call in FUNCTION at LOCATION, whose value is VALUE, to the sites.  */
void site_types_add (tree function, location_t location,
		     const typed_value &value);

/* Register the examination of functions when the front end finishes them.  */
void site_types_register (const char *plugin_name);

/* Make entries for the collected sites in functions that are defined.  Call it
   before the IPA passes, while the front end can still spell names.  */
void site_types_collect (void);

/* Write the entries to the assembler file FILE, for use in this object or, with
   FOR_LTO, in the program made by link-time optimization.  */
void site_types_output (FILE *file, bool for_lto);

#endif /* HEAPPROF_SITE_TYPES_H */
