# Common procedures of this folder's tests: LLVM's MemProf.
# SPDX-License-Identifier: GPL-3.0-or-later

set memprof_source $srcdir/heapprof.peers/memprof.cc

# Build PROGRAM from memprof.cc with clang 19's MemProf and the options ARGS.
# If it is not installed, report TEST as UNSUPPORTED and return false.
proc memprof_build { test program args } {
    global memprof_source
    if { ![hp_need $test clang++-19 llvm-profdata-19] } { return false }
    lassign [hp_exec clang++-19 \
		 -print-file-name=libclang_rt.memprof-x86_64.a] status runtime
    if { ![file exists [string trim $runtime]] } {
	unsupported "$test (MemProf's run-time library is not installed:\
package libclang-rt-19-dev)"
	return false
    }
    return [hp_compile $test [list clang++-19 -g -O1 -fmemory-profile \
	-fno-omit-frame-pointer -mno-omit-leaf-frame-pointer \
	-fno-optimize-sibling-calls -fdebug-info-for-profiling \
	-Wl,-z,noseparate-code -Wl,--build-id {*}$args $memprof_source \
	-o $program]]
}

# Run PROGRAM and rename its raw profile to FILE.  On failure, fail as TEST and
# return false.
proc memprof_run { test program file } {
    lassign [hp_exec -env [list MEMPROF_OPTIONS log_path=[pwd]/$file.log] \
		 ./$program] status
    set found [glob -nocomplain $file.log.*]
    if { ![hp_check "$test: writes one raw profile" \
	       [expr { $status eq "0" && [llength $found] == 1 }]] } {
	return false
    }
    file rename $found $file
    return true
}
