/* Unit tests of perf recordings: the events read from each form, and the
   processes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "byte-writer.h"
#include "ibs-operation.h"
#include "perf-builder.h"
#include "perf-data.h"
#include "perf-processes.h"
#include "perf-recording.h"
#include "perf-threads.h"
#include "perf-units.h"
#include "spe-packets.h"
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct profile_error err;

/* Two processes: the second is forked from the first and executes another
   program.  The records are in reverse order, as if from two processors.  */
static const char description[]
  = "branches 8 50 0x700010 0x700008/0x700010\n"
    "map 8 40 0x700000 0x1000 0x1000 5 /bin/a\n"
    "exec 8 30\n"
    "branches 8 25 0x401010 0x401018/0x401010 0x401000/0x401010\n"
    "fork 8 20 7\n"
    "map 7 10 0x401000 0x1000 0x1000 5 /bin/a 0102030405\n"
    "map 7 11 0x402000 0x1000 0x2000 1 /bin/a\n"
    "load 7 12 0x401020 0x402010\n"
    "store 7 13 0x401020 0x402018\n"
    "tick 7 14 0x401030 0xfffffffffffffe00 0x401030 0x401044\n";

/* The events that must be read from it.  */
static const char events[]
  = "sample 50 8 e0 ip 700010 700008/700010/2\n"
    "map 40 8 700000 1000 1000 5 /bin/a\n"
    "exec 30 8\n"
    "sample 25 8 e0 ip 401010 401018/401010/2 401000/401010/2\n"
    "fork 20 8 7\n"
    "map 10 7 401000 1000 1000 5 /bin/a\n"
    "map 11 7 402000 1000 2000 1 /bin/a\n"
    "sample 12 7 e1 ip 401020 address 402010 period 13\n"
    "sample 13 7 e1 ip 401020 stored 402018 period 13\n"
    "sample 14 7 e2 ip 401030 period 13 fffffffffffffe00 401030 401044\n";

static bool
print_mapping (void *closure, const struct perf_mapping *mapping,
	       struct profile_error *e)
{
  (void) e;
  byte_writer_print (closure,
		     "map %" PRIu64 " %d %" PRIx64 " %" PRIx64 " %" PRIx64
		     " %u ",
		     mapping->order, mapping->pid, mapping->start,
		     mapping->bytes, mapping->file_offset, mapping->protection);
  byte_writer_bytes (closure, mapping->path, mapping->path_bytes);
  for (size_t i = 0; i < mapping->build_id_bytes; i++)
    byte_writer_print (closure, "%s%02x", i == 0 ? " " : "",
		       mapping->build_id[i]);
  byte_writer_print (closure, "\n");
  return true;
}

static bool
print_process (void *closure, const struct perf_process *process,
	       struct profile_error *e)
{
  (void) e;
  if (process->parent == PERF_NO_PID)
    byte_writer_print (closure, "exec %" PRIu64 " %d\n", process->order,
		       process->pid);
  else
    byte_writer_print (closure, "fork %" PRIu64 " %d %d\n", process->order,
		       process->pid, process->parent);
  return true;
}

static bool
print_sample (void *closure, const struct perf_sample *sample,
	      struct profile_error *e)
{
  (void) e;
  byte_writer_print (closure, "sample %" PRIu64 " %d ", sample->order,
		     sample->pid);
  if (sample->event == PERF_NO_EVENT)
    byte_writer_print (closure, "none");
  else
    byte_writer_print (closure, "e%u", sample->event);
  if (sample->count != 1)
    byte_writer_print (closure, " times %" PRIu64, sample->count);
  if (sample->has_ip)
    byte_writer_print (closure, " ip %" PRIx64, sample->ip);
  if (sample->target != 0)
    byte_writer_print (closure, " target %" PRIx64, sample->target);
  if (sample->address != 0)
    byte_writer_print (closure, " %s %" PRIx64,
		       sample->is_store ? "stored" : "address",
		       sample->address);
  if (sample->period != 0)
    byte_writer_print (closure, " period %" PRIu64, sample->period);
  for (size_t i = 0; i < sample->branch_count; i++)
    byte_writer_print (closure, " %" PRIx64 "/%" PRIx64 "/%" PRIu64,
		       sample->branches[i].from, sample->branches[i].to,
		       sample->branches[i].flags);
  for (size_t i = 0; i < sample->caller_count; i++)
    byte_writer_print (closure, " %" PRIx64, sample->callers[i]);
  byte_writer_print (closure, "\n");
  return true;
}

