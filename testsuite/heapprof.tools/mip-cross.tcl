# Machine-level profiles of programs for another machine, compared with the
# compiler's own counters and hand counts; the code of the probes.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The file that includes this has set:
#
#   machine        the machine, as in the compilers' names
#   variants       lists of options for programs
#   counting_bytes the bytes of code that count a call
#   pointer_registers registers that may hold the pointer that a call goes through
#   probe_test     a procedure, called with a title, the compiler and the prefix of
#                  its tools, that tests what is special on this machine
#
# Needs configure --with-gcc="gcc MACHINE-linux-gnu-gcc-12", and qemu-MACHINE to run
# the programs.

source $srcdir/$subdir/mip-run.tcl
source $srcdir/$subdir/mip-edge-programs.tcl

# Compile for KIND with the options ARGS to OUTPUT; return true on success.
proc cross_build { name compiler kind output args } {
    global folder
    return [hp_compile $name [list $compiler -w -fplugin=$folder/heapprof.so \
	-fplugin-arg-heapprof-mip=$kind {*}$args -o $output]]
}

# Like cross_build, but link with the run-time library.
proc cross_link { name compiler kind output args } {
    global folder
    return [cross_build $name $compiler $kind $output {*}$args \
	$folder/libheapprof-mip.a -Wl,--build-id]
}

# Run a program with OPTIONS for its run-time library.
proc cross_run { options args } {
    global root machine
    return [hp_exec -env [list HEAPPROF_MIP_OPTIONS $options] \
	qemu-$machine -L $root {*}$args]
}

# Compile for KIND, and run; check that the calls by caller are EXPECTED, or "own" if the
# program prints them, together with those in LIBRARIES.
proc cross_check_edges { name compiler kind output options expected args } {
    if { ![cross_link $name $compiler $kind,edges $output {*}$options] } { return }
    file delete {*}[glob -nocomplain *.empty edges.*.raw]
    lassign [cross_run file=edges.%m.raw $output] status out err
    hp_equal "$name: runs" {0 {}} [list $status $err]
    if { $expected eq "own" } { set expected [random_edges $out] }
    foreach binary [list $output {*}$args] { mip_created $name $binary }
    mip_done $name merge -o $output.mip {*}[glob *.empty edges.*.raw]
    file delete {*}[glob *.empty edges.*.raw]
    hp_equal "$name: edges" [lsort -stride 2 $expected] \
	[mip_edges $name $output.mip]
}

