/* Data in perf.data that the processor has written by itself.
   SPDX-License-Identifier: GPL-3.0-or-later

   After the headers of the records:

     what it is   u32 kind, u32, u64 ...
     clock        u64 shift, u64 factor, u64 zero; and since Linux 5.9
		  u64 cycles, u64 mask, u8 zero is known, u8 timer is short
     data         u64 bytes behind the record, u64 offset in its buffer,
		  u64 reference, u32 number, u32 thread, u32 processor, u32
     thread       u32 pid, u32 tid           started tracing; new name
		  u32 pid, u32, u32 tid      fork

   Only Arm's Statistical Profiling Extension is read.  Each operation is a
   sample of its instruction; if it accessed memory, there is another sample
   with the address of the data.  */

#include "perf-aux.h"
#include "perf-format.h"
#include "spe-packets.h"
#include <inttypes.h>

static const char what[] = "the header of recorded operations";

void
perf_aux_release (struct perf_aux *aux)
{
  perf_threads_release (&aux->threads);
}

static bool
read_clock (struct perf_clock *clock, struct byte_reader *reader)
{
  static const char name[] = "the clock of the recording";
  size_t start = reader->position;
  *clock = (struct perf_clock){ .mask = UINT64_MAX };
  clock->shift = byte_reader_u64 (reader, name);
  clock->factor = byte_reader_u64 (reader, name);
  clock->zero = byte_reader_u64 (reader, name);
  if (byte_reader_left (reader) >= 18)
    {
      clock->cycles = byte_reader_u64 (reader, name);
      clock->mask = byte_reader_u64 (reader, name);
      byte_reader_u8 (reader, name);
      clock->is_short = byte_reader_u8 (reader, name) != 0;
    }
  if (!reader->failed && clock->shift >= 64)
    byte_reader_fail (reader, start,
		      "%s: invalid shift %" PRIu64 " (expected less than 64)",
		      name, clock->shift);
  clock->is_known = !reader->failed;
  return !reader->failed;
}

static bool
read_thread (struct perf_aux *aux, struct byte_reader *reader, bool is_fork)
{
  static const char name[] = "the record of a thread";
  int32_t pid = (int32_t) byte_reader_u32 (reader, name);
  if (is_fork)
    byte_reader_u32 (reader, name);
  int32_t tid = (int32_t) byte_reader_u32 (reader, name);
  return !reader->failed
	 && (perf_threads_add (&aux->threads, tid, pid)
	     || byte_reader_fail_memory (reader));
}

bool
perf_aux_prepare (struct perf_aux *aux, uint32_t type,
		  struct byte_reader *reader)
{
  switch (type)
    {
    case PERF_RECORD_AUXTRACE_INFO:
      aux->kind = byte_reader_u32 (reader, "the kind of recorded operations");
      return !reader->failed;
    case PERF_RECORD_TIME_CONVERSION:
      return read_clock (&aux->clock, reader);
    case PERF_RECORD_COMM:
    case PERF_RECORD_FORK:
    case PERF_RECORD_ITRACE_START:
      return read_thread (aux, reader, type == PERF_RECORD_FORK);
    default:
      return true;
    }
}

/* Return the time of the recording at TIMER.  */
static uint64_t
convert_time (const struct perf_clock *clock, uint64_t timer)
{
  if (clock->is_short)
    timer = clock->cycles + ((timer - clock->cycles) & clock->mask);
  uint64_t whole = timer >> clock->shift;
  uint64_t rest = timer & ((UINT64_C (1) << clock->shift) - 1);
  return clock->zero + whole * clock->factor
	 + (rest * clock->factor >> clock->shift);
}

/* Pass OPERATION to HANDLER as one or two samples like SAMPLE.  */
static bool
pass_operation (const struct spe_operation *operation,
		struct perf_sample *sample, const struct perf_handler *handler,
		struct profile_error *err)
{
  sample->ip = operation->ip;
  sample->address = 0;
  sample->is_store = false;
  sample->target = spe_operation_target (operation);
  if (!handler->sample (handler->closure, sample, err))
    return false;
  sample->target = 0;
  sample->address = operation->address;
  sample->is_store = operation->is_store;
  return !operation->has_address || operation->address == 0
	 || handler->sample (handler->closure, sample, err);
}

bool
perf_aux_handle (struct perf_aux *aux, struct byte_reader *header,
		 struct byte_reader *data, const struct perf_handler *handler,
		 bool has_times, uint64_t order)
{
  byte_reader_u64 (header, what);
  uint64_t offset = byte_reader_u64 (header, what);
  byte_reader_u64 (header, what);
  byte_reader_u32 (header, what);
  int32_t thread = (int32_t) byte_reader_u32 (header, what);
  if (header->failed || aux->kind != PERF_AUX_ARM_SPE)
    return !header->failed;
  size_t start = data->position;
  bool is_whole = true;
  while (byte_reader_left (data) > 0 && is_whole)
    {
      struct spe_operation operation;
      if (!spe_operation_take (data, offset + (data->position - start),
			       &operation, &is_whole))
	return false;
      if (!is_whole || !operation.has_ip
	  || !spe_operation_has_happened (&operation))
	continue;
      struct perf_sample sample = { .pid = PERF_NO_PID,
				    .event = PERF_NO_EVENT,
				    .has_ip = true,
				    .count = 1,
				    .order = order };
      if (operation.has_context || thread >= 0)
	sample.pid
	  = perf_threads_process (&aux->threads, operation.has_context
						   ? (int32_t) operation.context
						   : thread);
      if (operation.time != 0 && aux->clock.is_known)
	sample.time = convert_time (&aux->clock, operation.time);
      /* What has no time happened when everything was mapped.  */
      if (has_times)
	sample.order = sample.time != 0 ? sample.time : UINT64_MAX;
      if (!pass_operation (&operation, &sample, handler, data->err))
	{
	  data->err->path = data->path;
	  data->failed = true;
	  return false;
	}
    }
  return true;
}
