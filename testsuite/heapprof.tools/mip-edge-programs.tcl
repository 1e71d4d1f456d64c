# Programs whose calls by caller are known, and the calls of a profile.
# SPDX-License-Identifier: GPL-3.0-or-later

set calling {
#include <stdarg.h>
#include <stdlib.h>
#define OWN __attribute__ ((noinline, noclone))
volatile int sink;
OWN void leaf (void) { sink++; }
OWN void other (void) { sink += 2; }
OWN void twice (void) { leaf (); leaf (); sink++; }
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
static void (*const table[]) (void) = { leaf, other, twice };
OWN void jump (int n) { table[n % 3] (); sink++; }
OWN void never (void) { leaf (); sink++; }
int main (int argc, char **argv)
{
  int two[2] = { 2, 1 };
  for (int i = 0; i < 7; i++)
    jump (i);
  twice ();
  qsort (two, 2, sizeof *two, compare);
  if (argc > 1)
    never ();
  return fib (5) == 5 && sum (3, 1.5, 2.5, 3.0) == 7.0 && two[0] == 1 ? 0 : 1;
}
}

# The calls in this program; of jump's seven, three go to leaf.
set calling_edges {
    "(outside) compare" 1 "(outside) main" 1 "fib fib" 14 "jump leaf" 3
    "jump other" 2 "jump twice" 2 "main fib" 1 "main jump" 7 "main sum" 1
    "main twice" 1 "twice leaf" 6
}

# Pointers in memory whose address is in the registers that probes prefer.
set registers {
#define OWN __attribute__ ((noinline, noclone))
volatile int sink;
struct table { int (*f[4]) (int, int, int, int, int, int); };
OWN int sum (int a, int b, int c, int d, int e, int f)
{ sink++; return a + 2 * b + 4 * c + 8 * d + 16 * e + 32 * f; }
OWN int difference (int a, int b, int c, int d, int e, int f)
{ sink++; return a - b - c - d - e - f; }
OWN int call (struct table *t, long i, int a, int b, int c, int d)
{
#ifdef __x86_64__
  register struct table *table __asm__ ("r10") = t;
  register long index __asm__ ("r11") = i;
  __asm__ ("" : "+r" (table), "+r" (index));
#else
  struct table *table = t;
  long index = i;
#endif
  int n = table->f[index] (a, b, c, d, 5, 6);
  sink++;
  return n;
}
OWN int jump (struct table *t, long i, int a, int b, int c, int d)
{
#ifdef __x86_64__
  register struct table *table __asm__ ("r11") = t;
  __asm__ ("" : "+r" (table));
#else
  struct table *table = t;
#endif
  return table->f[3] (a, b, c, d, 5, (int) i);
}
int main (void)
{
  struct table t = { { sum, difference, difference, sum } };
  int n = 0;
  for (int i = 0; i < 40; i++)
    n += call (&t, i % 4, 1, 2, 3, 4) + jump (&t, 6, 1, 2, 3, 4);
  return n == 40 * 321 + 20 * (321 - 19) ? 0 : 1;
}
}

set registers_edges {
    "(outside) main" 1 "main call" 40 "main jump" 40 "call sum" 20
    "call difference" 20 "jump sum" 40
}

set library {
extern "C" {
volatile int sunk;
__attribute__ ((noinline, noclone)) void low (void) { sunk++; }
__attribute__ ((noinline, noclone)) void high (void (*f) (void))
{ low (); f (); sunk++; }
}
}

set virtual {
#define OWN __attribute__ ((noinline, noclone))
volatile int sink;
struct first { virtual int one (int a) { return a; } virtual ~first () {} int x; };
struct second { virtual int two (int a) { return a; } virtual ~second () {} };
struct both : first, second {
  OWN int one (int a) override { sink++; return a + 1; }
  OWN int two (int a) override { sink++; return a + 2; }
};
struct other : second { OWN int two (int a) override { sink--; return a + 3; } };
extern "C" {
void missing (void);
void high (void (*f) (void));
void unused (void) { missing (); sink++; }
OWN void last (void) { sink++; }
OWN void tail (void) { sink++; last (); }
OWN void jump (void (*f) (void)) { sink++; f (); }
OWN int call_two (second *s, int a) { int n = s->two (a); sink++; return n; }
OWN int call_one (first *f, int a) { int n = f->one (a); sink++; return n; }
int main ()
{
  both b;
  other o;
  int n = call_one (&b, 1);
  for (int i = 0; i < 10; i++)
    n += i % 5 ? call_two (&b, i) : call_two (&o, i);
  for (int i = 0; i < 3; i++)
    tail ();
  jump (last);
  high (last);
  high (tail);
  return n == 2 + 45 + 8 * 2 + 2 * 3 ? 0 : 1;
}
}
}