# Calls and jumps through pointers in each register, with all registers for arguments
# in use.  Each goes to two functions.
proc cross_test_pointer_registers { name compiler } {
    global pointer_registers
    set text {#define OWN __attribute__ ((noinline, noclone))
	#define ALL a, b, c, d, e, f, g, h
	volatile int sink;
	typedef long function (long, long, long, long, long, long, long, long);
	OWN long sum (long a, long b, long c, long d, long e, long f, long g, long h)
	{ sink++; return a + 2 * b + 4 * c + 8 * d + 16 * e + 32 * f + 64 * g + 128 * h; }
	OWN long difference (long a, long b, long c, long d, long e, long f, long g,
	    long h)
	{ sink++; return a - b - c - d - e - f - g - h; }
    }
    set calls ""
    set expected {"(outside) main" 1}
    foreach register $pointer_registers {
	foreach { kind code } {
	    call "long n = p (ALL); sink++; return n;" jump "return p (ALL);"
	} {
	    append text "OWN long ${kind}_$register (function *q, long a, long b,
		long c, long d, long e, long f, long g, long h)
		{ register function *p __asm__ (\"$register\") = q;
		  __asm__ (\"\" : \"+r\" (p)); $code }\n"
	    append calls "n += ${kind}_$register (i % 3 ? sum : difference,
		1, 2, 3, 4, 5, 6, 7, 8);\n"
	    lappend expected "main ${kind}_$register" 30 "${kind}_$register sum" 20 \
		"${kind}_$register difference" 10
	}
    }
    hp_write pointers.c "$text int main (void)
	{ long n = 0; for (int i = 0; i < 30; i++) { $calls }
	  return n == [llength $pointer_registers] * 2 * (20 * 1793 - 10 * 34) ? 0 : 1; }\n"
    foreach options { -O1 -O2 {-O2 -fPIE -pie} {-Os -flto} } {
	cross_check_edges "$name, registers $pointer_registers $options" $compiler \
	    function pointers [list {*}$options pointers.c] $expected
    }
}

# The size of the code in FILE, in bytes.
proc code_bytes { prefix file } {
    regexp -line {^\s*(\d+)} [lindex [hp_exec ${prefix}size -A -d $file] 1]
    regexp -line {^\.text\s+(\d+)} [lindex [hp_exec ${prefix}size -A -d \
	$file] 1] all bytes
    return $bytes
}

# Counts of functions and lines in OBJECT's source, from gcc's own counters.
proc cross_gcov { gcov object } {
    set functions {}
    set lines {}
    set json [lindex [hp_exec $gcov --json-format --stdout $object] 1]
    foreach file [dict get [json::json2dict $json] files] {
	foreach function [dict get $file functions] {
	    dict set functions [dict get $function name] \
		[dict get $function execution_count]
	}
	if { [file tail [dict get $file file]] ne "gcov-shapes.cc" } { continue }
	foreach line [dict get $file lines] {
	    dict incr lines [dict get $line line_number] [dict get $line count]
	}
    }
    return [list $functions $lines]
}

set small {
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#define OWN __attribute__ ((noinline, noclone))
volatile int sink;
OWN void foo (void) { sink++; }
OWN void bar (void) { sink += 2; }
OWN void last (void) { sink += 3; }
OWN void first (void) { sink += 4; last (); }
OWN int fib (int n) { return n < 2 ? n : fib (n - 1) + fib (n - 2); }
OWN int compare (const void *a, const void *b)
{ return *(const int *) a - *(const int *) b; }
OWN double sum (int n, ...)
{
  va_list list;
  double result = 0;
  va_start (list, n);
  while (n-- > 0)
    result += va_arg (list, double);
  va_end (list);
  return result;
}
/* All argument registers are in use on entry.  */
OWN double many (long a, long b, long c, long d, long e, long f, long g, long h,
		 double i, double j, long k)
{ return a + 2 * b + 4 * c + 8 * d + 16 * e + 32 * f + 64 * g + 128 * h + i - j
	 + 256 * k; }
/* The loop needs more registers than calls change.  */
OWN long pressure (const long *p, int n)
{
  long a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6],
       h = p[7], i = p[8], j = p[9], k = p[10], l = p[11], m = p[12], o = p[13],
       q = p[14], r = p[15], s = p[16], t = p[17], u = p[18], v = p[19];
  for (; n > 0; n--)
    if (sink & n)
      a += b, b += c, c += d, d += e, e += f, f += g, g += h, h += i, i += j,
	j += k, k += l, l += m, m += o, o += q, q += r, r += s, s += t, t += u,
	u += v, v += a, sink++;
    else
      v ^= u, u ^= t, t ^= s, s ^= r, r ^= q, q ^= o, o ^= m, m ^= l, l ^= k,
	k ^= j, j ^= i, i ^= h, h ^= g, g ^= f, f ^= e, e ^= d, d ^= c, c ^= b,
	b ^= a, a ^= v, sink += 2;
  return a + 3 * b + 5 * c + 7 * d + 9 * e + 11 * f + 13 * g + 15 * h + 17 * i
	 + 19 * j + 21 * k + 23 * l + 25 * m + 27 * o + 29 * q + 31 * r + 33 * s
	 + 35 * t + 37 * u + 39 * v;
}
int main (int argc, char **argv)
{
  long numbers[20];
  int two[2] = { 2, 1 };
  for (int i = 0; i < 7; i++)
    foo ();
  first ();
  qsort (two, 2, sizeof *two, compare);
  if (argc > 1)
    bar ();
  for (int i = 0; i < 20; i++)
    numbers[i] = i * i + 1;
  printf ("%ld\n", pressure (numbers, 40));
  return fib (5) == 5 && sum (3, 1.5, 2.5, 3.0) == 7.0 && two[0] == 1
	 && many (1, 1, 1, 1, 1, 1, 1, 1, 2.5, 0.5, 1) == 513 ? 0 : 1;
}
}
set small_calls {bar 0 compare 1 fib 15 first 1 foo 7 last 1 main 1 many 1 pressure 1 sum 1}

set crosses {}
foreach gcc $plugin_cross_gccs {
    if { [string match $machine-* [exec $gcc -dumpmachine]] } {
	lappend crosses $gcc
    }
}
if { $crosses eq {} } {
    unsupported "mip-$machine: configured without a compiler for $machine"
    return
}

