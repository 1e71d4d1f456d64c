/* The pseudo probes of an object file (doc/pseudo-probes.md).
   SPDX-License-Identifier: GPL-3.0-or-later

   A compiler marks each block and each call of a function by a probe, which has
   a number but no code.  The probe is at the address of the instruction that
   follows it.  A function that is inlined brings its probes along, so the same
   probe may be at many addresses, each in another inlined copy.  */

#ifndef HEAPPROF_PSEUDO_PROBES_H
#define HEAPPROF_PSEUDO_PROBES_H

#include "profile-error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PSEUDO_PROBE_FUNCTIONS_SECTION ".pseudo_probe_desc"
#define PSEUDO_PROBE_SECTION ".pseudo_probe"

/* The caller of a copy that is not inlined.  */
#define PSEUDO_PROBE_NO_COPY UINT32_MAX

/* The number of the probe at the start of a function.  */
#define PSEUDO_PROBE_ENTRY 1

enum pseudo_probe_kind
{
  PSEUDO_PROBE_BLOCK,
  PSEUDO_PROBE_INDIRECT_CALL,
  PSEUDO_PROBE_DIRECT_CALL
};

#define PSEUDO_PROBE_KINDS 3

/* A function of the source.  */
struct pseudo_probe_function
{
  uint64_t guid;
  uint64_t checksum; /* of the control flow */
  const char *name;  /* NAME_BYTES, not terminated */
  uint32_t name_bytes;
};

/* The code of a function: on its own, or inlined.  */
struct pseudo_probe_copy
{
  uint32_t function; /* its number */
  uint32_t caller;   /* the number of the copy that it is inlined into, less
			than its own; or PSEUDO_PROBE_NO_COPY */
  uint32_t site;     /* the number of the call's probe in CALLER */
  uint32_t depth;    /* number of copies it is inlined into */
};

struct pseudo_probe
{
  uint64_t address; /* first, for sorting */
  uint32_t copy;
  uint32_t number;
  uint32_t discriminator;
  uint8_t kind; /* of enum pseudo_probe_kind */
};

/* All zeros is empty.  */
struct pseudo_probes
{
  struct pseudo_probe_function *functions; /* by GUID */
  struct pseudo_probe_copy *copies;	   /* in the order of the section */
  struct pseudo_probe *probes; /* by address, then in the order of the
				  section */
  uint32_t function_count;
  uint32_t copy_count;
  uint32_t probe_count;
};

/* A symbol of code.  Several symbols of one name are in the order of their
   addresses.  */
struct pseudo_probe_symbol
{
  uint64_t guid; /* of its name */
  uint64_t address;
};

/* Sort the COUNT SYMBOLS as pseudo_probes_read wants them.  */
void pseudo_probe_symbols_sort (struct pseudo_probe_symbol *symbols,
				size_t count);

/* Add to PROBES, which is empty, the functions that SIZE bytes at DATA, the
   section of functions of the file PATH, describe.  PROBES refers to DATA.
   Return false and set *ERR, with the offset in the section, if it is invalid
   or memory is exhausted.  */
bool pseudo_probes_read_functions (struct pseudo_probes *probes,
				   const char *path, const void *data,
				   size_t size, struct profile_error *err);

/* Add to PROBES, which has just the functions, the probes that SIZE bytes at
   DATA, the section of probes of the file PATH, describe.  SYMBOLS are sorted,
   COUNT of them.  Return false and set *ERR, with the offset in the section, if
   it is invalid or memory is exhausted.  */
bool pseudo_probes_read (struct pseudo_probes *probes,
			 const struct pseudo_probe_symbol *symbols,
			 size_t count, const char *path, const void *data,
			 size_t size, struct profile_error *err);

void pseudo_probes_release (struct pseudo_probes *probes);

/* Return the number of the first probe of PROBES whose address is not before
   ADDRESS; PROBE_COUNT if none.  */
uint32_t pseudo_probes_first (const struct pseudo_probes *probes,
			      uint64_t address);

/* Return the first probe of a call at ADDRESS, which several calls may share
   after optimization; NULL if there is none.  */
const struct pseudo_probe *
pseudo_probes_call (const struct pseudo_probes *probes, uint64_t address);

#endif /* HEAPPROF_PSEUDO_PROBES_H */
