/* The section that lists promoted virtual calls (doc/vtmap-format.md).
   SPDX-License-Identifier: GPL-3.0-or-later

   Written by the plugin, read by heapprof-gcov profgen.  It is a list of
   little-endian records, each aligned to 8 bytes:

     offset  bytes
     0	     4	    size of the record in bytes, a multiple of 8
     4	     2	    version, 1
     6	     2	    flags
     8	     8	    address of the jump that depends on whether an object's
		    table pointer points to the table
     16	     8	    start of the code for objects with that table
     24	     8	    start of the code for all others
     32	     n	    linkage name of the table or function, NUL, zeros

   Addresses are link addresses; 0 if the linker discarded the code.  */

#ifndef HEAPPROF_VTMAP_FORMAT_H
#define HEAPPROF_VTMAP_FORMAT_H

#define HEAPPROF_VTMAP_SECTION ".heapprof.vtmap"

#define HEAPPROF_VTMAP_VERSION 1
#define HEAPPROF_VTMAP_HEAD_BYTES 32

enum heapprof_vtmap_flag
{
  /* The code for all others starts with the comparison of another record.  */
  HEAPPROF_VTMAP_CONTINUED = 1,
  /* The function to be called is compared instead: the name is that of a
     function, and "the table" is any table that contains it.  */
  HEAPPROF_VTMAP_FUNCTION = 2
};

#endif /* HEAPPROF_VTMAP_FORMAT_H */
