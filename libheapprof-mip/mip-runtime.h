/* Declarations shared by the files of libheapprof-mip.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#ifndef HEAPPROF_MIP_RUNTIME_H
#define HEAPPROF_MIP_RUNTIME_H

#include "heapprof/mip-format.h"
#include "mip-machine.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#define MIP_PATH_BYTES 1024

/* True if the coverage byte SLOT marks its code as reached.  */

static inline bool
mip_is_marked (char slot)
{
  return ((slot ^ MIP_UNMARKED) & HEAPPROF_MIP_MARKS) != 0;
}

/* Kinds of slots: coverage, counts, orders, calls.  */
#define MIP_SECTIONS 4

struct mip_section
{
  uint16_t kind; /* enum heapprof_mip_kind */
  uint16_t element_bytes;
  char *begin; /* NULL if there is none */
  char *end;
};

/* The sections plus edges.  */
#define MIP_CHUNKS (MIP_SECTIONS + 1)
#define MIP_PIECES (3 + 3 * MIP_CHUNKS)

/* A raw file about to be written.  */
struct mip_image
{
  struct heapprof_mip_image header;
  struct heapprof_mip_chunk chunks[MIP_CHUNKS];
  struct iovec pieces[MIP_PIECES];
  int piece_count;
  /* The first record of edges: all numbers but that of calls are 0, which is
     at the same offset in both kinds of records.  */
  struct heapprof_mip_edge edge_total;
  void *edges;	    /* the other records, mapped; NULL if there are none */
  size_t edge_room; /* bytes mapped */
};

_Static_assert(sizeof (struct heapprof_mip_edge)
		   == sizeof (struct heapprof_mip_pointer_calls)
		 && offsetof (struct heapprof_mip_edge, calls)
		      == offsetof (struct heapprof_mip_pointer_calls, calls),
	       "records of edges");

enum mip_option
{
  MIP_MERGE,
  MIP_MAP,
  MIP_OFF,
  MIP_SWITCHES, /* number of those that are 0 or 1 */
  MIP_FILE = MIP_SWITCHES,
  MIP_SIGNAL,
  MIP_OPTIONS
};

struct mip_options
{
  const char *file; /* pattern; up to a colon or the end */
  bool is_on[MIP_SWITCHES];
};

/* Nothing below is visible outside the executable or shared object.  */
#pragma GCC visibility push(hidden)

extern struct mip_options mip_options;
extern uint64_t mip_start_ns;
extern uint32_t mip_start_process;

/* Number of functions called so far.  */
extern uint32_t mip_last_order;

/* True if the slots are mapped to the raw file.  */
extern bool mip_is_mapped;

uint64_t mip_clock_ns (void);

/* Open the file PATH with FLAGS to append BYTES bytes; a new file is accessible
   only to its owner.  Return the open file, or a negated error number: -EFBIG
   if the file may not become that long, as the kernel would then end the
   program.  */
int mip_open (const char *path, int flags, size_t bytes);

/* Fill in section NUMBER.  */
void mip_section_get (int number, struct mip_section *section);

/* What to do with the edges counted so far.  */
struct mip_edge_functions
{
  /* Set the edges of IMAGE, whose edge_total is all 0, to a copy, and fill in
     CHUNK for them.  If there is no memory, all calls are lost.  */
  void (*copy) (struct mip_image *image, struct heapprof_mip_chunk *chunk);
  void (*forget) (void);
};

/* NULL if the program does not count calls by caller.  As in the pointers
   below, a weak definition is replaced: gold does not resolve weak references
   to 0 in programs that are position-independent.  */
extern const struct mip_edge_functions *mip_edge_functions;

/* Make a chunk of KIND for BYTES bytes of edges behind edge_total.  */

static inline struct heapprof_mip_chunk
mip_edge_chunk (uint16_t kind, uint64_t address, size_t bytes)
{
  bytes += sizeof (struct heapprof_mip_edge);
  return (struct heapprof_mip_chunk){ .kind = kind,
				      .element_bytes
				      = sizeof (struct heapprof_mip_edge),
				      .address = address,
				      .bytes = bytes,
				      .stored = bytes };
}

/* Fill in IMAGE from the slots as they are now; FLAGS are enum
   heapprof_mip_image_flags.  It points to itself and to the slots, and has a
   copy of the edges, to be released.  */
void mip_image_make (struct mip_image *image, uint32_t flags);
void mip_image_release (struct mip_image *image);

/* Set the checksum of HEADER.  */
void mip_image_seal (struct heapprof_mip_image *header);

/* Store the name of the raw file of the image with HEADER in PATH, of
   MIP_PATH_BYTES; with WITH_PROCESS, the name of a separate file.  Return true
   if the name contains the build ID, so that each link unit has its own
   file.  */
bool mip_name (char *path, const struct heapprof_mip_image *header,
	       bool with_process);

/* Map the slots to the raw file.  Return 0, or a negated error number.  */
int __heapprof_mip_map (void);

/* The same, NULL if that is not linked.  */
extern int (*mip_map_function) (void);

/* Write the raw file as the options say, with FLAGS as above.  Return 0, or a
   negated error number.  */
int mip_dump (uint32_t flags);

/* Write IMAGE to the file PATH, opened with the additional flags MODE.  Return
   as mip_dump does.  */
int mip_image_write (const struct mip_image *image, const char *path, int mode);

/* Add IMAGE to the file PATH, opened with the additional flags MODE.  Return 0
   on success, 1 if IMAGE cannot be added to that file, or a negated error
   number.  */
int mip_merge (const struct mip_image *image, const char *path, int mode);

/* Add this run to the rows of FILE, whose image starts with the FIXED bytes at
   TO, and update TO to the new start of the image.  Return 0, 1 if the file
   does not fit, or a negated error number.  Linked if blocks have probes.  */
int __heapprof_mip_blocks (int file, char *to, size_t fixed);

/* The same, NULL if that is not linked.  */
extern int (*mip_blocks_function) (int file, char *to, size_t fixed);

#pragma GCC visibility pop

#endif /* HEAPPROF_MIP_RUNTIME_H */