set virtual_edges {
    "(outside) main" 1 "main call_one" 1 "main call_two" 10 "main tail" 3
    "main jump" 1 "call_one _ZN4both3oneEi" 1 "call_two _ZN4both3twoEi" 8
    "call_two _ZN5other3twoEi" 2 "tail last" 4 "jump last" 1 "(outside) last" 1
    "(outside) tail" 1 "(outside) high" 2 "high low" 2
}

# Calls of functions that can be called behind what counts their calls, and of others.
set redirect {
#define OWN __attribute__ ((noinline, noclone))
volatile int sink;
OWN static void local (void) { sink++; }
OWN void global (void) { sink += 2; }
OWN __attribute__ ((weak)) void weak (void) { sink += 3; }
OWN __attribute__ ((visibility ("hidden"))) void hidden (void) { sink += 4; }
OWN __attribute__ ((no_instrument_function)) void bare (void) { local (); sink += 5; }
OWN void aliased (void) { sink += 6; }
void alias (void) __attribute__ ((alias ("aliased")));
OWN __attribute__ ((patchable_function_entry (2))) void patched (void) { sink += 7; }
OWN void taken (void) { local (); sink += 8; }
OWN int even (unsigned n);
OWN int odd (unsigned n) { return n == 0 ? 0 : even (n - 1); }
OWN int even (unsigned n) { return n == 0 ? 1 : odd (n - 1); }
OWN void jump (void) { sink += 9; hidden (); }
void (*volatile pointer) (void) = taken;
int main (void)
{
  for (int i = 0; i < 5; i++)
    {
      local ();
      global ();
      weak ();
      hidden ();
      bare ();
      alias ();
      aliased ();
      patched ();
      pointer ();
      taken ();
      jump ();
    }
  return even (10) && !odd (10) ? 0 : 1;
}
}

set redirect_edges {
    "(outside) local" 5 "(outside) main" 1 "even odd" 10 "jump hidden" 5
    "main aliased" 10 "main even" 1 "main global" 5 "main hidden" 5 "main jump" 5
    "main local" 5 "main odd" 1 "main patched" 5 "main taken" 10 "main weak" 5
    "odd even" 10 "taken local" 10
}

# Calls between files: of functions with entries for other files, and of others.
# SEVERAL is 1 in the file of main, 2 in one with probes, 3 in one without.
set several {
#define OWN __attribute__ ((noinline, noclone))
extern volatile int sink;
void global (void);
void by_alias (void);
void by_label (void) __asm__ ("its.label");
void weak (void);
void replaced (void);
void resolved (void);
void taken (void);
void bare (void);
void patched (void);
void plain (void (*f) (void));
void jump (void);
void tail (void);
__attribute__ ((visibility ("hidden"))) void hidden (void);
__attribute__ ((weak)) void nowhere (void);
int even (unsigned n);
int odd (unsigned n);
extern void (*volatile pointer) (void);
#if SEVERAL == 1
volatile int sink;
OWN void jump (void) { sink += 9; tail (); }
OWN int odd (unsigned n) { return n == 0 ? 0 : even (n - 1); }
int main (void)
{
  for (int i = 0; i < 5; i++)
    {
      global ();
      by_alias ();
      by_label ();
      weak ();
      replaced ();
      resolved ();
      taken ();
      bare ();
      patched ();
      plain (taken);
      jump ();
      hidden ();
      pointer ();
      if (nowhere)
	nowhere ();
    }
  return even (10) && !odd (10) ? 0 : 1;
}
#elif SEVERAL == 2
void (*volatile pointer) (void) = taken;
OWN static void local (void) { sink++; }
OWN void global (void) { sink += 2; }
OWN void aliased (void) { sink += 3; }
void by_alias (void) __attribute__ ((alias ("aliased")));
OWN void by_label (void) { sink += 4; }
OWN __attribute__ ((weak)) void weak (void) { sink += 5; }
OWN __attribute__ ((weak)) void replaced (void) { sink += 6; }
OWN void chosen (void) { sink += 7; }
__attribute__ ((no_instrument_function)) static void *resolver (void)
{ return (void *) chosen; }
void resolved (void) __attribute__ ((ifunc ("resolver")));
OWN void taken (void) { local (); sink += 8; }
OWN __attribute__ ((no_instrument_function)) void bare (void) { global (); sink++; }
OWN __attribute__ ((patchable_function_entry (2))) void patched (void) { sink++; }
OWN void tail (void) { sink += 9; local (); }
OWN void hidden (void) { sink++; }
OWN int even (unsigned n) { return n == 0 ? 1 : odd (n - 1); }
#else
void replaced (void) { sink += 10; global (); }
void plain (void (*f) (void)) { global (); f (); sink++; }
#endif
}

