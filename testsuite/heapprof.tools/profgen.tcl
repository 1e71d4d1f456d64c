# Make perf recordings for tests, from a description or from a trace of a program
# that runs step by step.
# SPDX-License-Identifier: GPL-3.0-or-later

# Write the recording OUT of DESCRIPTION (testsuite/unit/perf-builder.h) in
# LAYOUT; return 0 if this build does not support that.
proc write_perf { layout out description } {
    global hp_top_builddir
    hp_write description $description
    lassign [hp_exec -in description \
		 [hp_program testsuite/unit/write-perf] $layout $out] status
    return [expr { $status eq "0" }]
}

# The segments of BINARY: a list of { offset address file-bytes flags }.
proc segments_of { binary } {
    set found {}
    foreach line [split [exec readelf -lW $binary] \n] {
	if { [regexp {^ +LOAD +(\S+) (\S+) \S+ (\S+) \S+ (.E?.*) 0x} $line \
		  all offset address bytes flags] } {
	    lappend found [list [expr $offset] [expr $address] [expr $bytes] \
			       $flags]
	}
    }
    return $found
}

# Lines that map BINARY, recorded with PATH, at BIAS into PID at TIME: its code,
# and with DATA all other segments, too.
proc map_lines { binary path bias pid time { data 0 } { build_id "" } } {
    set lines ""
    foreach segment [segments_of $binary] {
	lassign $segment offset address bytes flags
	set is_code [string match *E* $flags]
	if { !$is_code && !$data } { continue }
	set skip [expr { $offset % 4096 }]
	append lines [format "map %d %d 0x%x 0x%x 0x%x %d %s %s\n" $pid $time \
			  [expr { $bias + $address - $skip }] \
			  [expr { ($bytes + $skip + 4095) / 4096 * 4096 }] \
			  [expr { $offset - $skip }] [expr { $is_code ? 5 : 1 }] \
			  $path $build_id]
    }
    return $lines
}

# The same description as `perf script' prints it.
proc script_of { description } {
    set text ""
    foreach line [split $description \n] {
	switch -- [lindex $line 0] {
	    map {
		lassign $line kind pid time start bytes offset protection path
		append text "PERF_RECORD_MMAP2 $pid/$pid: \[$start\($bytes\) @ " \
		    "$offset fe:00 1 0]: [expr { $protection == 5 ? "r-xp"
						     : "r--p" }] $path\n"
	    }
	    stack {
		foreach word [lrange $line 4 end] {
		    if { [string match */* $word] } { break }
		    append text "\t[format %x $word]\n"
		}
		foreach branch [lsearch -all -inline $line */*] {
		    append text " $branch/P/-/-/1/ "
		}
		append text \n
	    }
	    branches {
		append text " [format %x [lindex $line 3]]"
		foreach branch [lrange $line 4 end] {
		    lassign [split $branch /] from to
		    append text " $from/$to/P/-/-/1/ "
		}
		append text \n
	    }
	}
    }
    return $text
}

# The lines of the disassembly of all BINARIES, one after the other.
proc disassembly_of { binaries } {
    set lines {}
    foreach binary $binaries { lappend lines {*}[hp_disassembly $binary] }
    return $lines
}

# The address of code that is in no binary.
set external_address 0x10

# The same as stack_lines, with the callers at the time of each sample.  BRANCHES
# are of BINARIES.  Where a call was made is known from their disassembly.  The
# trace lacks other code: a return to where no call is went there, and from there
# on.
proc hybrid_lines { binaries branches } {
    set after {}
    set returns {}
    set last ""
    foreach line [disassembly_of $binaries] {
	if { ![regexp {^ +([0-9a-f]+):\t(.*)} $line all address text] } {
	    continue
	}
	set address [expr 0x$address]
	if { $last ne "" } { dict set after $last $address }
	set last [expr { [regexp {\mcall} $text] ? $address : "" }]
	if { [regexp {\mret} $text] } { dict set returns $address 1 }
    }
    set places {}
    dict for { call place } $after { dict set places $place 1 }
    set callers {}
    set stack {}
    set lines ""
    set count 0
    foreach branch $branches {
	lassign [split $branch /] from to
	set from [expr $from]
	set to [expr $to]
	if { [dict exists $after $from] } {
	    set callers [linsert $callers 0 [dict get $after $from]]
	} elseif { [dict exists $returns $from]
		   || $to == [lindex $callers 0] } {
	    set at [lsearch -integer $callers $to]
	    set callers [lrange $callers [expr { $at + 1 }] end]
	}
	if { [dict exists $returns $from] && ![dict exists $places $to] } {
	    set stack [linsert $stack 0 [lindex [split $branch /] 0]/$::external_address]
	    set branch $::external_address/[lindex [split $branch /] 1]
	}
	set stack [lrange [linsert $stack 0 $branch] 0 31]
	if { [incr count] % 31 == 1 && $count > 1 } {
	    append lines "stack 7 [expr { 1000 + $count }] $to $to $callers $stack\n"
	}
    }
    return $lines
}

