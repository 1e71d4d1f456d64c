/* The entry point of a fuzzer, and of the program that replays its findings.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_FUZZ_ENTRY_H
#define HEAPPROF_FUZZ_ENTRY_H

#include "reader.h"

/* Check READER with the SIZE bytes at DATA, called LABEL.  If it can repair
   them and that changes them, check it with the repaired bytes, too.  Return
   true if either was read.  */
bool fuzz_entry (const struct reader *reader, const char *label,
		 const unsigned char *data, size_t size);

#endif /* HEAPPROF_FUZZ_ENTRY_H */