static bool
print_build_id (void *closure, const struct perf_build_id *id,
		struct profile_error *e)
{
  (void) e;
  byte_writer_bytes (closure, id->path, id->path_bytes);
  for (size_t i = 0; i < id->build_id_bytes; i++)
    byte_writer_print (closure, "%s%02x", i == 0 ? " " : "", id->build_id[i]);
  byte_writer_print (closure, "\n");
  return true;
}

/* Return the events in the SIZE bytes at DATA as text, malloced: the build IDs
   if IS_IDS, otherwise all other events.  */
static char *
print_events (const void *data, size_t size, enum perf_form form, bool is_ids)
{
  struct byte_writer out = { 0 };
  struct perf_handler handler = { .closure = &out };
  if (is_ids)
    handler.build_id = print_build_id;
  else
    {
      handler.mapping = print_mapping;
      handler.process = print_process;
      handler.sample = print_sample;
    }
  struct perf_recording *recording
    = perf_recording_of_memory ("memory", data, size, form, &err);
  ck_assert_ptr_nonnull (recording);
  ck_assert_msg (perf_recording_read (recording, &handler, &err), "%s",
		 err.cause);
  perf_recording_close (recording);
  byte_writer_u8 (&out, 0);
  return (char *) out.data;
}

static void
expect_events (const void *data, size_t size, const char *expected)
{
  char *text = print_events (data, size, PERF_FORM_ANY, false);
  ck_assert_str_eq (text, expected);
  free (text);
}

START_TEST (every_layout_says_the_same)
{
  for (int layout = 0; layout < PERF_LAYOUTS; layout++)
    {
      size_t size;
      unsigned char *data
	= perf_build (description, (enum perf_layout) layout, &size);
      if (!data)
	continue;
      expect_events (data, size, events);
      char *ids = print_events (data, size, PERF_FORM_ANY, true);
      ck_assert_str_eq (ids, layout == PERF_LAYOUT_OPEN
			       ? ""
			       : "/bin/a 0102030405\n");
      free (ids);
      free (data);
    }
}
END_TEST

START_TEST (script_is_read)
{
  static const char script[]
    = "PERF_RECORD_MMAP2 7/7: [0x401000(0x1000) @ 0x1000 fe:00 12 0]: r-xp "
      "/bin/a b\n"
      "PERF_RECORD_MMAP2 7/7: [0x402000(0x1000) @ 0 <0a0b>]: r--p /bin/a\n"
      "x 7 1.5: PERF_RECORD_MMAP 7/7: [0x403000(0x10) @ 0]: x /old\n"
      "\n"
      "     401010 0x401018/0x401010/P/-/-/1/  0x401000/0x401010/M/-/-/1/ \n"
      " 0x401018/0x401010/-\n"
      "3\n"
      "\t  401030\n"
      "\t  401044\n"
      " 0x401018/0x401010/P/-/-/10/UNCOND/-\n"
      " 0x401018/0x401010/P/-/-/1/COND/NON_SPEC_CORRECT_PATH  "
      "0x401018/0x401234/M/-/-/1/COND/SPEC_WRONG_PATH  "
      "0x401000/0x401010/P/-/-/1/COND/SPEC_CORRECT_PATH\n"
      "junk\n";
  expect_events (script, sizeof script - 1,
		 "map 0 7 401000 1000 1000 5 /bin/a b\n"
		 "map 77 7 402000 1000 0 1 /bin/a 0a0b\n"
		 "map 143 7 403000 10 0 4 /old\n"
		 "sample 204 -2147483648 e0 ip 401010 401018/401010/2 "
		 "401000/401010/1\n"
		 "sample 272 -2147483648 e0 401018/401010/0\n"
		 "sample 315 -2147483648 e0 times 3 401018/401010/2 401030 "
		 "401044\n"
		 "sample 352 -2147483648 e0 401018/401010/2 "
		 "401000/401010/2\n");
}
END_TEST

