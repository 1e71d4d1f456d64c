/* GCC headers for passes over RTL: gcc-compat.h, data flow, and the registers
   that calls change.
   SPDX-License-Identifier: GPL-3.0-or-later

   Source files include it instead of gcc-compat.h.  */

#ifndef HEAPPROF_GCC_COMPAT_RTL_H
#define HEAPPROF_GCC_COMPAT_RTL_H

#include "gcc-compat.h"
#include "df.h"
#include "regs.h"
#include "function-abi.h"

#endif /* HEAPPROF_GCC_COMPAT_RTL_H */
