/* Sample profiles in GCC's format: -fauto-profile's .afdo.
   SPDX-License-Identifier: GPL-3.0-or-later

   Numbers are u32, in the byte order of the magic number.  Counters are two
   numbers, the lower half first.

     head           u32 magic (gcda), u32 version, u32 0
     summary        in version 3: u32 tag; counters: sum of counts, greatest
		    count, greatest head, number of counts, number of functions;
		    counter number of cutoffs (16), each: u32 cutoff, counter
		    least count, counter number
     names          u32 tag, u32 length; in version 3: u32 number of source
		    files, each a string; u32 number, each: string, in version 3
		    u32 file or UINT32_MAX; name 0 belongs to no function
     functions      u32 tag, u32 length, u32 number, each: counter head, in
		    version 3 counter time of the first run, instance
     instance       u32 name, u32 number of locations, u32 number of inlined
		    functions;
		    for each location: u32 offset, u32 number of targets,
		    counter count, for each target: u32 kind, counter name,
		    counter count;
		    for each inlined function: u32 offset, instance
     modules        u32 tag, u32 length, u32 0
     working set    u32 tag, u32 length, 128 times u32 and counter; optional
		    and never read

     string         version 1: u32 number of words, the bytes with 1 to 4 NULs;
		    otherwise: u32 number of bytes, the bytes with one NUL
     offset         line << 16 | discriminator
     length         in words, as in version 1; never read

   The total of a function is not stored: it is the sum of its locations.  The
   format cannot hold virtual tables, contexts, checksums, attributes and lists
   of functions; nor, before version 3, source files and first runs.

   Version 4 was proposed to GCC's developers in 2026: sections with a table of
   contents, strings in a trie, and a compact and a textual form.  No GCC reads
   it (a GCC 17 of October 2026 reads version 3), and its layout was still
   changing.  Such files are recognised and refused.  */

#ifndef HEAPPROF_SAMPLE_AFDO_H
#define HEAPPROF_SAMPLE_AFDO_H

#include "profile-error.h"
#include "sample-profile.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* Versions that GCC reads: up to 11; 12 to 15; 16.  */
#define SAMPLE_AFDO_LEAST_VERSION 1
#define SAMPLE_AFDO_GREATEST_VERSION 3

/* First version with source files and times of first runs.  */
#define SAMPLE_AFDO_FILES_VERSION 3

/* Number of leading bytes that identify such a file.  */
#define SAMPLE_AFDO_START_BYTES 16

  /* Return true if the N bytes at DATA start like such a file.  GCC's own
     counter files have the same magic number.  */
  bool sample_afdo_has_magic (const void *data, size_t n);

  /* Merge the file of SIZE bytes at DATA into PROFILE.  PATH names it in
     errors.  Return false and set *ERR on failure; PROFILE is then
     incomplete.  */
  bool sample_afdo_fold (struct sample_profile *profile, const char *path,
			 const void *data, size_t size,
			 struct profile_error *err);

  /* Create a file of VERSION from PROFILE: *DATA is malloced, *SIZE is its size
     in bytes.  Functions are written with names without compiler suffixes, and
     discriminators are cut to 16 bits.  Return false and set *ERR, without a
     path, if the profile has probe-based samples, if only the GUID of a name is
     known, or if memory is exhausted.  */
  bool sample_afdo_serialize (const struct sample_profile *profile,
			      unsigned int version, void **data, size_t *size,
			      struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_SAMPLE_AFDO_H */