/* Everything that Linux records with branches is read: the type of the branch
   in bits 20 to 23 of its flags, privileges from bit 30.  What was speculated,
   in bits 24 and 25, did not happen if it was on a wrong path, 1.  */
START_TEST (speculated_branches_are_left_out)
{
  size_t size;
  unsigned char *data
    = perf_build ("branches 7 1 0x10 0x20/0x10/0x2000002 0x28/0x14/0x1000001 "
		  "0x30/0x18/0x3000002 0x38/0x1c/0x2\n"
		  "counted 7 2 0x10 0x900 0x20/0x10/0x42300002 "
		  "0x28/0x14/0x41000001 0x30/0x18/0x40400002\n",
		  PERF_LAYOUT_FILE, &size);
  expect_events (data, size,
		 "sample 1 7 e0 ip 10 20/10/33554434 30/18/50331650 38/1c/2\n"
		 "sample 2 7 e3 ip 10 stored 900 20/10/1110441986 "
		 "30/18/1077936130\n");
  free (data);
}
END_TEST

/* The description must have the EVENTS.  */
static void
expect_described (const char *text, enum perf_layout layout,
		  const char *expected)
{
  size_t size;
  unsigned char *data = perf_build (text, layout, &size);
  expect_events (data, size, expected);
  free (data);
}

START_TEST (operations_of_arm_are_read)
{
  static const char recorded[] = "spe 7 100 0x401000 load 0x402000\n"
				 "spe 7 101 0x401004 store 0x402008\n"
				 "spe 7 102 0x401008 wrong 0x402010\n"
				 "spe 7 103 0x40100c branch 0x401000\n"
				 "spe 0 104 0x401010 other 0\n";
  static const char expected[] = "sample 100 7 none ip 401000\n"
				 "sample 100 7 none ip 401000 address 402000\n"
				 "sample 101 7 none ip 401004\n"
				 "sample 101 7 none ip 401004 stored 402008\n"
				 "sample 103 7 none ip 40100c target 401000\n"
				 "sample 104 -2147483648 none ip 401010\n";
  expect_described (recorded, PERF_LAYOUT_FILE, expected);
  expect_described (recorded, PERF_LAYOUT_STREAM, expected);
  expect_described (recorded, PERF_LAYOUT_BIG_ENDIAN, expected);
  expect_described (recorded, PERF_LAYOUT_OPEN, expected);
}
END_TEST

/* An operation is a sample of its instruction, and one of its data if it
   accessed any; without a valid instruction it is none.  */
START_TEST (operations_of_amd_are_read)
{
  static const char recorded[] = "ibs 7 100 0x401000 load 0x402000\n"
				 "ibs 7 101 0x401004 store 0x402008\n"
				 "ibs 7 102 0x401008 branch 0x401100\n"
				 "ibs 7 103 0x40100c missed 0x401200\n"
				 "ibs 7 104 0x401010 other 0\n"
				 "ibs 7 105 0x401014 invalid 0\n"
				 "ibs-data 7 106 0x401018 load 0x402010\n"
				 "ibs-data 7 107 0x40101c store 0x402018\n"
				 "ibs-data 7 108 0x401020 other 0\n";
  static const char expected[] = "sample 100 7 e4 ip 401000\n"
				 "sample 100 7 e4 ip 401000 address 402000\n"
				 "sample 101 7 e4 ip 401004\n"
				 "sample 101 7 e4 ip 401004 stored 402008\n"
				 "sample 102 7 e4 ip 401008 target 401100\n"
				 "sample 103 7 e4 ip 40100c\n"
				 "sample 104 7 e4 ip 401010\n"
				 "sample 106 7 e5 ip 401018\n"
				 "sample 106 7 e5 ip 401018 address 402010\n"
				 "sample 107 7 e5 ip 40101c\n"
				 "sample 107 7 e5 ip 40101c stored 402018\n"
				 "sample 108 7 e5 ip 401020\n";
  expect_described (recorded, PERF_LAYOUT_FILE, expected);
  expect_described (recorded, PERF_LAYOUT_STREAM, expected);
  expect_described (recorded, PERF_LAYOUT_BIG_ENDIAN, expected);
#ifdef HAVE_ZSTD
  expect_described (recorded, PERF_LAYOUT_COMPRESSED, expected);
#endif
  /* An interrupted recording does not name its units.  */
  expect_described ("ibs 7 100 0x401000 load 0x402000\n"
		    "ibs-data 7 101 0x401018 load 0x402010\n",
		    PERF_LAYOUT_OPEN,
		    "sample 100 7 e4 ip 401001\n"
		    "sample 101 7 e5 ip 401018 address 402010\n");
}
END_TEST

