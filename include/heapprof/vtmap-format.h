/* The section with promoted virtual calls (doc/vtmap-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later

   The plugin writes it, heapprof-gcov profgen reads it.  It is a list of
   records, each aligned to 8 bytes and little-endian:

     offset  bytes
     0	     4	    bytes of the record, a multiple of 8
     4	     2	    version, 1
     6	     2	    flags
     8	     8	    address of the jump that is taken, or not, if the pointer of
		    an object is that to the table
     16	     8	    where the code for such objects begins
     24	     8	    where the code for the others begins
     32	     n	    linkage name of the table or function, a NUL, zeros

   Addresses are those of the file; 0 if the linker discarded the code.  */

#ifndef HEAPPROF_VTMAP_FORMAT_H
#define HEAPPROF_VTMAP_FORMAT_H

#define HEAPPROF_VTMAP_SECTION ".heapprof.vtmap"

#define HEAPPROF_VTMAP_VERSION 1
#define HEAPPROF_VTMAP_HEAD_BYTES 32

enum heapprof_vtmap_flag
{
  /* The code for the others begins with the comparison of another record.  */
  HEAPPROF_VTMAP_CONTINUED = 1,
  /* The comparison is of the function called: the name is that of a function,
     and "the table" is any that has it.  */
  HEAPPROF_VTMAP_FUNCTION = 2
};

#endif /* HEAPPROF_VTMAP_FORMAT_H */