set several_edges {
    "(outside) chosen" 5 "(outside) global" 15 "(outside) main" 1 "(outside) taken" 5
    "even odd" 10 "jump tail" 5 "main aliased" 5 "main even" 1 "main global" 5
    "main hidden" 5 "main its.label" 5 "main jump" 5 "main odd" 1 "main patched" 5
    "main taken" 10 "main weak" 5 "odd even" 10 "tail local" 5 "taken local" 15
}

# A constructor that has two names, and is called by both from another file; template
# instances in two files, one without probes; a function of a shared object that the
# program replaces.  PART as above, or 4 in a shared object.
set parts {
#define OWN __attribute__ ((noinline, noclone))
extern volatile int sink;
struct base { OWN base (int n); int n; };
struct derived : base { OWN derived (int n); };
template <typename T> OWN T twice (T n) { sink++; return n + n; }
extern "C" {
int from_plain (int n);
int in_library (int n);
int replaced (int n);
int own (int n);
}
#if PART == 1
volatile int sink;
int replaced (int n) { sink++; return n + 1; }
int main ()
{
  int n = 0;
  for (int i = 0; i < 4; i++)
    {
      base b (i);
      derived d (i);
      n += b.n + d.n + twice (i) + from_plain (i) + in_library (i);
    }
  return n == 6 + 12 + 12 + 12 + 2 * 10 ? 0 : 1;
}
#elif PART == 2
base::base (int i) : n (i) { sink++; }
derived::derived (int i) : base (2 * i) { sink++; }
#elif PART == 3
int from_plain (int n) { return twice (n); }
#else
int replaced (int n) { sink--; return n + 9; }
int own (int n) { sink++; return n + 1; }
int in_library (int n) { return replaced (n) + own (n); }
#endif
}

set parts_edges {
    "(outside) main" 1 "main _ZN4baseC2Ei" 4 "main _ZN7derivedC2Ei" 4
    "_ZN7derivedC2Ei _ZN4baseC2Ei" 4 "(outside) in_library" 4 "in_library own" 4
    "(outside) replaced" 4
}

# The edges besides these if the template instance in the file with probes is linked.
set twice_edges { "main _Z5twiceIiET_S0_" 4 "(outside) _Z5twiceIiET_S0_" 4 }

# Calls that do not return.
set throwing {
#include <csetjmp>
#define OWN __attribute__ ((noinline, noclone))
volatile int sink;
static std::jmp_buf buffer;
extern "C" {
OWN void leaf (int n) { sink += n; }
OWN void thrower (int n) { if (n % 3 == 0) throw n; sink++; }
OWN void jumper (int n) { if (n % 4 == 0) std::longjmp (buffer, n + 1); sink++; }
OWN void middle (void (*f) (int), int n) { f (n); leaf (n); sink++; }
OWN int catcher (int n)
{
  try { middle (thrower, n); return 0; }
  catch (int) { leaf (n); return 1; }
}
OWN int setter (int n)
{
  if (setjmp (buffer)) { leaf (n); return 1; }
  middle (jumper, n);
  return 0;
}
int main ()
{
  int n = 0;
  for (int i = 0; i < 12; i++)
    n += catcher (i) + setter (i);
  return n == 4 + 3 ? 0 : 1;
}
}
}

set throwing_edges {
    "(outside) main" 1 "main catcher" 12 "main setter" 12 "catcher middle" 12
    "setter middle" 12 "middle thrower" 12 "middle jumper" 12 "middle leaf" 17
    "catcher leaf" 4 "setter leaf" 3
}

# Return the next of a sequence of numbers below N; STATE is its state.
proc next_random { state n } {
    upvar 1 $state random
    set random [expr { ($random * 1103515245 + 12345) & 0x7fffffff }]
    return [expr { ($random >> 12) % $n }]
}

