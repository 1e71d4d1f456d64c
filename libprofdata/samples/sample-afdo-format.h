/* Constants of GCC's .afdo files (sample-afdo.h).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HEAPPROF_SAMPLE_AFDO_FORMAT_H
#define HEAPPROF_SAMPLE_AFDO_FORMAT_H

#include <stdint.h>

#define AFDO_MAGIC 0x67636461u
/* The default of AutoFDO's tools for version 1.  */
#define AFDO_VERSION_OLD 0x3430372au
/* Greatest version that is a plain number.  */
#define AFDO_LAST_NUMBER 255

#define AFDO_TAG_SUMMARY 0xa8000000u
#define AFDO_TAG_NAMES 0xaa000000u
#define AFDO_TAG_FUNCTIONS 0xac000000u
#define AFDO_TAG_MODULES 0xae000000u
#define AFDO_TAG_WORKING_SET 0xaf000000u

/* Kind of the targets of indirect calls, in the numbering of GCC 4.7.  */
#define AFDO_TARGET_CALL 7
#define AFDO_NO_FILE UINT32_MAX

#define AFDO_WORKING_SETS 128

#endif /* HEAPPROF_SAMPLE_AFDO_FORMAT_H */
