/* Make valid files of every format, with our own writers or by hand, to be
   damaged.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_FILES_H
#define HEAPPROF_SAMPLE_FILES_H

#include "profile.h"
#include <stddef.h>
#include <stdint.h>

struct sample_file
{
  unsigned char *data; /* malloced */
  size_t size;
};

/* Return PROFILE as an indexed file of FILE_VERSION and MEMPROF_VERSION.
   PROFILE is not freed.  */
struct sample_file sample_indexed (const struct profile *profile,
				   unsigned int file_version,
				   unsigned int memprof_version);

/* Return an indexed file with about N random contexts, or functions.  */
struct sample_file sample_heap (unsigned int n, unsigned int file_version,
				unsigned int memprof_version);
struct sample_file sample_counters (unsigned int n, unsigned int file_version);

/* Return where the heapprof section of FILE starts; FILE's size if it has
   none.  */
size_t sample_section (const struct sample_file *file);

/* Return FILE with the blocks of its heapprof section uncompressed.  */
struct sample_file sample_inflated (const struct sample_file *file);

/* Return LLVM's part of FILE, a heap profile with details in version 4, with
   the names of static data deflated, as LLVM writes them.  */
struct sample_file sample_deflated (const struct sample_file *file);

/* Return only the header and the heapprof section of FILE, which is all that a
   lookup of gcc's counters reads.  */
struct sample_file sample_section_alone (const struct sample_file *file);

/* Return N functions as text, and N contexts, with everything that YAML can
   express, as YAML.  */
struct sample_file sample_text (unsigned int n);
struct sample_file sample_yaml (unsigned int n);

/* Return gcc's counters of several units, and the same as part of the heapprof
   section.  */
struct gcov_profile *sample_gcov (void);
/* Return a unit as it is in three objects, some functions of which are public
   and call each other.  */
struct gcov_profile *sample_gcov_copies (void);
struct sample_file sample_gcov_section (void);

/* Return two dumps of MemProf's raw profile of VERSION, 3 to 5.  In the second,
   MIBs and stacks are not in the same order.  */
struct sample_file sample_memprof_raw (unsigned int version);

/* Sample profiles: functions inlined into each other; functions with context;
   probes.  */
#define SAMPLE_PROFILES 3

/* Return sample profile I as text; in LLVM's binary form, where the bits of
   CHOICE select raw, GUIDs instead of names, compressed, split; and, only
   number 0, in gcc's form of VERSION.  The result is empty if the raw form
   cannot represent the profile.  */
struct sample_file sample_profile_text (unsigned int i);
struct sample_file sample_profile_binary (unsigned int i, unsigned int choice);
struct sample_file sample_profile_afdo (unsigned int version);

#endif /* HEAPPROF_SAMPLE_FILES_H */