# Return statements of function I, at most DEPTH deep.
proc random_statements { state i depth } {
    upvar 1 $state random
    set text ""
    for { set n [expr { 1 + [next_random random 3] }] } { $n > 0 } { incr n -1 } {
	set kind [next_random random [expr { $depth > 0 ? 12 : 7 }]]
	set callee [next_random random $i]
	if { $kind < 4 } {
	    append text "CALL ($i, $callee)\n"
	} elseif { $kind == 4 } {
	    append text "if (fuel > 0) { fuel--; CALL ($i, [next_random random 12]) }\n"
	} elseif { $kind == 5 } {
	    append text "if (RANDOM (5) == 0) return;\n"
	} elseif { $kind == 6 } {
	    append text "if (RANDOM (19) == 0) longjmp (buffer, 1);\n"
	} elseif { $kind < 10 } {
	    append text "if (RANDOM (3)) {\n[random_statements random $i \
		[expr { $depth - 1 }]]}\nelse {\n[random_statements random $i \
		[expr { $depth - 1 }]]}\n"
	} elseif { $kind == 10 } {
	    append text "for (int n = RANDOM (3); n > 0; n--) {\n[random_statements \
		random $i [expr { $depth - 1 }]]}\n"
	} else {
	    append text "switch (RANDOM (4)) {\ncase 0:\n[random_statements random $i \
		[expr { $depth - 1 }]]case 1:\n[random_statements random $i \
		[expr { $depth - 1 }]]break;\ncase 2: sink++;\n}\n"
	}
    }
    return $text
}

# Return a program that counts its calls by caller and prints them: "f3 f1 CALLS".
# Functions return, loop, call themselves and each other, and jump out; the last one
# ends the program in the middle.
proc random_program { seed } {
    set random $seed
    set text {#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#define OWN __attribute__ ((noinline, noclone))
volatile int sink;
static jmp_buf buffer;
static int fuel;
static unsigned state = 1;
static long calls[13][13];
#define RANDOM(N) ((state = state * 1103515245 + 12345) >> 16) % (N)
#define CALL(I, J) { calls[I][J]++; f##J (); }
}
    for { set i 0 } { $i < 12 } { incr i } {
	append text "[expr { $i % 2 ? "OWN static" : "OWN" }] void f$i (void);\n"
    }
    append text "OWN void f0 (void) { sink++; }\n"
    for { set i 1 } { $i < 12 } { incr i } {
	append text "OWN void f$i (void)\n{\n" [random_statements random $i 2] \
	    "sink++;\n}\n"
    }
    append text {__attribute__ ((no_instrument_function)) static void print (void)
{
  for (int i = 0; i < 13; i++)
    for (int j = 0; j < 12; j++)
      if (calls[i][j] > 0)
	{
	  if (i < 12)
	    printf ("f%d", i);
	  else
	    printf ("main");
	  printf (" f%d %ld\n", j, calls[i][j]);
	}
}
OWN void leave (void) { sink++; exit (0); }
int main (void)
{
  atexit (print);
  for (volatile int i = 0; i < 60; i++)
    if (setjmp (buffer) == 0)
      {
	fuel = 40;
	switch (i % 3) { case 0: CALL (12, 11) break; case 1: CALL (12, 10)
	  break; default: CALL (12, 9) }
      }
  leave ();
}
}
    return $text
}

# Return the program in TEXT, of random_program, in such a way that its functions can
# be compiled in three files, with PART = 0 to 2.
proc random_parts { text } {
    regsub -all {OWN static} $text OWN text
    regsub {\nvolatile int sink;} $text "\nstatic volatile int sink;" text
    foreach { shared defined } {
	{jmp_buf buffer} {} {int fuel} {} {unsigned state} { = 1}
	{long calls[13][13]} {}
    } {
	set old "static $shared$defined;"
	set text [string map [list $old \
	    "#if PART == 0\n$shared$defined;\n#else\nextern $shared;\n#endif"] $text]
    }
    set parts ""
    set end ""
    foreach line [split $text \n] {
	if { [regexp {^(OWN void (f(\d+)|leave) \(void\)( \{.*)?|int main.*|__attribute__.*)$} \
		  $line all all all number] } {
	    append parts "$end#if PART == [expr { [scan 0$number %d] % 3 }]\n"
	    set end "#endif\n"
	}
	append parts $line\n
    }
    return $parts$end
}

# The edges of random_program, which printed OUT.
proc random_edges { out } {
    set edges {"(outside) main" 1 "main leave" 1}
    foreach { caller callee calls } $out {
	lappend edges "$caller $callee" $calls
    }
    return [lsort -stride 2 $edges]
}

# Make BINARY.empty, the profile of the program before its runs; functions that the
# linker discarded are mentioned.
proc mip_created { name binary } {
    lassign [hp_gcov mip create -o $binary.empty $binary] status out err
    hp_check "$name: create $binary" [expr { $status eq "0"
	&& ![regexp -nocase {error|warning} $err] }] $err
}

# The edges of FILE: {CALLER CALLEE} -> calls, sorted.
proc mip_edges { name file } {
    set edges {}
    set json [json::json2dict [mip_done $name edges --json $file]]
    foreach row [dict get $json edges] {
	set caller "(outside)"
	if { [dict exists $row caller] } { set caller [dict get $row caller] }
	dict incr edges [list $caller [dict get $row function]] \
	    [dict get $row calls]
    }
    return [lsort -stride 2 $edges]
}
