/* Texts of system call errors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   strerror may allocate and translate, and a program may define it.  */

#ifndef HEAPPROF_ERROR_TEXT_H
#define HEAPPROF_ERROR_TEXT_H

#include <errno.h>
#include <stddef.h>

/* Return the text of ERROR, a positive number, or NULL if it is not one that
   opening, mapping or writing files may cause.  */

static inline const char *
error_text (int error)
{
  switch (error)
    {
    case EACCES:
      return "Permission denied";
    case EAGAIN:
      return "Resource temporarily unavailable";
    case EDQUOT:
      return "Disk quota exceeded";
    case EEXIST:
      return "File exists";
    case EFBIG:
      return "File size limit exceeded";
    case EINVAL:
      return "Invalid argument";
    case EIO:
      return "Input/output error";
    case EISDIR:
      return "Is a directory";
    case ELOOP:
      return "Too many levels of symbolic links";
    case EMFILE:
      return "Too many open files";
    case ENAMETOOLONG:
      return "File name too long";
    case ENOENT:
      return "No such file or directory";
    case ENOMEM:
      return "Cannot allocate memory";
    case ENOSPC:
      return "No space left on device";
    case ENOSYS:
      return "Function not implemented";
    case ENOTDIR:
      return "Not a directory";
    case EOPNOTSUPP:
      return "Operation not supported";
    case EPERM:
      return "Operation not permitted";
    case EROFS:
      return "Read-only file system";
    default:
      return NULL;
    }
}

#endif /* HEAPPROF_ERROR_TEXT_H */