/* A processor may report no targets, and a newer kernel more registers.  */
START_TEST (registers_of_amd_are_read)
{
  uint32_t words[2 * 10 + 1] = { 0 };
  struct byte_reader reader;
  struct ibs_operation operation;
  words[0] = 0x3ff; /* can do, among others, targets */
  words[3] = 0x401000;
  words[6] = 1 << 3;	  /* took a branch */
  words[9] = 3 | 1 << 17; /* loads and stores, with an address */
  words[11] = 0x402000;
  words[12] = 0x7fff;
  words[15] = 0x401100;
  byte_reader_init (&reader, "memory", words, sizeof words, &err);
  ck_assert (ibs_operation_read (&reader, &operation));
  ck_assert (operation.has_ip && !operation.is_store);
  ck_assert_uint_eq (operation.ip, 0x401000);
  ck_assert_uint_eq (operation.target, 0x401100);
  ck_assert_uint_eq (operation.address, UINT64_C (0x7fff00402000));
  words[0] = 0x3df; /* no targets */
  words[9] = 2;	    /* a store with an unknown address */
  byte_reader_init (&reader, "memory", words, 60, &err);
  ck_assert (ibs_operation_read (&reader, &operation));
  ck_assert (operation.has_ip && operation.is_store);
  ck_assert_uint_eq (operation.target, 0);
  ck_assert_uint_eq (operation.address, 0);
  for (size_t i = 0; i < 60; i++)
    {
      byte_reader_init (&reader, "memory", words, i, &err);
      ck_assert (!ibs_operation_read (&reader, &operation));
      ck_assert (strstr (err.cause, "an operation of AMD IBS"));
    }
}
END_TEST

START_TEST (damaged_units_are_refused)
{
  static const char bytes[] = "\2\0\0\0\4\0\0\0\4\0\0\0cpu\0"
			      "\13\0\0\0\7\0\0\0ibs_op";
  struct byte_reader reader;
  struct perf_units units = { 0 };
  byte_reader_init (&reader, "memory", bytes, sizeof bytes, &err);
  ck_assert (perf_units_read (&units, &reader));
  ck_assert_uint_eq (units.ibs_op, 11);
  for (size_t i = 0; i < sizeof bytes; i++)
    {
      byte_reader_init (&reader, "memory", bytes, i, &err);
      ck_assert (!perf_units_read (&units, &reader));
      ck_assert (strstr (err.cause, "the units of the recording machine"));
    }
}
END_TEST

/* Whatever an operation consists of: padding, addresses with long headers, in
   the kernel, in physical memory; counters, a source of data; no events.  It
   ends with 01 if there is no time.  What is cut off is not used.  */
START_TEST (packets_of_arm_are_read)
{
  expect_described ("aux 00 00 b0 10 0 40 0 0 0 0 80 49 0 01\n"
		    "aux 20 b0 11 0 40 0 0 0 0 80 21 98 1 0 43 2 01 00\n"
		    "aux b0 12 0 40 0 0 f0 ff e0 b3 0 0 0 0 0 0 0 0 01\n"
		    "aux b0 13 0 40 0 0 0 0 80 22 00 ff ff ff ff ff 01\n"
		    "aux 62 5 0 0 0 72 2 0 0 0 0 0 0 0 b0 14 0 0 0 0 0 0 0 01\n"
		    "aux 01 49 0 01 b0 15 0 0 0 0 0 0 0 71 1 0\n",
		    PERF_LAYOUT_FILE,
		    "sample 18446744073709551615 -2147483648 none ip 400010\n"
		    "sample 18446744073709551615 -2147483648 none ip 400011\n"
		    "sample 18446744073709551615 -2147483648 none ip "
		    "fffff00000400012\n"
		    "sample 18446744073709551615 -2147483648 none ip 400013\n"
		    "sample 18446744073709551615 -2147483648 none ip 14\n");
}
END_TEST

