# Heap profiles of programs for other machines, run by qemu: the counts that
# programs state, and the contexts, blocks and accesses of the same programs on
# this machine.
# SPDX-License-Identifier: GPL-3.0-or-later

source $srcdir/heapprof.truth/truth.tcl

# The emulator keeps a record of each page, used or not, so programs get a small
# address space: counters are an eighth of that.
set cross_space 16G

# Set up variables for the C compiler GCC.
proc cross_start { gcc } {
    global cross_gcc cross_gxx cross_emulator cross_host cross_root cross_folder
    global hp_top_builddir
    set cross_gcc $gcc
    set cross_gxx [regsub {gcc([^/]*)$} $gcc {g++\1}]
    set machine [exec $gcc -dumpmachine]
    set cross_folder $hp_top_builddir/gcc-plugin/$machine-[hp_major $gcc]
    set cross_emulator qemu-[lindex [split $machine -] 0]
    set cross_root [file dirname [file dirname [exec $gcc \
	-print-file-name=libc.so.6]]]
    set cross_host [lindex [lmap host [hp_compilers] {
	if { [hp_major $host] ne [hp_major $gcc] } { continue }
	set host }] 0]
}

# The compiler of SOURCE among C and C++ compilers.
proc cross_compiler { source c cxx } {
    return [expr { [file extension $source] eq ".cc" ? $cxx : $c }]
}

# Compile SOURCE for the other machine to OUTPUT.
proc cross_compile { test source output args } {
    global cross_gcc cross_gxx
    set compiler [cross_compiler $source $cross_gcc $cross_gxx]
    return [hp_compile $test [list \
	[hp_wrapper [file tail $compiler]] {*}$args -o $output $source]]
}

# Run PROGRAM of the other machine; return its raw profile, or "".
proc cross_run { test program args } {
    global cross_emulator cross_root cross_space
    return [hp_run $test -env [list QEMU_LD_PREFIX $cross_root] \
	$cross_emulator -R $cross_space $program {*}$args]
}

# The same with OPTIONS for the emulator, without requirements; return status,
# stdout and stderr.
proc cross_exec { options program args } {
    global cross_emulator cross_root cross_space
    foreach old [glob -nocomplain *.hpraw] { file delete $old }
    return [hp_exec -env [list QEMU_LD_PREFIX $cross_root] $cross_emulator \
	-R $cross_space {*}$options $program {*}$args]
}

# The contexts of RAW that end in the source file NAME, as far as they are there:
# functions and lines, with blocks, bytes and accesses.  What the libraries allocate
# differs.
proc cross_contexts { raw name } {
    set sums {}
    foreach context [hp_contexts [hp_show $raw]] {
	set frames {}
	foreach frame [dict get $context frames] {
	    if { [file tail [dict get $frame file]] ne $name } { continue }
	    lappend frames [dict get $frame function]:[dict get $frame line]
	}
	if { $frames eq {} || [file tail \
		[dict get [lindex [dict get $context frames] 0] file]] ne $name } {
	    continue
	}
	foreach key { count bytes accesses } {
	    set old 0
	    catch { set old [dict get $sums $frames $key] }
	    dict set sums $frames $key \
		[expr { $old + [dict get $context $key] }]
	}
    }
    return [lsort [lmap { frames sum } $sums { list $frames $sum }]]
}

# Compare the profiles of SOURCE, compiled with FLAGS, and for the other machine also
# with MORE, on both machines.
proc cross_same { machine source flags more args } {
    global cross_host
    set name [file tail $source]
    set test "$machine: $name $flags $more"
    set host [hp_wrapper [cross_compiler $source $cross_host \
	[regsub gcc $cross_host g++]]]
    if { ![hp_compile "$test here" [list $host {*}$flags -o here $source]] \
	     || ![cross_compile $test $source there \
		   {*}$flags {*}$more] } {
	return
    }
    set here [cross_contexts [hp_run "$test here" ./here {*}$args] $name]
    set there [cross_contexts [cross_run $test ./there {*}$args] $name]
    hp_check "$test: has contexts" [expr { [llength $there] > 0 }]
    hp_equal "$test: the same contexts, blocks and accesses" $here $there
}