foreach compiler $crosses {
    set name "mip-$machine, $compiler"
    set major [hp_major $compiler]
    set folder $hp_top_builddir/gcc-plugin/[exec $compiler -dumpmachine]-$major
    set prefix [regsub {gcc[-0-9]*$} $compiler ""]
    set root [file dirname [file dirname [exec $compiler \
	-print-file-name=libc.so.6]]]
    hp_begin mip-$machine

    hp_write one.c "int g; void only (void) { g = 1; }\n"

    # A single function: size of its probe and slot, no dynamic relocation.
    hp_compile "$name, plain" [list $compiler -O2 -fPIC -c one.c -o plain.o]
    foreach { kind bytes section slot type } [subst {
	function 8 __hpm_cov 1 PROGBITS count 32 __hpm_cnt 8 NOBITS
	order 24 __hpm_ord 4 NOBITS function,edges $counting_bytes __hpm_cal 8 NOBITS
    }] {
	cross_build "$name $kind" $compiler $kind one.o -O2 -fPIC -c one.c
	hp_equal "$name $kind: bytes of code" $bytes [expr {
	    [code_bytes $prefix one.o] - [code_bytes $prefix plain.o] }]
	hp_check "$name $kind: slot" [regexp \
	    "$section +$type +0+ \[0-9a-f\]+ 0*$slot " \
	    [lindex [hp_exec readelf -SW one.o] 1]]
	hp_compile "$name $kind, shared" [list $compiler -shared one.o \
	    $folder/libheapprof-mip.a -o one.so]
	regexp "$section +$type +(\[0-9a-f\]+)" \
	    [lindex [hp_exec readelf -SW one.so] 1] all address
	hp_check "$name $kind: no dynamic relocation of slots" [expr {
	    [string first $address [lindex [hp_exec readelf -rW one.so] 1]] < 0 }]
    }
    $probe_test $name $compiler $prefix

    if { ![hp_need "$name, runs" qemu-$machine] } { continue }

    # Compare with gcc's own counters: functions at -O0, where nothing is
    # inlined, and lines.
    set cxx [regsub gcc $compiler g++]
    set shapes $srcdir/$subdir/gcov-shapes.cc
    set gcov [regsub gcc $compiler gcov]
    if { ![hp_need "$name, gcov" $cxx $gcov] } { continue }
    foreach { options kinds } { -O0 { count function order block } -O2 block } {
	hp_compile "$name $options, gcov" [list $cxx $options -g --coverage -c \
	    $shapes -o shapes.o]
	hp_compile "$name $options, gcov link" [list $cxx --coverage shapes.o \
	    -o counted]
	file delete {*}[glob -nocomplain *.gcda]
	cross_run "" counted 37
	lassign [cross_gcov $gcov shapes.o] functions lines
	foreach kind $kinds {
	    set title "$name $options $kind"
	    if { ![cross_link $title $cxx $kind $kind $options -g $shapes] } {
		continue
	    }
	    file delete a.mipraw
	    hp_exec ${prefix}strip -o stripped $kind
	    cross_run file=a.mipraw stripped 37
	    mip_done $title extract -o $kind.mipmap $kind
	    mip_done $title create -o $kind.empty $kind.mipmap
	    mip_done $title merge -o $kind.mip $kind.empty a.mipraw
	    set wrong {}
	    set compared 0
	    dict for { function row } [mip_functions $title $kind.mip] {
		if { $options eq "-O2" || ![dict exists $functions $function] } {
		    continue
		}
		set expected [dict get $functions $function]
		set found [dict get $row runs]
		if { $kind eq "count" } {
		    set found [dict get $row calls]
		} else {
		    set expected [expr { $expected > 0 }]
		}
		incr compared
		if { $found != $expected } {
		    lappend wrong "$function: $found, gcov $expected"
		}
	    }
	    hp_check "$title: functions match gcov" [expr { $wrong eq {}
		&& ($compared > 60 || $options eq "-O2") }] "$compared: $wrong"
	}
	set json [json::json2dict [mip_done $name show --lines --json \
	    --source=gcov-shapes.cc block.mip]]
	set wrong {}
	set compared 0
	foreach line [dict get [lindex [dict get $json files] 0] lines] {
	    set number [dict get $line line]
	    if { ![dict exists $line runs] || ![dict exists $lines $number] } {
		continue
	    }
	    incr compared
	    if { ([dict get $line runs] > 0) != ([dict get $lines $number] > 0) } {
		lappend wrong "$number: $line, gcov [dict get $lines $number]"
	    }
	}
	hp_check "$name $options: lines match gcov" \
	    [expr { $compared > 25 && $wrong eq {} }] "$compared: $wrong"
    }

    # Compare with a hand count, for several ways to compile and link.
    hp_write small.c $small
    hp_compile "$name, small" [list $compiler -w -O1 -static small.c -o small]
    set truth [cross_run "" small]
    hp_equal "$name: runs without probes" 0 [lindex $truth 0]
    foreach options $variants {
	foreach kind { count,edges block } {
	    set title "$name $kind $options"
	    file delete small.mipraw
	    if { ![cross_link $title $compiler $kind small {*}$options \
		       -fno-optimize-sibling-calls small.c] } { continue }
	    hp_equal "$title: runs" $truth [cross_run file=small.mipraw small]
	    mip_done $title merge -o small.mip small small.mipraw
	    set found {}
	    dict for { function row } [mip_functions $title small.mip] {
		set calls [dict get $row runs]
		if { $kind ne "block" } { set calls [dict get $row calls] }
		dict set found $function $calls
	    }
	    set expected $small_calls
	    if { $kind eq "block" } {
		set expected [dict map { function n } $small_calls {
		    expr { $n > 0 } }]
	    }
	    hp_equal "$title: calls" $expected [lsort -stride 2 $found]
	    if { $kind eq "block" } { continue }
	    hp_check "$title: edges" [regexp { 7 +main +foo\n} [mip_done $title \
		edges small.mip]]
	}
    }

    # Calls by caller, with all kinds of slots; calls that became jumps; exceptions,
    # and longjmp.
    hp_write edges.c $calling
    foreach { kind options } {
	count {} block -fPIE function -static order -O0 function -O0
	function {-flto -fno-plt} block {-Os -freorder-blocks-and-partition}
	function -fno-omit-frame-pointer function -fexceptions
    } {
	cross_check_edges "$name $kind $options" $compiler $kind edges \
	    [list -O2 -fno-optimize-sibling-calls {*}$options edges.c] $calling_edges
    }
    hp_write registers.c $registers
    cross_check_edges "$name, registers" $compiler function registers \
	{-O2 registers.c} $registers_edges
    cross_test_pointer_registers $name $compiler
    hp_write redirect.c $redirect
    foreach { kind options } {
	function -O2 function {-O0 -fno-optimize-sibling-calls} count {-O2 -flto}
	order {-O2 -fPIE -pie -ffunction-sections -Wl,--gc-sections}
	function {-Os -fPIC} block {-O2 -static}
    } {
	cross_check_edges "$name, redirected calls, $kind $options" $compiler \
	    $kind redirect [list -g {*}$options redirect.c] $redirect_edges
	hp_equal "$name, redirected calls, $kind $options: uncovered" "" \
	    [mip_done $name uncovered redirect.mip]
    }
    hp_write several.c $several
    set program -fplugin-arg-heapprof-mip-entries=program
    foreach { kind options } {
	function -O2 function {-O0 -fno-optimize-sibling-calls} count {-Os -fPIC}
	function {-O2 -flto -flto-partition=1to1} block {-O2 -static}
	order {-O2 -fPIE -pie -ffunction-sections -Wl,--gc-sections}
	function {-O2 -fplugin-arg-heapprof-mip-entries=file}
    } {
	set title "$name, several files, $kind $options"
	foreach part { 1 2 } {
	    cross_build "$title, $part" $compiler $kind,edges $part.o $program \
		{*}$options -DSEVERAL=$part -c several.c
	}
	hp_compile "$title, 3" [list $compiler -O2 -DSEVERAL=3 -c several.c -o 3.o]
	cross_check_edges $title $compiler $kind several \
	    [list $program {*}$options 1.o 2.o 3.o] \
	    $several_edges
    }
    foreach { seed kind options } {
	7 function -O2 8 count {-O1 -fPIE -pie} 9 function {-O2 -flto -flto-partition=1to1}
    } {
	set title "$name, random program $seed in three files, $kind $options"
	hp_write random.c [random_parts [random_program $seed]]
	foreach part { 0 1 2 } {
	    cross_build "$title, $part" $compiler $kind,edges $part.o $program \
		{*}$options -fno-ipa-icf -DPART=$part -c random.c
	}
	cross_check_edges $title $compiler $kind random \
	    [list $program -fno-ipa-icf {*}$options 0.o 1.o 2.o] own
    }
    set cxx [regsub gcc $compiler g++]
    hp_write parts.cc $parts
    cross_link "$name, parts, library" $cxx function,edges library.so $program -O2 -fPIC \
	-shared -DPART=4 parts.cc
    foreach part { 1 2 } {
	cross_build "$name, parts, $part" $cxx function,edges $part.o $program -O2 \
	    -DPART=$part -c parts.cc
    }
    hp_compile "$name, parts, 3" [list $cxx -O2 -DPART=3 -c parts.cc -o 3.o]
    cross_check_edges "$name, C++ in several files" $cxx function parts \
	{1.o 2.o 3.o ./library.so} [concat $parts_edges $twice_edges] library.so
    cross_check_edges "$name, C++ in several files, one first" $cxx function parts \
	{3.o 1.o 2.o ./library.so} $parts_edges library.so
    hp_write library.cc $library
    hp_write virtual.cc $virtual
    cross_link "$name, library" $cxx function,edges library.so -O2 -fPIC \
	-fno-semantic-interposition -shared library.cc
    cross_check_edges "$name, C++" $cxx function virtual {-O2 -ffunction-sections
	-fno-devirtualize -Wl,--gc-sections virtual.cc ./library.so} \
	$virtual_edges library.so
    hp_write throwing.cc $throwing
    foreach options { -O0 -O2 {-O2 -static -flto} } {
	cross_check_edges "$name, exceptions $options" $cxx function throwing \
	    [list {*}$options throwing.cc] $throwing_edges
    }

    foreach { seed kind options } {
	1 function -O2 2 count -O0 3 function {-O3 -fPIE -pie} 4 block {-Os -static}
	5 order {-O2 -flto} 6 function {-O2 -fnon-call-exceptions}
    } {
	hp_write random.c [random_program $seed]
	cross_check_edges "$name, random program $seed, $kind $options" $compiler \
	    $kind random [list -fno-ipa-icf {*}$options random.c] own
    }

    # Runs that add up in one file (merge=1), slots in the file (map=1), order.
    foreach kind { function order } {
	set title "$name $kind"
	cross_link $title $compiler $kind small -O2 -g -static small.c \
	    -Wl,-u,__heapprof_mip_map
	foreach run { {} x } { cross_run merge=1:file=sum.$kind small {*}$run }
	lassign [cross_run map=1:file=mapped.$kind small] status out err
	hp_equal "$title: map=1" {0 {}} [list $status $err]
	mip_done $title merge -o sum.mip small sum.$kind
	hp_equal "$title: merge=1" "" [mip_done $title uncovered sum.mip]
	mip_done $title merge -o mapped.mip small mapped.$kind
	hp_equal "$title: uncovered" "bar\n" \
	    [mip_done $title uncovered mapped.mip]
    }
    set order {main foo first last compare pressure fib sum many}
    hp_equal "$name: order" $order \
	[split [string trim [mip_done $name order mapped.mip]] \n]
    # The next compilation puts the functions in this order.
    hp_compile "$name, mip-use" [list $compiler -w -O2 -static \
	-fplugin=$folder/heapprof.so -fplugin-arg-heapprof-mip-use=mapped.mip \
	small.c -o ordered]
    hp_equal "$name, mip-use: runs" $truth [cross_run "" ordered]
    set found {}
    foreach line [split [lindex [hp_exec nm -n ordered] 1] \n] {
	if { [lindex $line 2] in $order } { lappend found [lindex $line 2] }
    }
    hp_equal "$name, mip-use: order" $order $found

    # A shared object has slots of its own.
    hp_write library.c "int a; void in_library (void) { a++; }
	void unused (void) { a--; }\n"
    hp_write program.c "void in_library (void);
	int main (void) { in_library (); return 0; }\n"
    cross_link "$name, shared object" $compiler function library.so -O2 -g -fPIC \
	-shared library.c
    cross_link "$name, its program" $compiler function program -O2 -g program.c \
	./library.so
    cross_run file=%m.raw program
    mip_done $name create -o both.empty program library.so
    mip_done $name merge -o both.mip both.empty {*}[glob *.raw]
    hp_equal "$name, shared object: covered" "in_library\nmain\n" \
	[mip_done $name covered both.mip]
    hp_equal "$name, shared object: uncovered" "unused\n" \
	[mip_done $name uncovered both.mip]
}
