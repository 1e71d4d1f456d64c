/* Make valid files of machine-level profiles, to be damaged.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_MIP_FILES_H
#define HEAPPROF_MIP_FILES_H

#include "mip-profile.h"

/* Return the records of a map with functions of all kinds, one of them with
   blocks.  */
struct byte_writer mip_files_map (void);

/* Return RECORDS, SIZE bytes, as the map of a program.  The result points into
   static memory.  */
struct mip_map mip_files_program (const void *records, size_t size);

/* Return the profile of that map; abort on failure.  */
struct mip_profile *mip_files_profile (void);

/* Return the raw file of RUNS runs of that program.  */
struct byte_writer mip_files_raw (unsigned int runs);

/* Return the raw file of three runs that were added up, with rows for those of
   blocks; and that of two runs whose coverage has sums.  */
struct byte_writer mip_files_sums (void);
struct byte_writer mip_files_coverage_sums (void);

#endif /* HEAPPROF_MIP_FILES_H */
