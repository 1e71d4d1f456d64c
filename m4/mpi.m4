# The message-passing interface, for heapprof-merge-mpi.
# SPDX-License-Identifier: GPL-3.0-or-later

# HEAPPROF_MPI: --with-mpi[=MPICC].  Get the flags from the compiler wrapper; set
# MPI_CFLAGS, MPI_LIBS, and the conditional HAVE_MPI.  Such a wrapper is for the
# machine that it runs on, so that a cross build asks pkg-config.
AC_DEFUN([HEAPPROF_MPI], [
  AC_ARG_WITH([mpi],
    [AS_HELP_STRING([--with-mpi@<:@=MPICC@:>@],
      [build heapprof-merge-mpi with this compiler wrapper
       (default: mpicc, if installed)])],
    [], [with_mpi=check])
  have_mpi=no
  MPICC=
  AS_CASE([$with_mpi],
    [no], [MPICC=no],
    [yes|check],
      [AS_IF([test "$cross_compiling" = yes], [MPICC=$PKG_CONFIG],
	 [AC_CHECK_PROGS([MPICC], [mpicc mpicc.openmpi mpicc.mpich], [no])])],
    [MPICC=$with_mpi])
  AS_IF([test "$MPICC" != no], [
    AC_MSG_CHECKING([whether programs can be built with the flags of $MPICC])
    AS_IF([test "$MPICC" = "$PKG_CONFIG"],
      [mpi_module=ompi-c
       $PKG_CONFIG --exists $mpi_module || mpi_module=mpich
       MPI_CFLAGS=`$PKG_CONFIG --cflags $mpi_module 2>/dev/null`
       MPI_LIBS=`$PKG_CONFIG --libs $mpi_module 2>/dev/null`],
      [# Open MPI has options for this; MPICH prints its command, compiler first.
       MPI_CFLAGS=`$MPICC -showme:compile 2>/dev/null` \
	 && MPI_LIBS=`$MPICC -showme:link 2>/dev/null` \
	 || { MPI_CFLAGS=`$MPICC -compile-info 2>/dev/null | sed 's/^@<:@^ @:>@* *//; s/ -c$//'`
	      MPI_LIBS=`$MPICC -link-info 2>/dev/null | sed 's/^@<:@^ @:>@* *//'`; }])
    heapprof_saved_cflags=$CFLAGS
    heapprof_saved_libs=$LIBS
    CFLAGS="$CFLAGS $MPI_CFLAGS"
    LIBS="$LIBS $MPI_LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
		      [[return MPI_Init (0, 0) + MPI_Finalize ();]])],
      [have_mpi=yes])
    CFLAGS=$heapprof_saved_cflags
    LIBS=$heapprof_saved_libs
    AC_MSG_RESULT([$have_mpi])
  ])
  AS_IF([test "$have_mpi" = no && test "$with_mpi" != no \
	 && test "$with_mpi" != check],
    [AC_MSG_ERROR([MPI not found: install libopenmpi-dev (Debian) or openmpi-devel (Fedora)])])
  AC_SUBST([MPI_CFLAGS])
  AC_SUBST([MPI_LIBS])
  AC_SUBST([have_mpi])
  AM_CONDITIONAL([HAVE_MPI], [test "$have_mpi" = yes])
])
