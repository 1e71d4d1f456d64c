# Other allocators, and what calls of them cost.
# SPDX-License-Identifier: GPL-3.0-or-later

# Return a list of names of allocators, each with its file: empty for libc, and
# if it is not installed.
proc rt_allocators { compiler } {
    set allocators [list libc {}]
    foreach name { jemalloc tcmalloc_minimal mimalloc } {
	set file ""
	regexp "=> (\\S*/lib$name\\.so\\.\\S+)" \
	    [lindex [hp_exec /sbin/ldconfig -p] 1] all file
	lappend allocators [lindex [split $name _] 0] $file
    }
    return $allocators
}

# Return the number of instructions of one allocation with its release in
# COMMAND, whose last argument is the number of both.
proc rt_instructions { environment command } {
    set counts {}
    foreach number { 1000 11000 } {
	lassign [hp_exec -env $environment valgrind --tool=callgrind \
		     --callgrind-out-file=/dev/null {*}$command $number] \
	    status out err
	if { ![regexp {Collected : ([0-9]+)} $err all found] } { return none }
	lappend counts $found
    }
    return [expr { ([lindex $counts 1] - [lindex $counts 0]) / 10000.0 }]
}
