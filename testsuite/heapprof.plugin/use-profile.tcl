# Make heap profiles for the tests of `use' from short descriptions.
# SPDX-License-Identifier: GPL-3.0-or-later

# Return the YAML of a calling context, given as frames, innermost first:
# FUNCTION LINE_OFFSET COLUMN, separated by ",".
proc use_frames { context indent } {
    set text ""
    foreach frame [split $context ,] {
	lassign $frame function line column
	append text "$indent- { Function: $function, LineOffset: $line,\
	    Column: $column, IsInlineFrame: false }\n"
    }
    return $text
}

# Write FILE, a heap profile.  ALLOCATIONS repeats: a calling context, the number of
# blocks, their bytes, lifetime in milliseconds and lifetime access density.  Each
# frame except the innermost becomes a call site of its function.
proc use_write_profile { file allocations } {
    set sites {}
    set functions {}
    foreach { context count bytes lifetime density } $allocations {
	set frames [split $context ,]
	set leaf [lindex [lindex $frames 0] 0]
	dict lappend functions $leaf
	dict append allocated $leaf "      - Callstack:\n[use_frames $context \
	    {          }]        MemInfoBlock: { AllocCount: $count,\
	    TotalSize: $bytes, TotalLifetime: $lifetime,\
	    TotalLifetimeAccessDensity: $density }\n"
	foreach frame [lrange $frames 1 end] {
	    set frame [string trim $frame]
	    dict lappend functions [lindex $frame 0]
	    dict set sites [lindex $frame 0] $frame 1
	}
    }
    set text "---\nHeapProfileRecords:\n"
    foreach function [dict keys $functions] {
	append text "  - GUID: $function\n"
	if { [dict exists $allocated $function] } {
	    append text "    AllocSites:\n[dict get $allocated $function]"
	} else {
	    append text "    AllocSites: \[\]\n"
	}
	if { [dict exists $sites $function] } {
	    append text "    CallSites:\n"
	    foreach frame [dict keys [dict get $sites $function]] {
		append text "      - Frames:\n[use_frames $frame {          }]"
	    }
	} else {
	    append text "    CallSites: \[\]\n"
	}
    }
    hp_write profile.yaml "$text...\n"
    return [hp_gcov merge --llvm-only -o $file profile.yaml]
}

# Return the hexadecimal digits of the N bytes of NUMBER, little-endian.
proc use_hex { number n } {
    set text ""
    for { set i 0 } { $i < $n } { incr i } {
	append text [format %02x [expr { ($number >> 8 * $i) & 0xff }]]
    }
    return $text
}

# Return the first 8 bytes of the MD5 digest of the bytes HEX as a little-endian
# number: computed by coreutils, not by the tested code.
proc use_md5 { hex } {
    set file [open md5.bin wb]
    puts -nonewline $file [binary format H* $hex]
    close $file
    lassign [hp_exec md5sum md5.bin] status out err
    binary scan [binary format H16 $out] wu number
    return $number
}

# Return the id of the frame FUNCTION LINE_OFFSET COLUMN as printed in dumps.
proc use_frame_id { function line column } {
    binary scan $function H* name
    set id [use_md5 "[use_hex [use_md5 $name] 8][use_hex $line 4][use_hex \
	$column 4]"]
    return [expr { $id >= 1 << 63 ? $id - (1 << 64) : $id }]
}

# Return the lines that the plugin's pass PASS wrote to its dump of SOURCE, with
# ids replaced according to NAMES, a list of pairs.
proc use_dump { source pass names } {
    set files [glob -nocomplain [file tail $source].*t.$pass]
    if { [llength $files] != 1 } { return "dumps: $files" }
    set lines {}
    foreach line [split [hp_read [lindex $files 0]] \n] {
	if { [regexp {^!|^[^ ]+:\d+:\d+: call} $line] } {
	    lappend lines [string map $names $line]
	}
    }
    return [join $lines \n]
}
