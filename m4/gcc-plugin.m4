# Find the compilers for which the plugin can be built.
# SPDX-License-Identifier: GPL-3.0-or-later

# HEAPPROF_GCC_PLUGINS: set PLUGIN_GCCS to the commands of all installed GCCs
# that have plugin headers, one for each major version, the default compiler's
# version first.  --with-gcc="gcc-11 gcc-12" chooses compilers;
# --with-plugin-prefix=DIR installs below DIR/MAJOR instead of where each compiler
# looks for plugins.  Compilers in --with-gcc for other machines that have a folder
# in libheapprof/machine go to PLUGIN_CROSS_GCCS: they also build run-time
# libraries, for their machine.
#
# In a cross build, the plugin is for the compilers of the host: it is built by the
# cross compilers of the same versions, with their headers.
AC_DEFUN([HEAPPROF_GCC_PLUGINS], [
  plugin_is_wanted=yes
  plugin_prefix=
  test "$cross_compiling" != yes || plugin_prefix=$host_alias-
  AC_ARG_WITH([gcc],
    [AS_HELP_STRING([--with-gcc=COMMANDS],
      [build plugins for these compilers (default: all found in PATH);
       --without-gcc: none, only the tools, and libraries for programs that run
       as they are])],
    [plugin_candidates="$withval"
     AS_IF([test "x$withval" = xno],
       [plugin_candidates=; plugin_is_wanted=no])],
    [plugin_candidates="${plugin_prefix}gcc"
     plugin_path_save=$IFS; IFS=:
     for plugin_dir in $PATH; do
       for plugin_gcc in "$plugin_dir/${plugin_prefix}gcc-"@<:@0-9@:>@ \
			 "$plugin_dir/${plugin_prefix}gcc-"@<:@0-9@:>@@<:@0-9@:>@; do
	 test -x "$plugin_gcc" \
	   && plugin_candidates="$plugin_candidates:${plugin_gcc##*/}"
       done
     done
     plugin_candidates=`echo "$plugin_candidates" | tr : ' '`
     IFS=$plugin_path_save])
  AC_ARG_WITH([plugin-prefix],
    [AS_HELP_STRING([--with-plugin-prefix=DIR],
      [install plugins and specs below DIR/MAJOR (default: where each gcc looks
       for plugins)])],
    [PLUGIN_PREFIX="$withval"], [PLUGIN_PREFIX=])
  AC_SUBST([PLUGIN_PREFIX])

  PLUGIN_GCCS=
  PLUGIN_MAJORS=
  PLUGIN_CROSS_GCCS=
  for plugin_gcc in $plugin_candidates; do
    AC_MSG_CHECKING([whether $plugin_gcc supports plugins])
    plugin_major=`$plugin_gcc -dumpversion 2>/dev/null | $SED 's/\..*//'`
    plugin_headers=`$plugin_gcc -print-file-name=plugin 2>/dev/null`/include
    plugin_machine=`$plugin_gcc -dumpmachine 2>/dev/null`
    plugin_cpu=`expr "x$plugin_machine" : 'x\(@<:@^-@:>@*\)'`
    plugin_kind=native
    plugin_package=gcc-$plugin_major-plugin-dev
    AS_CASE([$plugin_cpu-$host_machine],
      [$host_machine-*|i@<:@3-6@:>@86-x86_64],
	[test "$cross_compiling" != yes \
	   || plugin_package=$plugin_package-$plugin_machine],
	[plugin_kind=none
	 test "$cross_compiling" = yes \
	   || test ! -d "$srcdir/libheapprof/machine/$plugin_cpu" \
	   || plugin_kind=cross plugin_package=$plugin_package-$plugin_machine])
    AS_IF([test -z "$plugin_major"],
	    [AC_MSG_RESULT([no, cannot run it])],
	  [test "$plugin_major" -lt 11],
	    [AC_MSG_RESULT([no, version $plugin_major is older than 11])],
	  [test ! -f "$plugin_headers/gcc-plugin.h"],
	    [AC_MSG_RESULT([no, $plugin_package (Debian) or gcc-plugin-devel (Fedora) is not installed])],
	  [test $plugin_kind = cross],
	    [AC_MSG_RESULT([yes, version $plugin_major for $plugin_machine])
	     PLUGIN_CROSS_GCCS="$PLUGIN_CROSS_GCCS $plugin_gcc"],
	  [test $plugin_kind = none],
	    [AC_MSG_RESULT([no, unsupported machine $plugin_machine])],
	    [AS_CASE([" $PLUGIN_MAJORS "],
	      [*" $plugin_major "*],
		[AC_MSG_RESULT([yes, version $plugin_major, already listed])],
		[AC_MSG_RESULT([yes, version $plugin_major])
		 PLUGIN_GCCS="$PLUGIN_GCCS $plugin_gcc"
		 PLUGIN_MAJORS="$PLUGIN_MAJORS $plugin_major"])])
  done
  AS_IF([test -z "$PLUGIN_GCCS" && test $plugin_is_wanted = yes],
    [plugin_major=`${plugin_prefix}gcc -dumpversion 2>/dev/null | $SED 's/\..*//'`
     plugin_package=gcc-${plugin_major:-N}-plugin-dev${plugin_prefix:+-$host_alias}
     AC_MSG_ERROR([no ${plugin_prefix}gcc with plugin headers found: install $plugin_package (Debian) or gcc-plugin-devel (Fedora)])])
  AC_SUBST([PLUGIN_GCCS])
  AC_SUBST([PLUGIN_MAJORS])
  AC_SUBST([PLUGIN_CROSS_GCCS])

  # A script of sed, from where a compiler looks for plugins to where they are
  # installed: Debian's cross compilers have another folder than the host's own.
  PLUGIN_FOLDER_EDIT=
  test "$cross_compiling" != yes || PLUGIN_FOLDER_EDIT='s|/gcc-cross/|/gcc/|'
  AC_SUBST([PLUGIN_FOLDER_EDIT])

  # The specs file for pkg-config: no folder if every compiler finds its own.
  PC_SPECS=heapprof.specs
  AS_IF([test -n "$PLUGIN_PREFIX" && test -n "$PLUGIN_MAJORS"],
    [PC_SPECS=${PLUGIN_MAJORS# }
     PC_SPECS="$PLUGIN_PREFIX/${PC_SPECS%% *}/heapprof.specs"])
  AC_SUBST([PC_SPECS])
])
