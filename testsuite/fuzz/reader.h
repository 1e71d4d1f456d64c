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

/* Bounds of what a reader may allocate at any time: for an empty file, and for
   each byte.  */
struct reader_bounds
{
  size_t base_bytes;
  size_t bytes_per_byte;
};

struct reader
{
  const char *name;
  /* Read the SIZE bytes at DATA, use everything read, free it.  Return false
     and set *ERR, with READER_PATH, if they are rejected.  Call reader_has_read
     after reading and before using the result.  */
  bool (*read) (const unsigned char *data, size_t size,
		struct profile_error *err);
  /* Return true if the N bytes at DATA start like such a file.  This must hold
     for all files that can be read.  NULL if any bytes may be such a file.  */
  bool (*recognise) (const void *data, size_t n);
  /* Return a malloced copy, of *REPAIRED_SIZE bytes, of the SIZE bytes at DATA,
     in which derived data such as a checksum or an index is correct.  Return
     NULL if these cannot be computed.  NULL if the format has no derived
     data.  */
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
extern const struct reader reader_pseudo_probes;
extern const struct reader reader_raw;
extern const struct reader reader_sample_afdo;
extern const struct reader reader_sample_binary;
extern const struct reader reader_sample_text;
extern const struct reader reader_text;
extern const struct reader reader_yaml;

/* Return the reader called NAME; NULL if unknown.  */
const struct reader *reader_find (const char *name);

/* Return a malloced copy of the SIZE bytes at DATA, so that a sanitizer detects
   reads past its end.  */
unsigned char *reader_copy (const void *data, size_t size);

/* Called by readers: after reading; and to fail because of an invalid
   result.  */
void reader_has_read (void);
void reader_fail (const char *what) __attribute__ ((noreturn));

/* ERR contains the cause of a failure while using the result, which can only be
   that memory ran out; otherwise fail with WHAT.  Set its path.  Return
   false.  */
bool reader_ran_out (struct profile_error *err, const char *what);

/* Set the input of the next check: the SIZE bytes at DATA, called LABEL, both
   of which must stay valid.  If KEEP is true, they are saved to a file if the
   check fails.  */
void reader_begin (const char *label, bool keep, const unsigned char *data,
		   size_t size);

/* Run READER on the input, and check its obligations as described above, with
   BOUNDS.  Print an error and abort if they are violated.  Return the reader's
   result.  */
bool reader_check (const struct reader *reader,
		   const struct reader_bounds *bounds);

/* Return the most bytes that a reader had allocated at one time while it read,
   since the last call of this function.  */
size_t reader_most_bytes (void);

#endif /* HEAPPROF_READER_H */
