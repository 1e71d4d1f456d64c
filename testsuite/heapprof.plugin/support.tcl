# Common procedures of the plugin's tests; each .exp file here sources this file.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Most tests of this folder need no run-time library: they read the plugin's dump,
# or use the counters in counters.c.

# Compile with COMPILER and its plugin.  Return {STATUS STDOUT STDERR}.
proc plugin_compile { compiler args } {
    return [hp_exec $compiler -w -fplugin=[hp_plugin $compiler] {*}$args]
}

# Compile with COMPILER and its plugin, and pass or fail as NAME.  Return true
# on success.
proc plugin_compiles { name compiler args } {
    lassign [plugin_compile $compiler {*}$args] status out err
    return [hp_check "$name: compiles" [expr { $status eq "0" }] $err]
}

# Return the name of a test with COMPILER and the options ARGS.
proc plugin_variant { test compiler args } {
    return "$test, [file tail $compiler] [join $args]"
}

# Return the text of the single dump file of SOURCE in this folder, or "".
proc plugin_dump { source } {
    set files [glob -nocomplain [file tail $source].*t.heapprof]
    if { [llength $files] != 1 } { return "" }
    return [hp_read [lindex $files 0]]
}

# Compile counters.c, which stands in for the run-time library, to counters.o.
proc plugin_counters { name compiler } {
    global srcdir subdir hp_top_srcdir
    return [hp_compile "$name: counters.o" \
		[list $compiler -O2 -I$hp_top_srcdir/include -c $srcdir/$subdir/counters.c \
		     -o counters.o]]
}
