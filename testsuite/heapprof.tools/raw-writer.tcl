# Write raw profiles, and find the calls in a binary.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tests of the tools write their own raw profiles, so that they know every
# number and do not depend on the run-time library.

# Number of bytes of a record, by kind: contexts, MIBs, segments, strings, live,
# wide.
set raw_record_bytes { 1 16 2 128 3 96 4 1 5 16 6 256 }

# The MIB of CONTEXT and its wide record, numbered WIDE, or "" if it needs none.
# The dict VALUES has the count and lists of total, min and max; those of 0 may
# be missing.
proc raw_mib { number context allocs bytes values wide } {
    set defaults { count 0 accesses {0 0 0} size {0 0 0} lifetime {0 0 0}
	utilization {0 0 0} density {0 0 0} lifetime_density {0 0 0}
	times {0 0 0 0} cpus {0 0} counts {0 0 0 0} }
    set v [dict merge $defaults $values]
    set count [dict get $v count]
    set needs [expr { $count >> 31 }]
    set narrow {}
    lassign [dict get $v counts] migrated overlaps same_alloc same_dealloc
    foreach range { accesses size lifetime density lifetime_density } {
	lassign [dict get $v $range] total min max
	if { $range eq "lifetime" } {
	    set bits 47
	    append narrow [binary format w \
		[expr { ($total & ((1 << 48) - 1)) | $overlaps << 48 }]]
	} else {
	    set bits 31
	    append narrow [binary format i $total]
	}
	set needs [expr { $needs | $total >> $bits | $max >= 0xffffffff }]
	append narrow [binary format ii \
	    [expr { min ($min, 0xffffffff) }] [expr { min ($max, 0xffffffff) }]]
    }
    lassign [dict get $v utilization] total least greatest
    lassign [dict get $v times] first_alloc last_alloc first_dealloc last_dealloc
    lassign [dict get $v cpus] alloc_cpu dealloc_cpu
    set lifetime [expr { $last_dealloc - $last_alloc }]
    set needs [expr { $needs | $total >> 31 | $lifetime >= 0xffffffff }]
    foreach n [dict get $v counts] { set needs [expr { $needs | $n >> 15 }] }
    set mib [binary format iiwissii $context [expr { $needs ? $wide : 0 }] \
	$bytes $allocs 1 $migrated $count $total]
    append mib $narrow [binary format ss $same_alloc $same_dealloc]
    append mib [binary format iwww [expr { min ($lifetime, 0xffffffff) }] \
	[expr { $first_alloc | $alloc_cpu << 48 }] \
	[expr { $first_dealloc | $dealloc_cpu << 48 }] \
	[expr { $last_dealloc | $least << 48 | $greatest << 56 }]]
    if { !$needs } { return [list $mib ""] }
    set data [binary format iiw $number 0 $count]
    foreach range { accesses size lifetime utilization density
	lifetime_density times } {
	append data [binary format w* [dict get $v $range]]
    }
    append data [binary format i* [dict get $v cpus]]
    append data [binary format w* [dict get $v counts]] [string repeat "\0" 24]
    return [list $mib $data]
}

# Write FILE from a dict:
#   state     0 running, 1 complete (default), 2 snapshot
#   snapshot  its number
#   run       one character, the run's id
#   end       nanoseconds
#   notes     dropped, truncated, unprofiled, foreign frees, ended walks,
#             folded, pruned
#   version   of the format
#   segments  list of { start end bias path build-id }
#   contexts  list of { address parent }, without the root; a parent is a number
#             in this list, counted from 1
#   mibs      list of { context allocs bytes freed ?live? }, the last two
#             observations as raw_mib takes them
proc raw_write { file values } {
    global raw_record_bytes
    set v [dict merge { state 1 snapshot 0 run r end 1000000000
	notes {0 0 0 0 0 0 0} version 2 segments {} contexts {} mibs {} } $values]
    # The program is the first segment's file.
    set strings "[encoding convertto utf-8 \
	[lindex [dict get $v segments] 0 3]]\0"
    set segments {}
    foreach segment [dict get $v segments] {
	lassign $segment start end bias path id
	append segments [binary format wwwwwwiiiia32 $start $end $bias \
	    [string length $strings] 0 0 0 0 [expr { [string length $id] / 2 }] \
	    0 [binary format H* $id]]
	append strings [encoding convertto utf-8 $path] "\0"
    }
    set mibs [string repeat "\0" 128]
    set wide [string repeat "\0" 256]
    set live {}
    set mib_of {}
    set number 0
    foreach mib [dict get $v mibs] {
	lassign $mib context allocs bytes freed living
	dict set mib_of $context [incr number]
	lassign [raw_mib $number $context $allocs $bytes $freed \
	    [expr { [string length $wide] / 256 }]] record its_wide
	append mibs $record
	append wide $its_wide
	if { $living eq "" } { continue }
	append live [binary format iiw $number [dict get $living count] \
	    [lindex [dict get $living size] 0]]
	# Live blocks have a MIB of their own, as if of another thread.
	lassign [raw_mib [incr number] $context 0 0 $living \
	    [expr { [string length $wide] / 256 }]] record its_wide
	append mibs $record
	append wide $its_wide
    }
    set contexts [binary format wii 0 0 0]
    set number 0
    foreach context [dict get $v contexts] {
	incr number
	lassign $context address parent
	set mib 0
	if { [dict exists $mib_of $number] } { set mib [dict get $mib_of $number] }
	append contexts [binary format wii $address $parent $mib]
    }
    set sections [list 1 $contexts 2 $mibs 3 $segments 4 $strings 5 $live 6 $wide]
    set offset 4096
    set extents {}
    set body {}
    foreach { kind data } $sections {
	set bytes [dict get $raw_record_bytes $kind]
	set count [expr { [string length $data] / $bytes }]
	set fill [expr { -[string length $data] & 4095 }]
	append extents [binary format iiwww $kind $bytes $offset \
	    [expr { ([string length $data] + $fill) / $bytes }] $count]
	append body $data [string repeat "\0" $fill]
	set offset [expr { 4096 + [string length $body] }]
    }
    set header [binary format a8iiiccccii "\x89HPRAW\r\n" 0x01020304 \
	[dict get $v version] 4096 8 6 0 0 62 [dict get $v state]]
    append header [binary format a16wwwwww [dict get $v run] \
	[dict get $v snapshot] 4711 1 1700000000000000000 [dict get $v end] 0]
    append header [binary format w* [dict get $v notes]]
    append header [string repeat "\0" [expr { 496 - [string length $header] }]]
    append header [binary format ww 6 1] $extents
    append header [string repeat "\0" [expr { 4096 - [string length $header] }]]
    hp_write $file $header$body
}