# A dict from the address of each instruction in BINARIES to that of the next; not
# of calls, returns and unconditional jumps, which are branches even to there.
proc instructions_of { binaries } {
    set next {}
    set last ""
    foreach line [disassembly_of $binaries] {
	if { [regexp {^ +([0-9a-f]+):\t(.*)} $line all address text] } {
	    set address [expr 0x$address]
	    if { $last ne "" } { dict set next $last $address }
	    set last $address
	    if { [regexp {\m(jmp|call|ret)} $text] } { set last "" }
	}
    }
    return $next
}

# Run BINARY, which is not position-independent, with ARGS, step by step; return
# the addresses of its instructions, hexadecimal without 0x, oldest first, or {}
# on failure.
proc step_addresses { binary args } {
    foreach segment [segments_of $binary] {
	lassign $segment offset address bytes flags
	if { [string match *E* $flags] } {
	    set low $address
	    set high [expr { $address + $bytes }]
	}
    }
    lassign [step_program $low $high [symbol_address $binary main] \
		 $binary {*}$args] status out
    return [expr { $status eq "0" ? $out : {} }]
}

# The same, but return its taken branches.
proc step_branches { binary args } {
    return [branches_of $binary [step_addresses $binary {*}$args]]
}

# The taken branches in BINARIES of a program that ran through ADDRESSES.
proc branches_of { binaries addresses } {
    set next [instructions_of $binaries]
    return [taken_branches $addresses {
	![dict exists $next $last] || [dict get $next $last] != $address }]
}

# The same as lines with stacks.
proc record_branches { binary args } {
    return [stack_lines [step_branches $binary {*}$args]]
}

# The branches FROM/TO of a program that ran through the ADDRESSES, hexadecimal
# without 0x, oldest first.  In the caller, the expression IS_BRANCH tells if
# going from $last to $address is one.
proc taken_branches { addresses is_branch } {
    upvar last last address address
    set last ""
    set branches {}
    foreach address $addresses {
	set address [expr 0x$address]
	if { $last ne "" && [uplevel [list expr $is_branch]] } {
	    lappend branches [format 0x%x/0x%x $last $address]
	}
	set last $address
    }
    return $branches
}

# Lines with stacks of 32 of BRANCHES, which are oldest first, one line every 31
# branches.  FLAGS follow each branch.
proc stack_lines { branches { flags "" } } {
    set stack {}
    set lines ""
    set count 0
    foreach branch $branches {
	set stack [lrange [linsert $stack 0 $branch$flags] 0 31]
	if { [incr count] % 31 == 1 && $count > 1 } {
	    append lines "branches 7 [expr { 1000 + $count }]" \
		" [lindex [split $branch /] 1] $stack\n"
	}
    }
    return $lines
}

# The text that profgen ARGS prints.
proc profgen_text { args } {
    lassign [hp_gcov profgen --format=text -o - {*}$args] status out err
    return $out
}

# Run PROGRAM step by step; see step-branches.c.
proc step_program { low high start program args } {
    return [hp_exec -env [list LD_PRELOAD [pwd]/step-branches.so \
			      STEP_BRANCHES "$low $high $start"] $program {*}$args]
}

# Build step-branches; return true if it works on this machine.
proc profgen_can_step {} {
    global srcdir
    if { ![hp_compile step-branches [list gcc -O1 -D_GNU_SOURCE -shared -fPIC \
	$srcdir/heapprof.tools/step-branches.c -o step-branches.so]] } {
	return 0
    }
    lassign [step_program 0 0x7fffffffffff 0 /bin/true] status out
    if { $status eq "0" && [llength $out] > 100 } { return 1 }
    unsupported "stepping through programs (status $status)"
    return 0
}
