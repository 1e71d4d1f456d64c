# Common procedures of the run-time tests.
# SPDX-License-Identifier: GPL-3.0-or-later

# Compile SOURCE, in this folder, with COMPILER's wrapper to PROGRAM.  Without
# builtins, so that free (malloc (1)) is not optimized away.
proc rt_compile { name compiler program source args } {
    global srcdir hp_top_srcdir
    return [hp_compile $name [list [hp_wrapper $compiler] -O1 -pthread \
	-fno-builtin \
	-I$hp_top_srcdir/include -Wno-use-after-free \
	$srcdir/heapprof.run/$source -o $program {*}$args]]
}

# Return the sum of JSON's contexts whose innermost frame is in FUNCTION
# (without its parameters): a dict of count, freed, bytes, accesses, live.
proc rt_function { json function } {
    set sum [dict create count 0 freed 0 bytes 0 accesses 0 live 0]
    if { ![dict exists $json contexts] } { return $sum }
    foreach context [dict get $json contexts] {
	set frame [lindex [dict get $context frames] 0]
	if { [rt_name $frame] ne $function } {
	    continue
	}
	rt_add sum [dict get $context info]
    }
    return $sum
}

# Add INFO to the sum.  Blocks of a killed process that were never released are
# not in alloc_count.
proc rt_add { sum_name info } {
    upvar $sum_name sum
    dict incr sum count [expr { [dict get $info alloc_count]
				+ [dict get $info unfinished_count] }]
    dict incr sum freed [expr { [dict get $info alloc_count]
				- [dict get $info live_count] }]
    dict incr sum bytes [expr { [dict get $info total_size]
				+ [dict get $info unfinished_bytes] }]
    dict incr sum accesses [hp_number [dict get $info total_access_count]]
    dict incr sum live [expr { [dict get $info live_count]
			       + [dict get $info unfinished_count] }]
}

# Return the name of FRAME's function without parameters, "" if it is unknown.
proc rt_name { frame } {
    if { ![dict exists $frame function] } { return "" }
    return [regsub {[(].*} [dict get $frame function] {}]
}

proc rt_totals { json } {
    set sum [dict create count 0 freed 0 bytes 0 accesses 0 live 0]
    rt_add sum [dict get $json totals info]
    return $sum
}

# Return the functions of the first context whose innermost frame is in
# FUNCTION, innermost first, without parameters.
proc rt_chain { json function } {
    foreach context [dict get $json contexts] {
	set chain {}
	foreach frame [dict get $context frames] {
	    lappend chain [rt_name $frame]
	}
	if { [lindex $chain 0] eq $function } { return $chain }
    }
    return {}
}

# Check that the values of KEYS in SUM are the EXPECTED list.
proc rt_equal { name sum keys expected } {
    set found {}
    foreach key $keys { lappend found [dict get $sum $key] }
    return [hp_equal $name [list {*}$expected] $found]
}

proc rt_profiles { { pattern *.hpraw } } {
    return [lsort [glob -nocomplain $pattern]]
}

proc rt_clean {} {
    foreach file [glob -nocomplain *.hpraw*] { file delete $file }
}

proc rt_first { language } {
    return [lindex [hp_compilers $language] 0]
}

# Return the form of raw profile FILE: packed or mapped.
proc rt_form { file } {
    set channel [open $file rb]
    set data [read $channel 23]
    close $channel
    binary scan $data @22cu flags
    return [expr { $flags & 2 ? "packed" : "mapped" }]
}

# Return the contexts of profile JSON without data that differs between runs:
# frames, and counts that do not depend on time or place.
proc rt_lasting { json } {
    set lasting {}
    foreach context [dict get $json contexts] {
	set one {}
	foreach frame [dict get $context frames] {
	    lappend one [rt_name $frame]
	}
	dict for { key value } [dict get $context info] {
	    if { ![regexp {_ns|time|cpu|lifetime} $key] } {
		lappend one $key $value
	    }
	}
	lappend lasting $one
    }
    return [lsort $lasting]
}
