/* Make valid sections of pseudo probes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "probe-files.h"
#include "function-id.h"
#include <string.h>

/* What a probe's second byte consists of.  */
#define SENTINEL 0x20
#define HAS_DISCRIMINATOR 0x40
#define IS_DISTANCE 0x80

static uint64_t
guid_of (const char *name)
{
  return function_guid (name, strlen (name));
}

void
probe_files_symbols (struct pseudo_probe_symbol symbols[PROBE_FILE_SYMBOLS])
{
  symbols[0] = (struct pseudo_probe_symbol){ guid_of ("main"), 0x401000 };
  symbols[1] = (struct pseudo_probe_symbol){ guid_of ("foo"), 0x402000 };
  symbols[2] = (struct pseudo_probe_symbol){ guid_of ("foo"), 0x403000 };
  symbols[3] = (struct pseudo_probe_symbol){ guid_of ("foo.cold"), 0x404000 };
  pseudo_probe_symbols_sort (symbols, PROBE_FILE_SYMBOLS);
}

static void
put_function (struct byte_writer *writer, const char *name, uint64_t checksum)
{
  byte_writer_u64 (writer, guid_of (name));
  byte_writer_u64 (writer, checksum);
  byte_writer_uleb128 (writer, strlen (name));
  byte_writer_bytes (writer, name, strlen (name));
}

/* Begin the record of a copy with PROBES, into which INLINED are inlined.  */
static void
put_copy (struct byte_writer *writer, const char *name, unsigned int probes,
	  unsigned int inlined)
{
  byte_writer_u64 (writer, guid_of (name));
  byte_writer_uleb128 (writer, probes);
  byte_writer_uleb128 (writer, inlined);
}

/* Add a probe DISTANCE bytes, less than 64, after the one before.  */
static void
put_probe (struct byte_writer *writer, unsigned int number,
	   enum pseudo_probe_kind kind, int distance)
{
  byte_writer_uleb128 (writer, number);
  byte_writer_u8 (writer, IS_DISTANCE | kind);
  byte_writer_u8 (writer, distance & 0x7f);
}

static void
put_probe_at (struct byte_writer *writer, unsigned int number, uint8_t flags,
	      uint64_t value)
{
  byte_writer_uleb128 (writer, number);
  byte_writer_u8 (writer, flags);
  byte_writer_u64 (writer, value);
}

struct byte_writer
probe_files_sections (bool has_address)
{
  struct byte_writer functions = { 0 };
  struct byte_writer both = { 0 };
  put_function (&functions, "main", 563122719896946);
  put_function (&functions, "foo", 4294967295);
  put_function (&functions, "bar", 281479271677951);
  put_function (&functions, "foo", 4294967295);
  byte_writer_u32 (&both, functions.size);
  byte_writer_bytes (&both, functions.data, functions.size);
  byte_writer_free (&functions);

  put_copy (&both, "main", 3, 2);
  if (has_address)
    put_probe_at (&both, 1, PSEUDO_PROBE_BLOCK, 0x401000);
  else
    put_probe (&both, 1, PSEUDO_PROBE_BLOCK, 0);
  put_probe (&both, 2, PSEUDO_PROBE_DIRECT_CALL, 20);
  put_probe (&both, 3, PSEUDO_PROBE_INDIRECT_CALL, 10);
  byte_writer_uleb128 (&both, 4);
  put_copy (&both, "foo", 2, 1);
  put_probe (&both, 1, PSEUDO_PROBE_BLOCK, -7);
  byte_writer_uleb128 (&both, 3);
  byte_writer_u8 (&both, IS_DISTANCE | HAS_DISCRIMINATOR | PSEUDO_PROBE_BLOCK);
  byte_writer_bytes (&both, "\xe4\x00\x05", 3);
  byte_writer_uleb128 (&both, 2);
  put_copy (&both, "bar", 1, 0);
  put_probe (&both, 1, PSEUDO_PROBE_BLOCK, 0);
  byte_writer_uleb128 (&both, 300);
  put_copy (&both, "bar", 1, 0);
  put_probe (&both, 1, PSEUDO_PROBE_BLOCK, 3);

  put_copy (&both, "foo", 2, 0);
  put_probe (&both, 1, PSEUDO_PROBE_BLOCK, 0);
  put_probe (&both, 2, PSEUDO_PROBE_DIRECT_CALL, 4);
  put_copy (&both, "foo", 1, 0);
  put_probe (&both, 1, PSEUDO_PROBE_BLOCK, 0);
  put_copy (&both, "foo", 2, 0);
  put_probe_at (&both, 0, SENTINEL, guid_of ("foo.cold"));
  put_probe (&both, 4, PSEUDO_PROBE_BLOCK, 8);
  return both;
}
