/* Operators new and delete, so that the compiler does not load the C++ library.
   SPDX-License-Identifier: GPL-3.0-or-later

   C compilers contain their own copy of it.  A plugin that needs the shared one
   makes them load it, which takes more instructions than everything else that
   the plugin does in a small unit.  Nothing here throws: without memory the
   compiler ends.  */

#include "gcc-compat.h"
#include <new>

void *
operator new (size_t size)
{
  return xmalloc (size);
}

void
operator delete (void *object) noexcept
{
  free (object);
}

void
operator delete (void *object, size_t) noexcept
{
  free (object);
}
