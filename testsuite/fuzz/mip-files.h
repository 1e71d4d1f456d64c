/* Make valid files of machine-level profiles, to be damaged.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_FILES_H
#define HEAPPROF_MIP_FILES_H

#include "mip-profile.h"

/* The records of a map with functions of all kinds, one of them with blocks. */
struct byte_writer mip_files_map (void);

/* RECORDS, SIZE bytes, as the map of a program.  The result points into memory
   that stays.  */
struct mip_map mip_files_program (const void *records, size_t size);

/* The profile of that map.  It must be there.  */
struct mip_profile *mip_files_profile (void);

/* RUNS runs of that program as a raw file.  */
struct byte_writer mip_files_raw (unsigned int runs);

/* The raw file of three runs that were added up, with rows for those of blocks;
   and that of two whose coverage has sums.  */
struct byte_writer mip_files_sums (void);
struct byte_writer mip_files_coverage_sums (void);

#endif /* HEAPPROF_MIP_FILES_H */