/* All that is recorded of an operation, in bytes as a processor writes them. */
START_TEST (operations_have_all_their_fields)
{
  static const unsigned char bytes[]
    = { 0xb0, 0x10, 0,	  0x40, 0, 0, 0, 0, 0x80, /* instruction */
	0x49, 0x01,				  /* store */
	0x52, 0x86, 0x01,			  /* events */
	0x98, 0x34, 0x12,			  /* latency */
	0x99, 0xff, 0xff,			  /* until it was issued */
	0x65, 0x07, 0,	  0,	0,		  /* context */
	0xb2, 0x08, 0,	  0x60, 0, 0, 0, 0, 0x5a, /* data, with a tag */
	0x53, 0x0d, 0x01,			  /* source */
	0x71, 1,    2,	  3,	4, 5, 6, 7, 8,	  /* time */
	0xb0, 0x14, 0,	  0x40, 0, 0, 0, 0, 0x80, /* a branch */
	0x4a, 0x01, 0x42, 0xc2,			  /* not taken */
	0xb1, 0x00, 0x01, 0x40, 0, 0, 0, 0, 0x80, /* target */
	0x01 };
  struct byte_reader reader;
  struct spe_operation operation;
  bool is_whole;
  byte_reader_init (&reader, "memory", bytes, sizeof bytes, &err);
  ck_assert (spe_operation_take (&reader, 0, &operation, &is_whole));
  ck_assert (is_whole && operation.has_ip && operation.has_address
	     && operation.has_context && operation.has_events
	     && operation.is_store);
  ck_assert_int_eq (operation.kind, SPE_MEMORY);
  ck_assert_uint_eq (operation.ip, 0x400010);
  ck_assert_uint_eq (operation.address, 0x600008);
  ck_assert_uint_eq (operation.target, 0);
  ck_assert_uint_eq (operation.events,
		     SPE_RETIRED | 4 | SPE_MISPREDICTED | 256);
  ck_assert_uint_eq (operation.latency, 0x1234);
  ck_assert_uint_eq (operation.context, 7);
  ck_assert_uint_eq (operation.source, 0x10d);
  ck_assert_uint_eq (operation.time, UINT64_C (0x0807060504030201));
  ck_assert (spe_operation_take (&reader, 0, &operation, &is_whole));
  ck_assert (is_whole && operation.has_ip && !operation.has_address
	     && !operation.has_context && !operation.is_store);
  ck_assert_int_eq (operation.kind, SPE_BRANCH);
  ck_assert_uint_eq (operation.target, 0x400100);
  ck_assert_uint_eq (operation.events,
		     SPE_RETIRED | SPE_NOT_TAKEN | SPE_MISPREDICTED);
  ck_assert (spe_operation_has_happened (&operation));
  ck_assert_uint_eq (byte_reader_left (&reader), 0);
  /* Cut off anywhere, it is no whole one.  */
  for (size_t i = 0; i < 46; i++)
    {
      byte_reader_init (&reader, "memory", bytes, i, &err);
      ck_assert (spe_operation_take (&reader, 0, &operation, &is_whole));
      ck_assert (!is_whole);
    }
}
END_TEST

/* A thread of a process that is not the first, and one that ended and whose
   number is now that of a process.  */
START_TEST (threads_have_processes)
{
  struct perf_threads threads = { 0 };
  ck_assert_int_eq (perf_threads_process (&threads, 5), 5);
  ck_assert (perf_threads_add (&threads, 9, 7));
  ck_assert (perf_threads_add (&threads, 8, 7));
  ck_assert_int_eq (perf_threads_process (&threads, 8), 7);
  ck_assert_int_eq (perf_threads_process (&threads, 9), 7);
  ck_assert_int_eq (perf_threads_process (&threads, 7), 7);
  ck_assert (perf_threads_add (&threads, 9, 9));
  ck_assert (perf_threads_add (&threads, 8, 6));
  ck_assert (perf_threads_add (&threads, 8, 4));
  ck_assert_int_eq (perf_threads_process (&threads, 8), 4);
  ck_assert_int_eq (perf_threads_process (&threads, 9), 9);
  perf_threads_release (&threads);
}
END_TEST

