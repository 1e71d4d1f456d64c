# Reading the programs of this folder: the accesses that they state, and what truth.h
# says about them.
# SPDX-License-Identifier: GPL-3.0-or-later

# Optimization levels to test in addition to -O0 and -O2, by source file.
array set truth_levels { lanes.c { -O3 } matrix.c { -O3 } list.c { -Os -Og } }
array set truth_flags { threads.c -pthread containers.cc -std=c++17 }

proc truth_language { source } {
    switch -- [file extension $source] {
	.c { return c }
	.cc { return c++ }
	.f90 { return fortran }
    }
}

# Line number -> site name, from the marks in SOURCE.
proc truth_marks { source } {
    set marks {}
    set number 0
    foreach line [split [hp_read $source] \n] {
	incr number
	if { [regexp {site: (\w+)} $line all name] } {
	    dict set marks $name $number
	}
    }
    return $marks
}

# The changes that SOURCE states for LEVEL of COMPILER: site name -> accesses.
proc truth_changes { source level compiler } {
    set changes {}
    foreach line [split [hp_read $source] \n] {
	if { [regexp {^(?:--|//| +\*>)? +((?:-O\w+ )+)(?:until GCC (\d+) )?(\w+) (\d+): } \
		  $line all levels last name n] \
		 && $level in $levels \
		 && ($last eq "" || [hp_major $compiler] <= $last) } {
	    dict set changes $name $n
	}
    }
    return $changes
}

# The program's output: a list of {NAME BLOCKS BYTES ACCESSES}.  Accesses may be a star
# for those that the compiler makes by itself.
proc truth_statements { out } {
    set statements {}
    foreach line [split $out \n] {
	if { [regexp {^site (\w+) +(\d+) +(\d+) +(\d+|\*)$} $line all a b c d] } {
	    lappend statements [list $a $b $c $d]
	}
    }
    return $statements
}

proc truth_compare { test source sites marks out changes } {
    set statements [truth_statements $out]
    hp_equal "$test: prints counts for each site" [lsort [dict keys $marks]] \
	[lsort [lmap statement $statements { lindex $statement 0 }]]
    foreach statement $statements {
	lassign $statement name blocks bytes accesses
	if { [dict exists $changes $name] } {
	    set accesses [dict get $changes $name]
	}
	set line [dict get $marks $name]
	set found "no such site"
	if { [dict exists $sites $line] } {
	    set site [dict get $sites $line]
	    set found [list [dict get $site count] [dict get $site bytes] \
			   [expr { $accesses eq "*" ? "*" : [dict get $site accesses] }]]
	}
	hp_equal "$test: site $name" [list $blocks $bytes $accesses] $found
    }
}
