/* LLVM's MemProf section of an indexed profile, versions 0 to 4.
   SPDX-License-Identifier: GPL-3.0-or-later

   It has GUIDs instead of names, and few fields of each MIB.  Call sites
   implied by contexts are not kept.  */

#ifndef HEAPPROF_MEMPROF_READER_H
#define HEAPPROF_MEMPROF_READER_H

#include "byte-reader.h"
#include "heap-profile.h"
#include <stdbool.h>
#include <stdint.h>

/* Read the section at OFFSET of the file of READER into PROFILE.  Return false
   if READER failed.  */
bool memprof_section_read (struct byte_reader *reader, uint64_t offset,
			   struct heap_profile *profile);

#endif /* HEAPPROF_MEMPROF_READER_H */
