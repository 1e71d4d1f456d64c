/* The readers that are tested with damaged files.
   SPDX-License-Identifier: GPL-3.0-or-later

   A reader reads bytes and uses all results: it walks over them and, if there
   is a writer, writes them, reads the output, and writes it again, which must
   give the same bytes.  For any bytes, it must fill in the error if it rejects
   them, free all memory, and not allocate more than the size of the input
   justifies.  */

#ifndef HEAPPROF_READER_H
#define HEAPPROF_READER_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name of the file in errors.  */
#define READER_PATH "variant"

/* Bounds of what reading may allocate at any time: for a file of no bytes, and
   for each byte.  */
struct reader_bounds
{
  size_t base_bytes;
  size_t bytes_per_byte;
};

struct reader
{
  const char *name;
  /* Read the SIZE bytes at DATA, look at everything read, free it.  False and
     *ERR, with READER_PATH, if they are refused.  Call reader_has_read when
     reading is over and looking begins.  */
  bool (*read) (const unsigned char *data, size_t size,
		struct profile_error *err);
  /* Do the N bytes at DATA start as such a file does?  What is read must.  NULL
     if all may not.  */
  bool (*recognise) (const void *data, size_t n);
  /* A copy, malloced, *REPAIRED_SIZE bytes, of the SIZE bytes at DATA, in
     which what follows from the rest is right: a checksum, an index.  It gives
     NULL if that cannot be told, and is itself NULL if the format has no such
     thing.  */
  unsigned char *(*repair) (const unsigned char *data, size_t size,
			    size_t *repaired_size);
  struct reader_bounds bounds;
};

extern const struct reader reader_gcov_data;
extern const struct reader reader_gcov_lookup;
extern const struct reader reader_gcov_notes;
extern const struct reader reader_gcov_section;
extern const struct reader reader_heap_lookup;
extern const struct reader reader_indexed;
extern const struct reader reader_lookup;
extern const struct reader reader_memprof_raw;
extern const struct reader reader_mip;
extern const struct reader reader_mip_map;
extern const struct reader reader_mip_map_file;
extern const struct reader reader_mip_raw;
extern const struct reader reader_mip_text;
extern const struct reader reader_perf_data;
extern const struct reader reader_perf_dump;
extern const struct reader reader_perf_script;
extern const struct reader reader_raw;
extern const struct reader reader_sample_afdo;
extern const struct reader reader_sample_binary;
extern const struct reader reader_sample_text;
extern const struct reader reader_text;
extern const struct reader reader_yaml;

/* The one called NAME; NULL if none is.  */
const struct reader *reader_find (const char *name);

/* A copy of the SIZE bytes at DATA, malloced; a sanitizer sees who looks beyond
   its end.  */
unsigned char *reader_copy (const void *data, size_t size);

/* What readers call: reading is over; and what was read, or what became of it,
   is not as it must be.  */
void reader_has_read (void);
void reader_fail (const char *what) __attribute__ ((noreturn));

/* ERR has the cause of a failure while looking, which can only be that memory
   ran out: else fail as WHAT.  Give it a path; false.  */
bool reader_ran_out (struct profile_error *err, const char *what);

/* What is checked next: the SIZE bytes at DATA, called LABEL, both of which
   must stay; they are left in a file when something is wrong if KEEP is
   true.  */
void reader_begin (const char *label, bool keep, const unsigned char *data,
		   size_t size);

/* Let READER read those bytes, and check all that is said above, with BOUNDS.
   If something is wrong, print it and abort.  The result is the reader's.  */
bool reader_check (const struct reader *reader,
		   const struct reader_bounds *bounds);

/* The most bytes that a reader had allocated at a time while it read, since
   this was asked last.  */
size_t reader_most_bytes (void);

#endif /* HEAPPROF_READER_H */
