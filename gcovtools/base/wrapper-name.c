/* Names of allocator wrappers: functions that allocate for their callers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "wrapper-name.h"
#include "function-name.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Functions of C.  A star at the end stands for any text.  */
static const char *const listed[] = {
  /* The C library.  */
  "malloc", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign",
  "valloc", "pvalloc", "reallocarray", "__libc_reallocarray", "strdup",
  "__strdup", "__GI___strdup", "strndup", "__strndup", "__GI___strndup",
  "wcsdup", "__wcsdup", "asprintf", "__asprintf", "___asprintf",
  "__asprintf_chk", "___asprintf_chk", "vasprintf", "__vasprintf",
  "__vasprintf_chk", "___vasprintf_chk", "__vasprintf_internal",
  "__cxa_allocate_exception",
  /* The families of checked allocators.  */
  "xmalloc*", "xcalloc*", "xrealloc*", "xzalloc*", "xnmalloc*", "xnrealloc*",
  "x2realloc*", "x2nrealloc*", "xcharalloc*", "ximalloc*", "xicalloc*",
  "xizalloc*", "xpalloc*", "xireallocarray*", "xreallocarray*", "xmemdup*",
  "ximemdup*", "xstrdup*", "xstrndup*", "xasprintf*", "xvasprintf*", "emalloc*",
  "ecalloc*", "erealloc*", "ezalloc*", "estrdup*", "estrndup*", "_emalloc*",
  "_ecalloc*", "_erealloc*", "_estrdup*", "_estrndup*", "safe_malloc*",
  "safe_calloc*", "safe_realloc*", "safe_strdup*", "checked_malloc*",
  "do_xmalloc", "pma_malloc", "pma_calloc", "pma_realloc",
  /* GLib.  */
  "g_malloc*", "g_realloc*", "g_try_malloc*", "g_try_realloc*",
  "g_aligned_alloc*", "g_slice_alloc*", "g_slice_copy*", "g_strdup*",
  "g_strndup*", "g_vasprintf*", "g_memdup*", "g_strconcat*", "g_rc_box_*",
  "g_atomic_rc_box_*", "g_ref_string_new*", "g_type_create_instance",
  "g_object_new*", "g_object_new_internal", "g_object_constructor",
  "g_boxed_copy", "slab_allocator_alloc_chunk", "allocator_add_slab",
  "allocator_memalign", "thread_memory_from_self",
  "thread_memory_magazine1_reload", "magazine_cache_pop_magazine",
  /* APR and talloc.  */
  "apr_palloc*", "apr_pcalloc*", "apr_pstrdup*", "apr_pstrndup*",
  "apr_pstrmemdup*", "apr_pmemdup*", "apr_pstrcat*", "apr_psprintf*",
  "apr_pvsprintf*", "apr_allocator_alloc*", "talloc_*", "_talloc_*",
  "__talloc*", "tc_alloc_pool",
  /* Redis and hiredis, with their strings.  */
  "zmalloc*", "zcalloc*", "zrealloc*", "zstrdup*", "ztrymalloc*", "ztrycalloc*",
  "ztryrealloc*", "hi_malloc*", "hi_calloc*", "hi_realloc*", "hi_strdup*",
  "sdsnew", "sdsnewlen", "_sdsnewlen", "sdstrynewlen", "sdsempty", "sdsdup",
  "sdscat", "sdscatlen", "sdscatsds", "sdscatprintf", "sdscatvprintf",
  "sdscatfmt", "sdscatrepr", "sdscpy", "sdscpylen", "sdsMakeRoomFor*",
  "_sdsMakeRoomFor*", "sdsgrowzero", "sdsResize", "sdsRemoveFreeSpace",
  "sdsfromlonglong", "sdsjoin", "sdsjoinsds", "sdssplitlen", "sdssplitargs",
  "hi_sds*",
  /* SQLite.  */
  "sqlite3MemMalloc", "sqlite3MemRealloc", "sqlite3Malloc*", "sqlite3Realloc*",
  "sqlite3_malloc*", "sqlite3_realloc*", "sqlite3DbMalloc*",
  "sqlite3DbRealloc*", "sqlite3DbStrDup*", "sqlite3DbStrNDup*",
  "sqlite3DbSpanDup*", "sqlite3PageMalloc*", "sqlite3_mprintf*",
  "sqlite3_vmprintf*", "sqlite3MPrintf*", "sqlite3VMPrintf*", "mallocWithAlarm",
  "dbMallocRawFinish", "dbReallocFinish", "pcache1Alloc",
  /* Lua.  */
  "l_alloc", "luaM_*", "luaC_newobj*", "lj_alloc_*", "lj_mem_*",
  /* CPython.  */
  "PyMem_Malloc*", "PyMem_Calloc*", "PyMem_Realloc*", "PyMem_Raw*", "_PyMem_*",
  "PyObject_Malloc*", "PyObject_Calloc*", "PyObject_Realloc*",
  "_PyObject_Malloc*", "_PyObject_Calloc*", "_PyObject_Realloc*",
  "_PyObject_Alloc*", "pymalloc_*", "_PyObject_Arena*", "_PyObject_GC_New*",
  "_PyObject_GC_Malloc*", "_PyObject_GC_Calloc*", "_PyObject_GC_Alloc*",
  "_PyObject_GC_Resize*", "_PyObject_New*", "PyType_GenericAlloc",
  "_PyType_AllocNoTrack",
  /* libxml2.  */
  "xmlMalloc*", "xmlMemMalloc*", "xmlMemRealloc*", "xmlReallocLoc*",
  "xmlMemStrdup*", "xmlMemoryStrdup*", "xmlStrdup*", "xmlStrndup*",
  "xmlCharStrdup*", "xmlCharStrndup*",
  /* Run-time libraries of Ada, COBOL, D, Modula-2 and Objective-C.  */
  "__gnat_malloc", "__gnat_realloc", "__gg__allocate", "system__memory__alloc",
  "system__memory__realloc", "_d_newclass*", "_d_newarray*", "_d_newitem*",
  "_d_newThrowable", "_d_allocmemory*", "_d_arrayappend*", "_d_arraycat*",
  "_d_arraysetlength*", "_d_arrayliteral*", "_d_assocarrayliteral*",
  "gc_malloc", "gc_calloc", "gc_realloc", "gc_qalloc", "gc_extend",
  "_D4core8internal2gc*", "_D4core8internal5array*", "_D4core8lifetime*",
  "_DTi16_D4core8internal2gc*", "_D2rt8lifetime*", "SysStorage_ALLOCATE",
  "SysStorage_REALLOCATE", "Storage_ALLOCATE", "Storage_REALLOCATE",
  "class_createInstance", "objc_malloc", "objc_calloc", "objc_realloc",
  "objc_atomic_malloc",
  /* Others.  */
  "CRYPTO_malloc*", "CRYPTO_zalloc*", "CRYPTO_realloc*", "CRYPTO_strdup*",
  "CRYPTO_strndup*", "CRYPTO_memdup*", "CRYPTO_clear_realloc*", "Perl_safesys*",
  "Perl_savepv*", "ruby_xmalloc*", "ruby_xcalloc*", "ruby_xrealloc*",
  "av_malloc*", "av_mallocz*", "av_calloc*", "av_realloc*", "av_strdup*",
  "av_strndup*"
};