START_TEST (dump_is_read)
{
  static const char dump[]
    = "1000 0x138 [0x78]: PERF_RECORD_MMAP2 9/9: [0x55dd8eb91000(0x1000) @ 0 "
      "fe:00 1198064 0]: r--p /mnt/p\n"
      "... dso: x\n"
      "0 1177 0x13a8 [0x38]: PERF_RECORD_SAMPLE(IP, 0x4002): 301/302: 0x7faa "
      "period: 13 addr: 0x7fab\n"
      "1 0x1 [0x8]: PERF_RECORD_FORK(8:8):(7:7)\n"
      "1 0x1 [0x8]: PERF_RECORD_FORK(8:9):(8:8)\n"
      "1 0x1 [0x8]: PERF_RECORD_COMM exec: a:b:8/8\n";
  expect_events (dump, sizeof dump - 1,
		 "map 0 9 55dd8eb91000 1000 0 1 /mnt/p\n"
		 "sample 111 301 e0 ip 7faa address 7fab period 13\n"
		 "fork 205 8 7\n"
		 "exec 287 8\n");
}
END_TEST

/* The tested program is image 0.  */
static uint32_t
find_image (void *closure, const struct perf_mapping *mapping)
{
  (void) closure;
  return mapping->path_bytes == strlen ("/bin/a")
	     && memcmp (mapping->path, "/bin/a", mapping->path_bytes) == 0
	   ? 0
	   : PERF_NO_IMAGE;
}

static const struct perf_images images = { .find = find_image };

static struct perf_processes *
read_processes (const char *text, int32_t pid)
{
  size_t size;
  unsigned char *data = perf_build (text, PERF_LAYOUT_FILE, &size);
  struct perf_recording *recording
    = perf_recording_of_memory ("memory", data, size, PERF_FORM_ANY, &err);
  struct perf_processes *processes
    = perf_processes_read (recording, &images, pid, &err);
  ck_assert_ptr_nonnull (processes);
  perf_recording_close (recording);
  free (data);
  return processes;
}

/* At ORDER, ADDRESS of PID must be at OFFSET of the file, or not mapped if
   OFFSET is UINT64_MAX.  */
static void
expect_offset (struct perf_processes *processes, int32_t pid, uint64_t order,
	       uint64_t address, uint64_t offset)
{
  uint32_t moment = perf_processes_moment (processes, pid, order);
  const struct perf_area *area
    = perf_processes_find (processes, moment, address);
  ck_assert_uint_eq (area ? address - area->start + area->file_offset
			  : UINT64_MAX,
		     offset);
}

START_TEST (processes_change)
{
  struct perf_processes *processes = read_processes (description, PERF_NO_PID);
  ck_assert (perf_processes_has_images (processes));
  expect_offset (processes, 7, 9, 0x401010, UINT64_MAX);
  expect_offset (processes, 7, 10, 0x401010, 0x1010);
  expect_offset (processes, 7, 10, 0x402000, UINT64_MAX);
  expect_offset (processes, 7, 99, 0x402000, 0x2000);
  expect_offset (processes, 8, 19, 0x401010, UINT64_MAX);
  expect_offset (processes, 8, 20, 0x401010, 0x1010);
  expect_offset (processes, 8, 29, 0x402fff, 0x2fff);
  expect_offset (processes, 8, 30, 0x401010, UINT64_MAX);
  expect_offset (processes, 8, 40, 0x700010, 0x1010);
  expect_offset (processes, 9, 40, 0x700010, UINT64_MAX);
  perf_processes_free (processes);
}
END_TEST

START_TEST (one_process_is_asked_for)
{
  struct perf_processes *processes = read_processes (description, 8);
  expect_offset (processes, 7, 99, 0x401010, UINT64_MAX);
  expect_offset (processes, 8, 25, 0x401010, 0x1010);
  perf_processes_free (processes);
}
END_TEST

