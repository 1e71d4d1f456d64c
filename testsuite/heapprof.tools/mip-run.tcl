# Common procedures of the tests of machine-level profiles: programs with probes, and
# the output of heapprof-gcov mip.
# SPDX-License-Identifier: GPL-3.0-or-later

# Compile a program with KIND and the options ARGS; return true on success.
proc mip_build { name compiler kind output args } {
    global hp_top_builddir
    return [hp_compile $name [list $compiler -w \
	-fplugin=[hp_plugin $compiler] -fplugin-arg-heapprof-mip=$kind \
	{*}$args $hp_top_builddir/libheapprof-mip.a -Wl,--build-id -o $output]]
}

# Run heapprof-gcov mip ARGS, which must succeed; return its output.
proc mip_done { name args } {
    lassign [hp_gcov mip {*}$args] status out err
    hp_check "$name: mip [lindex $args 0]" \
	[expr { $status eq "0" && $err eq "" }] "status $status: $err"
    return $out
}

# The functions of FILE: name -> dict of its row.
proc mip_functions { name file args } {
    set functions {}
    set json [json::json2dict [mip_done $name show --json {*}$args $file]]
    foreach row [dict get $json functions] {
	dict set functions [dict get $row name] $row
    }
    return $functions
}
