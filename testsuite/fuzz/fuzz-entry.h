/* The entry point of a fuzzer, and of the program that replays its findings.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FUZZ_ENTRY_H
#define HEAPPROF_FUZZ_ENTRY_H

#include "reader.h"

/* Check READER with the SIZE bytes at DATA, called LABEL; then, if it can
   repair them and they are not right already, with the repaired.  Was any of
   the two read?  */
bool fuzz_entry (const struct reader *reader, const char *label,
		 const unsigned char *data, size_t size);

#endif /* HEAPPROF_FUZZ_ENTRY_H */