START_TEST (mappings_replace_others)
{
  struct perf_processes *processes
    = read_processes ("map 7 1 0x1000 0x4000 0 5 /bin/a\n"
		      "map 7 2 0x2000 0x1000 0 1 /bin/other\n"
		      "map 7 3 0x9000 0x1000 0 1 /bin/other\n"
		      "map 7 4 0x3000 0x1000 0x8000 5 /bin/a\n"
		      "fork 5 5 6\nfork 6 5 5\n",
		      PERF_NO_PID);
  expect_offset (processes, 7, 1, 0x2010, 0x1010);
  expect_offset (processes, 7, 2, 0x2010, UINT64_MAX);
  expect_offset (processes, 7, 2, 0x4010, 0x3010);
  expect_offset (processes, 7, 4, 0x3010, 0x8010);
  /* Mapping another file where nothing was mapped starts no new moment.  */
  ck_assert_uint_eq (perf_processes_moment (processes, 7, 2),
		     perf_processes_moment (processes, 7, 3));
  /* A circle of forks terminates.  */
  expect_offset (processes, 5, 9, 0x1000, UINT64_MAX);
  perf_processes_free (processes);
}
END_TEST

static bool
ignore_sample (void *closure, const struct perf_sample *sample,
	       struct profile_error *e)
{
  (void) closure;
  (void) sample;
  (void) e;
  return true;
}

/* The SIZE bytes at DATA must be rejected because of CAUSE.  */
static void
expect_refusal (const void *data, size_t size, const char *cause)
{
  struct perf_handler handler = { .sample = ignore_sample };
  struct perf_recording *recording
    = perf_recording_of_memory ("memory", data, size, PERF_FORM_ANY, &err);
  ck_assert (!perf_recording_read (recording, &handler, &err));
  ck_assert_msg (strstr (err.cause, cause), "%s", err.cause);
  ck_assert_str_eq (err.path, "memory");
  perf_recording_close (recording);
}

/* The same for the recording of a description.  */
static void
expect_described_refusal (const char *text, const char *cause)
{
  size_t size;
  unsigned char *data = perf_build (text, PERF_LAYOUT_FILE, &size);
  expect_refusal (data, size, cause);
  free (data);
}

START_TEST (damage_is_refused)
{
  size_t size;
  unsigned char *data = perf_build (description, PERF_LAYOUT_FILE, &size);
  expect_refusal (data, 50, "header of a recording");
  expect_refusal (data, 1202, "the records");
  data[8] = 17;
  expect_refusal (data, size, "invalid header size 17 bytes");
  free (data);
  data = perf_build (description, PERF_LAYOUT_STREAM, &size);
  expect_refusal (data, size - 1, "a record: need");
  free (data);
  expect_described_refusal ("aux b0 1 2 3 4 5 6 7 8 ff 01\n",
			    "an operation of Arm SPE: invalid packet 0xff");
  expect_described_refusal ("aux 20 42 01\n", "invalid packet 0x20 0x42");
  expect_described_refusal ("aux 24 b0 1 2 3 4 5 6 7 8 01\n",
			    "invalid packet 0x24 0xb0");
  expect_refusal ("hello\n", 6, "no branch stacks");
  expect_refusal (" 0x1/0x2/P 0x3\n", 15, "(expected a stack of branches)");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("perf");
  TCase *reading = tcase_create ("reading");
  tcase_add_test (reading, every_layout_says_the_same);
  tcase_add_test (reading, script_is_read);
  tcase_add_test (reading, speculated_branches_are_left_out);
  tcase_add_test (reading, operations_of_arm_are_read);
  tcase_add_test (reading, packets_of_arm_are_read);
  tcase_add_test (reading, operations_of_amd_are_read);
  tcase_add_test (reading, registers_of_amd_are_read);
  tcase_add_test (reading, damaged_units_are_refused);
  tcase_add_test (reading, operations_have_all_their_fields);
  tcase_add_test (reading, threads_have_processes);
  tcase_add_test (reading, dump_is_read);
  tcase_add_test (reading, damage_is_refused);
  suite_add_tcase (suite, reading);
  TCase *processes = tcase_create ("processes");
  tcase_add_test (processes, processes_change);
  tcase_add_test (processes, one_process_is_asked_for);
  tcase_add_test (processes, mappings_replace_others);
  suite_add_tcase (suite, processes);
  SRunner *runner = srunner_create (suite);
  srunner_run_all (runner, CK_ENV);
  int failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? 0 : 1;
}
