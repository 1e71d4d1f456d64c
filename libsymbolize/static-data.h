/* The static data of an object file: variables and constants by address, and
   where they point.
   SPDX-License-Identifier: GPL-3.0-or-later

   Only objects that the linker took from sections of the usual names are here:
   not those of threads, tables of the linker, nor what it copied from other
   files.  String literals and tables of jumps have no symbols, so they are no
   objects.  */

#ifndef HEAPPROF_STATIC_DATA_H
#define HEAPPROF_STATIC_DATA_H

#include "object-file.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sections of the linked file, by the beginning of their names.  */
enum static_data_section
{
  STATIC_DATA_RODATA,	   /* .rodata */
  STATIC_DATA_DATA_REL_RO, /* .data.rel.ro: constants with relocations */
  STATIC_DATA_DATA,	   /* .data */
  STATIC_DATA_BSS,	   /* .bss */
  STATIC_DATA_SECTIONS
};

struct static_object
{
  uint64_t address;
  uint64_t bytes;
  const char *name; /* owned by the object file */
  enum static_data_section section;
};

/* A pointer in the file, or that the dynamic linker puts there.  */
struct static_pointer
{
  uint64_t place;
  uint64_t target;
  bool is_in_data;   /* else it is in the linker's table of addresses */
  bool is_relocated; /* the dynamic linker puts it there */
};

/* All zeros is empty.  */
struct static_data
{
  struct static_object *objects; /* by address, then by name */
  size_t count, capacity;
  struct static_pointer *pointers; /* by place */
  size_t pointer_count, pointer_capacity;
};

/* Fill DATA with that of FILE, which must outlive it.  Return false if memory
   is exhausted.  */
bool static_data_read (struct static_data *data, struct object_file *file);
void static_data_release (struct static_data *data);

/* Return the number of the object that contains ADDRESS, the first one of
   several at one place; SIZE_MAX if there is none.  */
size_t static_data_find (const struct static_data *data, uint64_t address);

/* Return the number of the first pointer at or after ADDRESS.  */
size_t static_data_pointer (const struct static_data *data, uint64_t address);

#endif /* HEAPPROF_STATIC_DATA_H */
