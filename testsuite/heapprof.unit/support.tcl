# Run Check programs.
# SPDX-License-Identifier: GPL-3.0-or-later

# Run PROGRAM of the build tree; one result for each Check test it reports.
proc run_unit { program } {
    global hp_top_builddir
    lassign [hp_exec -env { CK_VERBOSITY verbose CK_DEFAULT_TIMEOUT 120 } \
	     $hp_top_builddir/$program] status out err
    set name [file tail $program]
    set reported 0
    foreach line [split $out \n] {
	# file.c:12:P:case:test:0: Passed
	if { ![regexp {^([^:]+):(\d+):([PFES]):([^:]*):([^:]*):(\d+): (.*)$} \
		   $line all file at result case test loop message] } {
	    continue
	}
	incr reported
	hp_check "$name: $case: $test $loop" [expr { $result eq "P" }] $line
    }
    hp_check "$name: ran tests and succeeded" \
	[expr { $status eq "0" && $reported > 0 }] "status $status: $err"
}

# Run those of PROGRAMS that match PATTERN, or that do not.
proc run_units { programs is_match pattern } {
    global have_check
    if { $have_check ne "yes" } {
	unsupported "unit tests (the Check library is not installed)"
	return
    }
    foreach program $programs {
	if { [string match $pattern [file tail $program]] == $is_match } {
	    run_unit $program
	}
    }
}
