# A run with known numbers for the tests of reports.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Allocated: 17 blocks, 2703 bytes, 50923 accesses, lifetimes of 4800001000 ns;
# 2 blocks, 602 bytes, are never freed.

source $srcdir/heapprof.tools/raw-writer.tcl

# Compile calls.c to BINARY, as if the source were in /src.
proc compile_calls { binary args } {
    global srcdir
    file copy -force $srcdir/heapprof.tools/calls.c calls.c
    return [hp_compile "[file tail $binary] $args" \
	[list gcc -g -ffile-prefix-map=[pwd]=/src {*}$args calls.c -o $binary]]
}

# Write the raw profile FILE of a run of BINARY: main -> build -> grab allocates
# much memory that is used often; main -> scan -> grab little memory that lives
# long and is hardly used; main -> outer -> inner blocks that are never freed.
proc write_run { file binary args } {
    set main [list [return_address $binary main build] \
		  [return_address $binary main scan] \
		  [return_address $binary main outer]]
    raw_write $file [dict merge [list \
	segments [list [segment_of $binary]] \
	contexts [list \
	    [list [lindex $main 0] 0] \
	    [list [return_address $binary build grab] 1] \
	    [list [return_address $binary grab malloc] 2] \
	    [list [lindex $main 1] 0] \
	    [list [return_address $binary scan grab] 4] \
	    [list [return_address $binary grab malloc] 5] \
	    [list [lindex $main 2] 0] \
	    [list [return_address $binary outer malloc] 7]] \
	mibs [list \
	    { 3 10 1000 { count 10 accesses {50000 4000 6000}
		size {1000 100 100} lifetime {200000000 10000000 30000000}
		utilization {1000 100 100} density {50000 4000 6000} } } \
	    { 6 4 800 { count 4 accesses {20 5 5} size {800 200 200}
		lifetime {3600000000 900000000 900000000}
		utilization {100 25 25} density {8 2 2} } } \
	    { 8 3 903 { count 1 accesses {301 301 301} size {301 301 301}
		lifetime {1000 1000 1000} utilization {100 100 100}
		density {100 100 100} }
		{ count 2 accesses {602 301 301} size {602 301 301}
		lifetime {1000000000 500000000 500000000}
		utilization {200 100 100} density {200 100 100} } }]] $args]
}