proc cross_truth { machine source level } {
    global truth_flags
    set name [file tail $source]
    set test "$machine: $name $level"
    set flags {}
    if { [info exists truth_flags($name)] } { set flags $truth_flags($name) }
    if { ![cross_compile $test $source program $level {*}$flags -lm] } { return }
    set raw [cross_run $test ./program]
    if { $raw eq "" } { return }
    set out [hp_read hp-stdout]
    truth_compare $test $source [hp_sites [hp_show $raw] $name] \
	[truth_marks $source] $out [truth_changes $source $level gcc]
}

# Many contexts: 4096 paths to 16384 blocks.
proc cross_contexts_of_paths { machine } {
    global srcdir subdir
    set test "$machine: contexts.c"
    if { ![cross_compile $test $srcdir/$subdir/contexts.c paths -O0] } { return }
    set raw [cross_run $test ./paths]
    set big [string match s390x* $machine]
    set has 0
    set states 1
    binary scan [hp_read ./paths] @18[expr { $big ? "Su" : "su" }] has
    binary scan [hp_read $raw] @24[expr { $big ? "Iu" : "iu" }] states
    hp_equal "$test: the raw profile states the machine" $has $states
    set text [lindex [hp_gcov show $raw] 1]
    foreach { what number } { contexts 4,096 blocks 16,384 } {
	hp_check "$test: $what" [regexp -line "^  $what +$number\$" $text] \
	    [string range $text 0 600]
    }
}

# Modules that are loaded and unloaded at the same addresses.
proc cross_modules { machine } {
    global srcdir subdir
    set test "$machine: modules.c"
    foreach { name blocks bytes } { a 3 100 b 5 200 } {
	cross_compile $test $srcdir/$subdir/module.c module-$name.so -O1 -shared \
	    -fPIC -DBLOCKS=$blocks -DBYTES=$bytes
    }
    if { ![cross_compile $test $srcdir/$subdir/modules.c modules -O1] } { return }
    set raw [cross_run $test ./modules]
    set sites [hp_sites [hp_show $raw] module.c]
    set found {}
    dict for { line site } $sites {
	lappend found [dict get $site count] [dict get $site bytes]
    }
    hp_equal "$test: blocks of both modules" {32 5200} $found
}

# Killed at any time, a program leaves all it has reported.
proc cross_killed { machine } {
    global srcdir subdir cross_emulator cross_root cross_space
    set test "$machine: killed"
    set word [expr { [string match s390x* $machine] ? "W" : "w" }]
    if { ![cross_compile $test $srcdir/$subdir/victim.c victim -O1] } { return }
    foreach reports { 1 2000 } {
	foreach old [glob -nocomplain *.hpraw] { file delete $old }
	set channel [open "|env QEMU_LD_PREFIX=$cross_root\
	    $cross_emulator -R $cross_space ./victim" rb]
	set text [read $channel [expr { 8 * $reports }]]
	exec kill -KILL [pid $channel]
	append text [read $channel]
	catch { close $channel }
	set reported 0
	binary scan $text @[expr { [string length $text] / 8 * 8 - 8 }]$word reported
	set count 0
	set live 0
	foreach context [hp_contexts [hp_show [glob -nocomplain *.hpraw]]] {
	    incr count [dict get $context count]
	    incr live [dict get $context live]
	}
	set missing [expr { $reported - ($count - $live) }]
	hp_check "$test after $reports reports: nothing that was reported is missing" \
	    [expr { $reported >= $reports && $missing <= 0 && $missing >= -1 }] \
	    "$reported reported, $count blocks, $live of them live"
    }
}

# Threads that are killed at random moments.
proc cross_storm { machine } {
    global hp_top_srcdir hp_top_builddir
    lassign [hp_exec python3 $hp_top_srcdir/maint/kill-storm \
		 --heapprof=$hp_top_builddir --compiler=$machine --kills=3 \
		 --longest=1500] status out err
    hp_check "$machine: threads killed at random moments lose nothing" \
	[expr { $status eq "0" && [regexp {^3 kills: [1-9]} $out]
		&& [regexp {\n[1-9]\d* releases noted, all in the profiles} \
			$out] }] "status $status: $out$err"
}

