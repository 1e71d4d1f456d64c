# Warnings, checks, sanitizers and fuzzers.
# SPDX-License-Identifier: GPL-3.0-or-later

# HEAPPROF_WARN_FLAGS: set WARN_CFLAGS and WARN_CXXFLAGS; --enable-werror.
AC_DEFUN([HEAPPROF_WARN_FLAGS], [
  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [treat warnings as errors])],
    [], [enable_werror=no])
  WARN_CFLAGS="-Wall -Wextra -Wshadow"
  AS_IF([test "$enable_werror" = yes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
  AC_SUBST([WARN_CFLAGS])
])

# HEAPPROF_CHECKING: with --enable-checking, libheapprof, libheaphint, libprofdata
# and the programs that use it check their own data structures while they run.
AC_DEFUN([HEAPPROF_CHECKING], [
  AC_ARG_ENABLE([checking],
    [AS_HELP_STRING([--enable-checking@<:@=full@:>@],
      [check invariants at run time and end the program if one is violated;
       full: check at each change])],
    [], [enable_checking=no])
  AS_CASE([$enable_checking],
    [no], [CHECKING_CPPFLAGS=],
    [yes], [CHECKING_CPPFLAGS=-DHEAPPROF_CHECKING=1],
    [full], [CHECKING_CPPFLAGS=-DHEAPPROF_CHECKING=2],
    [AC_MSG_ERROR([--enable-checking=$enable_checking: expected yes, no or full])])
  AC_SUBST([CHECKING_CPPFLAGS])
  AM_CONDITIONAL([CHECKING], [test "$enable_checking" != no])
])

# HEAPPROF_SANITIZE: --enable-sanitize builds the tools and their library, not
# the run-time library or the plugin, with ASan and UBSan.
AC_DEFUN([HEAPPROF_SANITIZE], [
  AC_ARG_ENABLE([sanitize],
    [AS_HELP_STRING([--enable-sanitize],
      [build the tools with the address and undefined-behaviour sanitizers])],
    [], [enable_sanitize=no])
  SANITIZE_CFLAGS=
  AS_IF([test "$enable_sanitize" = yes],
    [SANITIZE_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all"])
  AC_SUBST([SANITIZE_CFLAGS])
  AM_CONDITIONAL([SANITIZE], [test "$enable_sanitize" = yes])
])

# HEAPPROF_REPLAY_SANITIZE: the sanitizer flags for the replays of damaged files
# and the code that they test, if the compiler and the system support them.
AC_DEFUN([HEAPPROF_REPLAY_SANITIZE], [
  REPLAY_SANITIZE_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all"
  heapprof_saved_cflags=$CFLAGS
  CFLAGS="$CFLAGS $REPLAY_SANITIZE_CFLAGS"
  AC_MSG_CHECKING([whether $CC supports the address and undefined sanitizers])
  AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     REPLAY_SANITIZE_CFLAGS=])
  CFLAGS=$heapprof_saved_cflags
  AC_SUBST([REPLAY_SANITIZE_CFLAGS])
])

# HEAPPROF_FUZZERS: --enable-fuzzers instruments the replayed code for libFuzzer,
# and enables `make fuzzers'.
AC_DEFUN([HEAPPROF_FUZZERS], [
  AC_ARG_ENABLE([fuzzers],
    [AS_HELP_STRING([--enable-fuzzers],
      [enable `make fuzzers', for libFuzzer; needs CC=clang])],
    [], [enable_fuzzers=no])
  FUZZ_CFLAGS=
  AS_IF([test "$enable_fuzzers" = yes],
    [FUZZ_CFLAGS="-fsanitize=fuzzer-no-link"
     heapprof_saved_cflags=$CFLAGS
     CFLAGS="$CFLAGS $FUZZ_CFLAGS"
     AC_MSG_CHECKING([whether $CC supports libFuzzer])
     AC_COMPILE_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
       [AC_MSG_RESULT([no])
	AC_MSG_ERROR([--enable-fuzzers needs CC=clang])])
     CFLAGS=$heapprof_saved_cflags])
  AC_SUBST([FUZZ_CFLAGS])
  AM_CONDITIONAL([FUZZERS], [test "$enable_fuzzers" = yes])
])

# HEAPPROF_REQUIRE_LIB(NAME, FUNCTION, LIB, HEADER, DEBIAN, FEDORA, VARIABLE)
# Fail with one line that names the packages if the library is missing.
AC_DEFUN([HEAPPROF_REQUIRE_LIB], [
  AC_CHECK_HEADER([$4], [],
    [AC_MSG_ERROR([$1 not found: install $5 (Debian) or $6 (Fedora)])],
    [[#include <stddef.h>
#include <stdio.h>
#ifndef PACKAGE
# define PACKAGE "heapprof"
#endif]])
  AC_CHECK_LIB([$3], [$2], [$7="-l$3"],
    [AC_MSG_ERROR([$1 not found: install $5 (Debian) or $6 (Fedora)])])
  AC_SUBST([$7])
])

# HEAPPROF_CHECK_LIB(NAME, FUNCTION, LIB, HEADER, DECLARATION)
# Define HAVE_NAME and set NAME_LIBS if the library exists, with a header with
# which DECLARATION compiles.  The library is optional.
AC_DEFUN([HEAPPROF_CHECK_LIB], [
  AC_CHECK_LIB([$3], [$2],
    [AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <$4>]], [[$5; return 0;]])],
      [$1_LIBS="-l$3"
       AC_DEFINE([HAVE_$1], [1], [Define to 1 if lib$3 is available.])])])
  AC_SUBST([$1_LIBS])
])