/* Starts of mangled names, of which function_name_class is left: Qt's memory
   and its containers.  */
static const char *const listed_classes[] = { "7qMalloc",
					      "8qRealloc",
					      "14qMallocAligned",
					      "15qReallocAligned",
					      "10QArrayData",
					      "15QTypedArrayData",
					      "17QArrayDataPointer",
					      "13QArrayDataOps",
					      "9QtPrivate",
					      "9QListData",
					      "5QListI",
					      "7QVectorI",
					      "14QVarLengthArrayI",
					      "9QHashData",
					      "5QHashI",
					      "10QMultiHashI",
					      "12QHashPrivate",
					      "12QMapDataBase",
					      "12QMapNodeBase",
					      "8QMapDataI",
					      "8QMapNodeI",
					      "4QMapI",
					      "9QMultiMapI",
					      "5QSetI",
					      "11QLinkedListI",
					      "15QLinkedListData",
					      "7QString",
					      "10QByteArray" };

/* Return true if the N bytes at NAME match PATTERN.  */
static bool
matches (const char *pattern, const char *name, size_t n)
{
  size_t length = strlen (pattern);
  if (pattern[length - 1] == '*')
    return n >= length - 1 && memcmp (pattern, name, length - 1) == 0;
  return n == length && memcmp (pattern, name, n) == 0;
}

/* Return true if the first N bytes of NAME, without qualifiers, are listed.  */
static bool
is_listed (const char *name, size_t n)
{
  for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
    if (listed[i][0] == *name && matches (listed[i], name, n))
      return true;
  return false;
}

/* Return true if the mangled NAME is of a function that is listed, in any
   class or namespace.  */
static bool
is_listed_member (const char *name)
{
  bool is_of_template;
  /* The mangled name contains that of the function.  */
  if (!wrapper_name_says_allocates (name))
    return false;
  char *demangled = function_name_demangle (name, false);
  if (demangled == NULL)
    return false;
  const char *last = function_name_last (demangled, &is_of_template);
  bool is_found = is_listed (last, strcspn (last, "<("));
  free (demangled);
  return is_found;
}

bool
wrapper_name_is_listed (const char *name)
{
  const char *class = function_name_class (name);
  if (class != NULL)
    {
      for (size_t i = 0; i < sizeof listed_classes / sizeof *listed_classes;
	   i++)
	if (strncmp (class, listed_classes[i], strlen (listed_classes[i])) == 0)
	  return true;
      return is_listed_member (name);
    }
  /* `.constprop.0' and the like, or a version of a symbol.  */
  return is_listed (name, strcspn (name, ".@"));
}

bool
wrapper_name_says_allocates (const char *name)
{
  static const char *const words[] = { "alloc", "strdup", "strndup", "memdup" };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr (name, words[i]) != NULL)
      return true;
  return strncmp (name, "operator new", strlen ("operator new")) == 0;
}
