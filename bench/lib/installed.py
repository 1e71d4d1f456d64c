# Programs of the distribution that allocate, with inputs for them.
# SPDX-License-Identifier: GPL-3.0-or-later

import argparse
import os
import shutil

from process import Failure
from tools import find_library

# Programs, with inputs that make_inputs writes: all that they allocate is the same
# each time, with VARIABLES.
PROGRAMS = (
    ('bc', 'bc -q a.bc'),
    ('bison', 'bison -o /dev/null a.y'),
    ('gawk', 'gawk -f a.awk lines'),
    ('jq', 'jq -f a.jq a.json'),
    ('lua', 'lua5.4 a.lua'),
    ('make', 'make -n -f a.mk'),
    ('perl', 'perl a.pl'),
    ('sed', 'sed -E -f a.sed lines'),
    ('sort', 'sort -k2 lines'),
    ('sqlite3', 'sqlite3 :memory: ".read a.sql"'),
    ('tclsh', 'tclsh a.tcl'),
    ('xmllint', 'xmllint --format a.xml'))

MORE_PROGRAMS = (
    ('flex', 'flex -t a.l'),
    ('ls', 'ls -lR tree'),
    ('m4', 'm4 -L 4000 a.m4'),
    ('mawk', 'mawk -f a.awk lines'),
    ('nm', 'nm -C library.so'),
    ('objdump', 'objdump -d library.so'),
    ('python3', 'python3 -S a.py'),
    ('readelf', 'readelf -wi library.so'))

VARIABLES = {'LC_ALL': 'C', 'PERL_HASH_SEED': '0', 'PYTHONHASHSEED': '0',
             'PYTHONMALLOC': 'malloc'}

SCRIPTS = {
    'a.bc': 'scale=200\nfor(i=1;i<3000;i++) x=x+1/(i^3)\nx\n2^30000%98765\n',
    'a.awk': '{ n[$2] += $1; s[$3] = $3 $2 }\n'
             'END { for (k in s) c += length(s[k]); print c, length(n) }\n',
    'a.jq': '[.[] | {k: .name, n: (.values | add)}] | group_by(.n % 10)'
            ' | map(length)\n',
    'a.l': '%%\n' + ''.join(f'w{i}[a-z]*x{i % 7} printf ("{i}");\n'
                            for i in range(60)) + '%%\n',
    'a.lua': 'local t = {}\nfor i = 1, 30000 do\n'
             '  t[i] = {i, tostring(i) .. ("x"):rep(i % 30)}\nend\n'
             'table.sort(t, function(a, b) return a[2] < b[2] end)\n'
             'print(t[1][2])\n',
    'a.m4': "define(`f',`ifelse($1,0,,`x$1 f(decr($1))')')f(600)\n" * 8,
    'a.pl': 'my %h;\nfor my $i (1 .. 30000) '
            '{ $h{"k$i"} = [$i, "x" x ($i % 50)]; }\n'
            'my @a = sort { $h{$a}[1] cmp $h{$b}[1] or $a cmp $b } keys %h;\n'
            'print "$a[0]\\n";\n',
    'a.py': 'd = {str(i): [i] * (i % 40) for i in range(30000)}\n'
            'print(sum(len(v) for v in d.values()))\n',
    'a.sed': 's/abc/<&>/g\ns/([0-9]+) /[\\1]/\n',
    'a.sql': 'create table t (a, b);\n'
             'with recursive c (x) as (select 1 union all select x + 1 from c'
             ' where x < 20000)\n'
             '  insert into t select x, printf ("row %d", x) from c;\n'
             'create index i on t (b);\n'
             'select count (*), max (b) from t where b like "%9%";\n'
             'select sum (a) from t group by a % 100;\n',
    'a.tcl': 'for {set i 0} {$i < 20000} {incr i} {\n'
             '  set d($i) [list $i [string repeat x [expr {$i % 40}]]]\n}\n'
             'set n 0\nforeach k [array names d] '
             '{ incr n [string length [lindex $d($k) 1]] }\nputs $n\n'}


def grammar():
    rules = ''.join(f's{i}: T{i} s{(i * 7 + 1) % 150} T{i * 3 % 150}'
                    f' | T{(i + 1) % 150};\n' for i in range(150))
    return '%token ' + ' '.join(f'T{i}' for i in range(150)) \
        + '\n%%\ns: ' + ' | '.join(f's{i}' for i in range(150)) + ';\n' + rules


def makefile():
    return 'all: ' + ' '.join(f't{i}' for i in range(4000)) + '\n' + ''.join(
        f't{i}: t{i + 1}\n\t@echo $@ $(subst t,u,$^)\n'
        for i in range(0, 3999, 2)) + ''.join(
            f't{i}:\n\t@echo x\n' for i in range(1, 4002, 2))


def make_inputs(folder):
    """Write the inputs of all programs; they are the same each time."""
    texts = dict(SCRIPTS)
    texts['lines'] = ''.join(
        f'{i * 7919 % 100003} {"abc" * (i % 9)} {i:x}\n' for i in range(60000))
    texts['a.json'] = '[' + ','.join(
        f'{{"name": "n{i}", "values": [{i}, {i % 7}, {i * 3}]}}'
        for i in range(20000)) + ']\n'
    texts['a.xml'] = '<r>' + ''.join(
        f'<e id="{i}"><t>{"word " * (i % 9)}</t><x/></e>'
        for i in range(40000)) + '</r>\n'
    texts['a.y'] = grammar()
    texts['a.mk'] = makefile()
    for name, text in texts.items():
        with open(os.path.join(folder, name), 'w', encoding='ascii') as file:
            file.write(text)


def make_more_inputs(folder, tools):
    """Write those of MORE_PROGRAMS."""
    os.makedirs(os.path.join(folder, 'tree'), exist_ok=True)
    for i in range(2500):
        with open(os.path.join(folder, 'tree', f'f{i:05}'), 'wb'):
            pass
    shutil.copyfile(library(tools), os.path.join(folder, 'library.so'))


def library(tools):
    """The library that is preloaded."""
    if tools.heapprof_gcov is None:
        raise Failure('heapprof-gcov not found')
    prefix = os.path.dirname(tools.heapprof_gcov)
    for path in (os.path.join(prefix, '.libs', 'libheapprof.so.1'),
                 os.path.join(prefix, '..', 'lib', 'libheapprof.so.1')):
        if os.path.exists(path):
            return os.path.abspath(path)
    found = find_library('libheapprof.so.1')
    if found is None:
        raise Failure('libheapprof.so.1 not found')
    return found


def is_installed(command):
    name = command.split()[0]
    return any(os.access(os.path.join(folder, name), os.X_OK)
               for folder in os.environ['PATH'].split(':'))


def names_of(programs):
    """A function that reads a list of names of PROGRAMS from an option."""
    known = [name for name, command in programs]

    def read_names(text):
        for name in text.split(','):
            if name not in known:
                raise argparse.ArgumentTypeError(
                    f'{name} is none of {", ".join(known)}')
        return text.split(',')
    return read_names
