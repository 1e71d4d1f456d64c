/* What passes over RTL need of GCC beyond gcc-compat.h: data flow, and which
   registers calls change.
   SPDX-License-Identifier: GPL-3.0-or-later

   A source that includes this file includes it in place of gcc-compat.h.  */

#ifndef HEAPPROF_GCC_COMPAT_RTL_H
#define HEAPPROF_GCC_COMPAT_RTL_H

#include "gcc-compat.h"
#include "df.h"
#include "regs.h"
#include "function-abi.h"

#endif /* HEAPPROF_GCC_COMPAT_RTL_H */
