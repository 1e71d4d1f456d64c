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

/* PROFILE as an indexed file of FILE_VERSION and MEMPROF_VERSION; PROFILE is
   left.  */
struct sample_file sample_indexed (const struct profile *profile,
				   unsigned int file_version,
				   unsigned int memprof_version);

/* About N contexts, or functions, chosen by chance, as such a file.  */
struct sample_file sample_heap (unsigned int n, unsigned int file_version,
				unsigned int memprof_version);
struct sample_file sample_counters (unsigned int n, unsigned int file_version);

/* Where the heapprof section of FILE begins; its size if it has none.  */
size_t sample_section (const struct sample_file *file);

/* FILE with the blocks of its heapprof section stored plain.  */
struct sample_file sample_inflated (const struct sample_file *file);

/* LLVM's part of FILE, a heap profile with details in version 4, with the names
   of static data deflated, as LLVM writes them.  */
struct sample_file sample_deflated (const struct sample_file *file);

/* The header and the heapprof section of FILE alone, which is all that a lookup
   of gcc's counters reads.  */
struct sample_file sample_section_alone (const struct sample_file *file);

/* N functions as text, and N contexts, with all that YAML has, as YAML.  */
struct sample_file sample_text (unsigned int n);
struct sample_file sample_yaml (unsigned int n);

/* gcc's counters of several units, and the same as part of the heapprof
   section.  */
struct gcov_profile *sample_gcov (void);
/* A unit as three objects have it, functions of which are public and call each
   other.  */
struct gcov_profile *sample_gcov_copies (void);
struct sample_file sample_gcov_section (void);

/* Two dumps of MemProf's raw profile of VERSION, 3 to 5; in the second MIBs and
   stacks are not in one order.  */
struct sample_file sample_memprof_raw (unsigned int version);

/* Sample profiles: of functions inlined into each other; of functions with
   context; of probes.  */
#define SAMPLE_PROFILES 3

/* Number I of them as text; in LLVM's binary form, of which bits of CHOICE say:
   raw, GUIDs for names, compressed, split; and in gcc's form of VERSION, only
   number 0.  The raw form has no place for all of them: then there are no
   bytes.  */
struct sample_file sample_profile_text (unsigned int i);
struct sample_file sample_profile_binary (unsigned int i, unsigned int choice);
struct sample_file sample_profile_afdo (unsigned int version);

#endif /* HEAPPROF_SAMPLE_FILES_H */