# At exit, the search for lost blocks starts above the frames of exit, and takes the
# registers that the program had.  The emulator does not make the copy of the process
# in which it looks for pointers, so the debug log tells.
proc cross_exit { machine } {
    global srcdir subdir checking
    set test "$machine: exit-frames.c"
    set what { "start of the stack" "registers" }
    if { $checking eq "" } {
	foreach one $what { unsupported "$test: $one (no log without --enable-checking)" }
	return
    }
    if { ![cross_compile $test $srcdir/$subdir/exit-frames.c exit-frames -O1] } {
	return
    }
    file delete exit.log
    lassign [cross_exec [list -E HEAPPROF_OPTIONS=log=exit.log:level=2] \
	./exit-frames] status out err
    lassign $out block stain local
    set log [hp_read exit.log]
    if { ![regexp {exit: the program's part of the stack starts at 0x([0-9a-f]+)} \
	      $log all start] && [string match riscv* $machine] } {
	# Debian's C library for RISC-V has unwind tables for few functions.
	foreach one $what { unsupported "$test: $one (no unwind tables of exit)" }
	return
    }
    hp_check "$test: start of the stack" \
	[expr { [info exists start] && "0x$start" > "0x$stain"
		&& "0x$start" <= "0x$local" }] "status $status: $out$err$log"
    hp_check "$test: registers" \
	[regexp "exit: a register was 0x$block\n" $log] "$out$err$log"
}

# A random sample, of a program that is linked with the library, and of one that is
# not.
proc cross_sampled { machine } {
    global srcdir subdir cross_folder cross_gcc
    set test "$machine: sample"
    set source $srcdir/$subdir/pairs.c
    if { ![cross_compile $test $source sampled -O1] \
	     || ![hp_compile "$test, plain" \
		      [list $cross_gcc -O1 -g $source -o plain]] } {
	return
    }
    foreach { program options } [list sampled "" \
	plain "-E LD_PRELOAD=$cross_folder/libheapprof.so.1"] {
	lassign [cross_exec \
	    [list -E HEAPPROF_OPTIONS=sample=1k:seed=1 {*}$options] \
	    ./$program 20000] status out err
	set json [hp_show [glob -nocomplain *.hpraw]]
	set bytes 0
	foreach context [hp_contexts $json] { incr bytes [dict get $context bytes] }
	# 1250 samples of 1024 bytes are expected.
	hp_check "$test, $program: stands for all blocks" \
	    [expr { $status eq "0" && abs ($bytes - 1280000) < 200000 }] \
	    "status $status, $bytes bytes: $err"
    }
}

# A profile made there is used by the compiler, and the program gets its hints.
proc cross_used { machine } {
    global srcdir cross_root
    set test "$machine: use"
    set source $srcdir/../examples/node.cc
    if { ![cross_compile $test $source node -O1] } { return }
    set raw [cross_run $test ./node]
    lassign [hp_gcov merge -o node.profdata -b node \
	-b $cross_root/lib/libc.so.6 $raw] status out err
    hp_equal "$test: merged" {0 {}} [list $status $err]
    set functions {}
    foreach context [hp_contexts [hp_show node.profdata]] {
	lappend functions [lmap frame [lrange [dict get $context frames] 0 2] {
	    dict get $frame function }]
    }
    hp_equal "$test: contexts" \
	{{{make(long, Node*)} keep() main} {{make(long, Node*)} use() main}} \
	[lsort $functions]
    cross_compile "$test, hints" $source used -O1 -fopt-info-optimized \
	-fplugin-arg-heapprof-use=node.profdata
    hp_check "$test: hints" [regexp {node.cc:17:.*(hot|cold)} [hp_read hp-stderr]] \
	[hp_read hp-stderr]
    lassign [cross_exec {} ./used] status out err
    hp_equal "$test: runs" {0 {}} [list $status $err]
}

# What the tools find out about programs: relocations differ between machines, and
# static programs have none.
proc cross_facts { machine } {
    global srcdir
    set alloc -fplugin-arg-heapprof-generate=alloc
    foreach { how flags expected } [list \
	dynamic -O1 "counts accesses" static "-O1 -static" "counts accesses" \
	allocations "-O1 $alloc" "profiles allocations without counting accesses"] {
	set test "$machine: doctor, $how"
	if { ![cross_compile $test $srcdir/../examples/node.cc $how {*}$flags] } {
	    continue
	}
	set out [lindex [hp_gcov doctor $how] 1]
	hp_check "$test: what it profiles" \
	    [regexp "ok +counting +[file normalize $how]: $expected|ok +counting +$how:\
		$expected" $out] $out
    }
}

# Machine-level profiles, where there are none.
proc cross_refuses_mip { machine } {
    global srcdir cross_gxx
    lassign [hp_exec [hp_wrapper [file tail $cross_gxx]] -O1 -c \
	-fplugin-arg-heapprof-mip=function -o node.o $srcdir/../examples/node.cc] \
	status out err
    hp_check "$machine: machine-level profiles are refused with one line" \
	[expr { $status ne "0" && [regexp {^[^\n]*error: plugin 'heapprof' does not\
	    support machine-level profiles on this machine\n?$} $err] }] $err
}

# The run-time library's CRC, which each machine computes in its own way.
proc cross_crc { machine way } {
    global cross_gcc srcdir subdir hp_top_srcdir
    set test "$machine: crc32.c"
    set library $hp_top_srcdir/libheapprof
    set cpu [lindex [split $machine -] 0]
    if { ![hp_compile $test [list $cross_gcc -O2 -static \
	    -I$hp_top_srcdir/freestanding -I$library/record \
	    -I$library/machine/$cpu -I$library/machine/plain \
	    -o crc32 $srcdir/$subdir/crc32.c]] } {
	return
    }
    lassign [cross_exec {} ./crc32] status out err
    hp_equal "$test: the same by instructions and by tables" \
	[list 0 "by $way\n" ""] [list $status $out $err]
}

# All tests for the compilers of machines with CPU.  Return the machines tested.
proc cross_test { cpu } {
    global plugin_cross_gccs cross_emulator cross_gxx
    set gccs [lsearch -all -inline $plugin_cross_gccs */$cpu-*]
    lappend gccs {*}[lsearch -all -inline $plugin_cross_gccs $cpu-*]
    if { $gccs eq {} } {
	unsupported "cross-$cpu: configured without a compiler for it"
	return {}
    }
    set machines {}
    foreach gcc $gccs {
	cross_start $gcc
	set machine [file tail $gcc]
	hp_begin cross-$cpu
	if { ![hp_need $machine $cross_emulator $cross_gxx] } { continue }
	cross_test_machine $machine
	lappend machines $machine
    }
    return $machines
}

proc cross_test_machine { machine } {
    global srcdir subdir
    foreach source [lsort [glob $srcdir/heapprof.truth/*.{c,cc}]] {
	cross_truth $machine $source -O2
    }
    foreach source { ranges.c structs.c tree.cc } {
	cross_truth $machine $srcdir/heapprof.truth/$source -O0
    }
    foreach { source flags more arguments } {
	unwinding.cc -O2 "" "" unwinding.cc "-O2 -static" "" ""
	threads.c "-O2 -pthread" "" "" operators.cc -O1 "" ""
	unwinding.cc "-O2 -fplugin-arg-heapprof-generate=alloc" "" ""
	recursion.c "-O2 -pthread" "" 40
    } {
	cross_same $machine $srcdir/$subdir/$source $flags $more {*}$arguments
    }
    cross_contexts_of_paths $machine
    cross_modules $machine
    cross_exit $machine
    cross_killed $machine
    cross_storm $machine
    cross_sampled $machine
    cross_used $machine
    cross_facts $machine
}
