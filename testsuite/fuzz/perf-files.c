/* Make valid perf recordings, to be damaged.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "perf-files.h"

const char perf_file_description[]
  = "map 7 10 0x401000 0x1000 0x1000 5 /bin/ab 0102030405060708\n"
    "map 7 11 0x402000 0x1000 0x2000 1 /bin/ab\n"
    "map 7 11 0x502000 0x1000 0x2000 1 /lib/abc\n"
    "branches 7 12 0x401010 0x401018/0x401010 0x401000/0x401010\n"
    "load 7 12 0x401020 0x402010\n"
    "store 7 13 0x401020 0x402018\n"
    "tick 7 14 0x401030 0xfffffffffffffe00 0x401030 0x401044\n"
    "fork 8 20 7\n"
    "branches 8 25 0x401010 0x401018/0x401010\n"
    "exec 8 30\n"
    "map 8 40 0x700000 0x1000 0x1000 5 /bin/ab\n"
    "branches 8 50 0x700010 0x700008/0x700010\n";

const char perf_file_operations[]
  = "map 7 10 0x401000 0x1000 0x1000 5 /bin/ab\n"
    "fork 9 12 7\n"
    "spe 7 20 0x401010 load 0x402010\n"
    "spe 0 21 0x401014 store 0x402018\n"
    "spe 9 22 0x401018 wrong 0x402018\n"
    "spe 7 23 0x40101c branch 0x401010\n"
    "ibs 7 24 0x401010 load 0x402010\n"
    "ibs 7 25 0x40101c branch 0x401010\n"
    "ibs-data 7 26 0x401018 store 0x402018\n"
    "aux 20 b0 10 10 40 0 0 0 0 80 21 98 1 0 43 2 25 0 ff ff ff ff ff ff 01\n"
    "aux 62 7 0 0 0 b0 14 10 40 0 0 0 0 0 b3 0 0 0 0 0 0 0 0 01\n";

const char perf_file_script[]
  = "PERF_RECORD_MMAP2 7/7: [0x401000(0x1000) @ 0x1000 fe:00 12 0]: r-xp "
    "/bin/ab\n"
    "PERF_RECORD_MMAP2 7/7: [0x402000(0x1000) @ 0 <0a0b0c>]: r--p /bin/ab\n"
    "x 7 1.5: PERF_RECORD_MMAP 7/7: [0x403000(0x10) @ 0]: x /lib/abc\n"
    "\n"
    "     401010 0x401018/0x401010/P/-/-/1/  0x401000/0x401010/M/-/-/1/ \n"
    "3\n"
    "\t  401030\n"
    "\t  401044\n"
    " 0x401018/0x401010/P/-/-/10/UNCOND/-\n";

const char perf_file_dump[]
  = "1000 0x138 [0x78]: PERF_RECORD_MMAP2 9/9: [0x55dd8eb91000(0x1000) @ 0 "
    "fe:00 1198064 0]: r--p /mnt/ab\n"
    "0 1177 0x13a8 [0x38]: PERF_RECORD_SAMPLE(IP, 0x4002): 9/9: "
    "0x55dd8eb91010 period: 13 addr: 0x55dd8eb91020\n"
    "1200 0x1 [0x8]: PERF_RECORD_FORK(8:8):(9:9)\n"
    "1300 0x1 [0x8]: PERF_RECORD_COMM exec: a:b:8/8\n";
