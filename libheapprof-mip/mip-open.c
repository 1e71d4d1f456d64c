/* Opening the raw file, unless a file size limit would end the program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */

#include "mip-runtime.h"
#include "mip-system.h"
#include <sys/resource.h>

int
mip_open (const char *path, int flags, size_t bytes)
{
  struct rlimit limit;
  const int file = (int) mip_system_call_4 (SYS_openat, AT_FDCWD, (long) path,
					    flags | O_CREAT | O_CLOEXEC, 0600);
  if (mip_system_call_4 (SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long) &limit) == 0
      && bytes + (uint64_t) mip_system_call_3 (SYS_lseek, file, 0, SEEK_END)
	   > limit.rlim_cur)
    {
      mip_close (file);
      return -EFBIG;
    }
  return file;
}
