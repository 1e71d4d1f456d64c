/* Sample profiles as gcc takes them: -fauto-profile's .afdo.
   SPDX-License-Identifier: GPL-3.0-or-later

   Numbers are u32, in the byte order that the magic number shows; counters are
   two of them, the lower half first.

     head           u32 magic (gcda), u32 version, u32 0
     summary        in version 3: u32 tag; counters: sum of counts, greatest
		    count, greatest head, number of counts, number of functions;
		    counter number of cutoffs (16), each: u32 cutoff, counter
		    least count, counter number
     names          u32 tag, u32 length; in version 3: u32 number of source
		    files, each a string; u32 number, each: string, in version 3
		    u32 file or UINT32_MAX; name 0 is no function's
     functions      u32 tag, u32 length, u32 number, each: counter head, in
		    version 3 counter time of the first run, instance
     instance       u32 name, u32 number of locations, u32 number of inlined
		    functions;
		    for each location: u32 offset, u32 number of targets,
   counter count, for each target: u32 kind, counter name, counter count; for
   each inlined function: u32 offset, instance modules        u32 tag, u32
   length, u32 0 working set    u32 tag, u32 length, 128 times u32 and counter;
   may lack, and nothing reads it

     string         version 1: u32 number of words, the bytes with 1 to 4 NULs;
		    else u32 number of bytes, the bytes with one NUL
     offset         line << 16 | discriminator
     length         in words as version 1 would have them; nothing reads it

   A function's total is not in the file: it is the sum of its locations.  There
   is no place for virtual tables, contexts, checksums, attributes and lists of
   functions; nor, before version 3, for source files and first runs.  */

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

/* Versions that gcc takes: up to 11; 12 to 15; 16.  */
#define SAMPLE_AFDO_LEAST_VERSION 1
#define SAMPLE_AFDO_GREATEST_VERSION 3

/* So many bytes tell whether a file is one.  */
#define SAMPLE_AFDO_START_BYTES 16

  /* Do the N bytes at DATA start as such a file does?  Counters of gcc's own
     have the same magic number.  */
  bool sample_afdo_has_magic (const void *data, size_t n);

  /* Fold the file of SIZE bytes at DATA into PROFILE; PATH names it in errors.
     False and *ERR if that fails, with PROFILE half changed.  */
  bool sample_afdo_fold (struct sample_profile *profile, const char *path,
			 const void *data, size_t size,
			 struct profile_error *err);

  /* Make the file of VERSION of PROFILE: *DATA is malloced, *SIZE its bytes.
     Functions are written under their names without compilers' suffixes, and
     discriminators with their lower 16 bits.  False and *ERR, without a path,
     if the profile is one of probes, if of a name only the GUID is known, or if
     memory cannot be had.  */
  bool sample_afdo_serialize (const struct sample_profile *profile,
			      unsigned int version, void **data, size_t *size,
			      struct profile_error *err);

#ifdef __cplusplus
}
#endif

#endif /* HEAPPROF_SAMPLE_AFDO_H */
