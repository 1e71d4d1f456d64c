# Find the compilers that heapprof can be a plugin of.
# SPDX-License-Identifier: GPL-3.0-or-later

# HEAPPROF_GCC_PLUGINS: set PLUGIN_GCCS to the commands of all installed GCCs
# that have plugin headers, one for each major version, the default compiler's
# version first.  --with-gcc="gcc-11 gcc-12" chooses; --with-plugin-prefix=DIR
# installs below DIR/MAJOR instead of where each compiler looks.
AC_DEFUN([HEAPPROF_GCC_PLUGINS], [
  AC_ARG_WITH([gcc],
    [AS_HELP_STRING([--with-gcc=COMMANDS],
      [build plugins for these compilers (default: all that are found)])],
    [plugin_candidates="$withval"],
    [plugin_candidates="gcc"
     plugin_path_save=$IFS; IFS=:
     for plugin_dir in $PATH; do
       for plugin_gcc in "$plugin_dir"/gcc-@<:@0-9@:>@ \
			 "$plugin_dir"/gcc-@<:@0-9@:>@@<:@0-9@:>@; do
	 test -x "$plugin_gcc" \
	   && plugin_candidates="$plugin_candidates:${plugin_gcc##*/}"
       done
     done
     plugin_candidates=`echo "$plugin_candidates" | tr : ' '`
     IFS=$plugin_path_save])
  AC_ARG_WITH([plugin-prefix],
    [AS_HELP_STRING([--with-plugin-prefix=DIR],
      [install plugins and specs below DIR/MAJOR, not where each gcc looks])],
    [PLUGIN_PREFIX="$withval"], [PLUGIN_PREFIX=])
  AC_SUBST([PLUGIN_PREFIX])

  PLUGIN_GCCS=
  PLUGIN_MAJORS=
  for plugin_gcc in $plugin_candidates; do
    AC_MSG_CHECKING([whether $plugin_gcc takes plugins])
    plugin_major=`$plugin_gcc -dumpversion 2>/dev/null | $SED 's/\..*//'`
    plugin_headers=`$plugin_gcc -print-file-name=plugin 2>/dev/null`/include
    AS_IF([test -z "$plugin_major"],
	    [AC_MSG_RESULT([no, it does not run])],
	  [test "$plugin_major" -lt 11],
	    [AC_MSG_RESULT([no, version $plugin_major is older than 11])],
	  [test ! -f "$plugin_headers/gcc-plugin.h"],
	    [AC_MSG_RESULT([no, gcc-$plugin_major-plugin-dev (Debian) or gcc-plugin-devel (Fedora) is not installed])],
	    [AS_CASE([" $PLUGIN_MAJORS "],
	      [*" $plugin_major "*],
		[AC_MSG_RESULT([yes, version $plugin_major, already listed])],
		[AC_MSG_RESULT([yes, version $plugin_major])
		 PLUGIN_GCCS="$PLUGIN_GCCS $plugin_gcc"
		 PLUGIN_MAJORS="$PLUGIN_MAJORS $plugin_major"])])
  done
  AS_IF([test -z "$PLUGIN_GCCS"],
    [plugin_major=`gcc -dumpversion 2>/dev/null | $SED 's/\..*//'`
     AC_MSG_ERROR([no gcc with plugin headers found: install gcc-${plugin_major:-N}-plugin-dev (Debian) or gcc-plugin-devel (Fedora)])])
  AC_SUBST([PLUGIN_GCCS])
  AC_SUBST([PLUGIN_MAJORS])

  # What pkg-config says: the name alone where every compiler finds its own.
  PC_SPECS=heapprof.specs
  AS_IF([test -n "$PLUGIN_PREFIX"],
    [PC_SPECS=${PLUGIN_MAJORS# }
     PC_SPECS="$PLUGIN_PREFIX/${PC_SPECS%% *}/heapprof.specs"])
  AC_SUBST([PC_SPECS])
])