# The build ID of BINARY in hexadecimal, "" if it has none.
proc build_id { binary } {
    regexp {Build ID: ([0-9a-f]+)} [exec readelf -n $binary 2> /dev/null] all id
    return [expr { [info exists id] ? $id : "" }]
}

# The segment of BINARY, loaded at BIAS.
proc segment_of { binary { bias 0 } } {
    return [list $bias [expr { $bias + 0x40000000 }] $bias \
		[file normalize $binary] [build_id $binary]]
}

# The calls in BINARY: a list of { caller callee call-address return-address },
# numbers in decimal, CALLEE "" if the call is indirect.
proc calls_in { binary } {
    set calls {}
    set caller ""
    set pending {}
    foreach line [hp_disassembly $binary] {
	if { [regexp {^[0-9a-f]+ <([^>]*)>:$} $line all caller] } {
	    set pending {}
	    continue
	}
	if { ![regexp {^ +([0-9a-f]+):\t(.*)$} $line all address text] } {
	    continue
	}
	set address [expr 0x$address]
	if { $pending ne {} } { lappend calls [concat $pending $address] }
	set pending {}
	if { [regexp {^(bnd )?call[ql]? +(.*)$} $text all bnd target] } {
	    set callee ""
	    regexp {<([^>+]*)>} $target all callee
	    set pending [list $caller $callee $address]
	}
    }
    return $calls
}

# A dict from the names of symbols in BINARY to their addresses; of several symbols
# of a name, the first one.
proc symbol_addresses { binary } {
    set addresses {}
    foreach line [lreverse [split [exec nm $binary] \n]] {
	dict set addresses [lindex $line end] 0x[lindex $line 0]
    }
    return $addresses
}

# The address of the symbol NAME in BINARY.
proc symbol_address { binary name } {
    set addresses [symbol_addresses $binary]
    if { ![dict exists $addresses $name] } { error "no symbol $name in $binary" }
    return [expr [dict get $addresses $name]]
}

# The return address of the only call of CALLEE in CALLER.
proc return_address { binary caller callee } {
    foreach call [calls_in $binary] {
	lassign $call from to at after
	if { $from eq $caller && [regsub {@plt$} $to ""] eq $callee } {
	    return $after
	}
    }
    error "no call of $callee in $caller in $binary"
}

# Run heapprof-gcov and check that it fails with STATUS and one line on standard
# error that matches the glob PATTERN; for status 2 there may be more lines.
proc check_fails { name status pattern args } {
    lassign [hp_gcov {*}$args] found out err
    set lines [split [string trimright $err \n] \n]
    hp_check $name [expr { $found eq $status && [string match $pattern $err]
			   && ($status == 2 || [llength $lines] == 1) }] \
	"status $found: $err"
}

# Build BINARY from calls.c with the options ARGS.
proc build_calls { binary args } {
    global srcdir
    return [hp_compile "[file tail $binary] $args" \
	[list gcc -g {*}$args $srcdir/heapprof.tools/calls.c -o $binary]]
}

# Write the raw profile FILE of a run of BINARY with one context main -> build
# -> grab of COUNT blocks of 10 bytes.  ARGS are keys and values of raw_write,
# and path, id and bias of the segment.
proc write_run { file binary count args } {
    set segment [segment_of $binary]
    set path [lindex $segment 3]
    set rest $args
    set args {}
    foreach { key value } $rest {
	switch -- $key {
	    path { lset segment 3 $value }
	    id { lset segment 4 $value }
	    bias { set segment [lreplace $segment 0 2 $value \
				    [expr { $value + 0x40000000 }] $value] }
	    default { lappend args $key $value }
	}
    }
    set bias [lindex $segment 2]
    set contexts {}
    set parent 0
    foreach { caller callee } { main build build grab grab malloc } {
	lappend contexts [list \
	    [expr { $bias + [return_address $binary $caller $callee] }] $parent]
	incr parent
    }
    raw_write $file [dict merge [list segments [list $segment] \
	contexts $contexts mibs [list [list 3 $count [expr { 10 * $count }] \
	    [list count $count size [list [expr { 10 * $count }] 10 10]]]]] \
	$args]
}
