# Compare context-sensitive profiles with llvm-profgen's.
# SPDX-License-Identifier: GPL-3.0-or-later

# Options for contexts that are just counted.
set plain_contexts {--csspgo-preinliner=0 --gen-cs-nested-profile=0}

# The profile that llvm-profgen makes, as text; it is also in the file `theirs'.
proc llvm_text { binary script args } {
    lassign [hp_exec llvm-profgen-19 --binary=$binary --format=text \
		 --perfscript=$script -o theirs {*}$args] status out err
    if { $status ne "0" } { error "llvm-profgen: $err" }
    return [hp_read theirs]
}

# The branches of the samples with stacks in LINES.
proc without_callers { lines } {
    set result ""
    foreach line [split $lines \n] {
	if { [lindex $line 0] ne "stack" } { continue }
	append result "branches [lrange $line 1 3] [
	    lsearch -all -inline $line */*]\n"
    }
    return $result
}

# Trace BINARY with ARGUMENT, with call stacks in stacks.script, and compare the
# contexts, at least LEAST, that have several functions.  ARGS are further options
# of both programs.
proc contexts_test_program { name binary argument least args } {
    set branches [step_branches ./$binary {*}$argument]
    set maps [map_lines $binary /x/$binary 0 7 10]
    set lines $maps[hybrid_lines $binary $branches]
    hp_write stacks.script [script_of $lines]
    set theirs [llvm_text $binary stacks.script {*}$::plain_contexts {*}$args]
    hp_check "$name: contexts of llvm-profgen" \
	[expr { [regexp -all {\n\[[^\n]* @ } $theirs] >= $least }] $theirs
    hp_equal "$name: the same contexts" $theirs \
	[profgen_text --binary=$binary {*}$::plain_contexts {*}$args stacks.script]
    write_perf file stacks.data $lines
    hp_gcov profgen --binary=$binary -o stacks.prof {*}$::plain_contexts {*}$args \
	stacks.data
    lassign [hp_exec llvm-profdata-19 merge --sample --text stacks.prof -o -] \
	status out err
    hp_equal "$name: contexts, binary form, read by llvm-profdata" $theirs $out
    hp_write flat.script [script_of $maps[without_callers $lines]]
    hp_equal "$name: --ignore-stack-samples" \
	[profgen_text --binary=$binary {*}$args flat.script] \
	[profgen_text --ignore-stack-samples --binary=$binary {*}$args \
	     stacks.script]
}

# What is done with contexts: options and what they are called in results.
set context_options {
    "preinlined and nested" {}
    "preinlined" {--gen-cs-nested-profile=0}
    "nested" {--csspgo-preinliner=0}
    "as it was inlined" {--gen-cs-nested-profile=false --csspgo-replay-preinline}
    "two callers" {--gen-cs-nested-profile=0 --csprof-max-context-depth=2}
    "two callers, not preinlined" {--csprof-max-context-depth=2
	--csspgo-preinliner=0 --gen-cs-nested-profile=0}
    "no callers" {--csprof-max-context-depth=0}
    "cold ones kept" {--csspgo-preinliner=0 --gen-cs-nested-profile=0
	--csprof-merge-cold-context=0}
    "a caller of cold ones" {--csspgo-preinliner=0 --gen-cs-nested-profile=0
	--csprof-max-cold-context-depth=2}
    "cold ones combined and trimmed" {--gen-cs-nested-profile=0
	--csprof-merge-cold-context --trim-cold-profile}
    "trimmed" {--csspgo-preinliner=1 --trim-cold-profile=1}
    "limits" {--sample-profile-inline-limit-min=40
	--sample-profile-inline-limit-max=90 --sample-profile-inline-growth-limit=2}
    "thresholds" {--sample-profile-hot-inline-threshold=1
	--sample-profile-cold-inline-threshold=30
	--csspgo-preinliner-multiplier-for-previous-inlining=2
	--gen-cs-nested-profile=0}
}

# Compare the contexts of BINARY in stacks.script by all options with those of
# llvm-profgen.  At least LEAST of the profiles differ.
proc contexts_test_passes { name binary least args } {
    global context_options
    set texts {}
    foreach { test arguments } $context_options {
	set theirs [llvm_text $binary stacks.script {*}$args {*}$arguments]
	dict set texts $theirs 1
	hp_equal "$name: contexts, $test" $theirs \
	    [profgen_text --binary=$binary stacks.script {*}$args {*}$arguments]
    }
    hp_check "$name: options make a difference" \
	[expr { [dict size $texts] >= $least }] [dict size $texts]
    lassign [hp_exec llvm-profgen-19 --binary=$binary -o theirs \
		 --perfscript=stacks.script {*}$args] status
    hp_gcov profgen --binary=$binary -o stacks.prof {*}$args stacks.script
    set shown {}
    foreach file { theirs stacks.prof } {
	lassign [hp_exec llvm-profdata-19 show --sample $file] status out err
	lappend shown [list $status $err [lsort [split $out \n]]]
    }
    hp_equal "$name: contexts, llvm-profdata shows the same" \
	[lindex $shown 0] [lindex $shown 1]
}

# clang builds the same program with our contexts of BINARY, made from
# profgen-shapes.cc with FLAGS, and with llvm-profgen's.
proc contexts_test_clang { binary flags } {
    global srcdir plain_contexts
    set branches [step_branches ./$binary 100]
    set maps [map_lines $binary /x/$binary 0 7 10]
    hp_write stacks.script [script_of $maps[hybrid_lines $binary $branches]]
    foreach { name arguments } [list contexts $plain_contexts \
	"preinlined contexts" --gen-cs-nested-profile=0 "nested contexts" {}] {
	llvm_text $binary stacks.script {*}$arguments
	hp_gcov profgen --binary=$binary -o stacks.prof {*}$arguments \
	    stacks.script
	foreach file { stacks.prof theirs } {
	    lassign [hp_exec clang++-19 -O2 -g {*}$flags \
			 -fprofile-sample-use=$file -S -emit-llvm \
			 $srcdir/heapprof.tools/profgen-shapes.cc -o -] \
		status ir($file) err
	    hp_equal "clang-19, $name in $file" {0 {}} [list $status $err]
	}
	hp_check "clang-19 makes the same of both $name" \
	    [expr { $ir(stacks.prof) eq $ir(theirs) }]
	hp_check "clang-19 uses the counts of $name" \
	    [regexp {"function_entry_count", i64 [5-9]\d} $ir(theirs)]
    }
}
