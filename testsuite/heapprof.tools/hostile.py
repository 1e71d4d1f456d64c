#!/usr/bin/python3
# Write profiles with hostile names in all formats, and check the output.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: hostile.py source > FILE.c
#        hostile.py check HEAPPROF-GCOV PROGRAM COMPILER
#
# PROGRAM is FILE.c, compiled and linked with counters.  Its functions, types,
# members, files and marks have plain names, which a copy of the program replaces by
# hostile names of the same length.  Output for the profiles of both must have
# the same number of records.  Python's Unicode tables decide whether a
# character is harmless.  COMPILER is a gcc, for its own counters.
#
# Prints a line `PASS: NAME' or `FAIL: NAME: WHY' for each check.

import collections
import csv
import gzip
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree

NAMES = [
    b'\x1b[31mred\x07', b'\x1b]0;title\x07', b"=cmd|' /C calc'!A0", b'+1+1',
    b'-2+3', b'@SUM(1)', b'\t=1+1', b'\r=1+1', b'  =1+1',
    '\uff1d1+1'.encode(), b'\xff\xfe bad \xc3\x28', b'\xc0\xaf overlong',
    b'\xed\xa0\x80 surrogate', b'\xf5\x80\x80\x80 great', b'\x9b31m raw C1',
    '\u009b31m C1'.encode(), '\u202egnp.exe\u2066'.encode(),
    'line\u2028end\u2029'.encode(), 'zero\u200bwidth\ufeff'.encode(),
    'tag\U000e0041'.encode(), b'del\x7f\x08\x08', b'a\r\nb: 7', b'a;b;c 17',
    b'main:10:20', b'f(int):3 @ g', b'a < b < c', b'a,b"c"\'d\'', b'} ] , {',
    b'fn=(1) name', b'</script><script>alert(1)</script>', b'&amp;<b>',
    b'%s%n%1000d', b'$(id)`id`', b'#comment', b'--- !yaml', b'\\x1b\\u202e',
    b'"] -> "x', b'*) *(.evil', 'gr\u00fc\u00dfe \u4f60\u597d'.encode(),
    b'[f:1 @ g]', b'7:8:9', b'!Attributes: 1', b'vtables x:1 ',
    b'\xe2\x80', b'l' * 300 + b'\x1b' * 30,
]

# The plain name I of KIND; padded adds `_' up to the length of the hostile
# name.
def plain (i, kind):
    return b'h%s%03d' % (kind, i)

def hostile (i):
    name = NAMES[i]
    return name + b'x' * (5 - len (name))

def padded (i, kind):
    text = plain (i, kind)
    return text + b'_' * (len (hostile (i)) - len (text))

# Functions, files, types, members, marks, variables.
KINDS = (b'f', b's', b't', b'm', b'l', b'v')

# Bytes of a mark's label that are kept.
LABEL_BYTES = 63

def source ():
    lines = ['#include <stdlib.h>', 'int heapprof_mark (const char *);',
             'void *volatile kept;']
    for i in range (len (NAMES)):
        function, path, tag, member, label, variable = (
            padded (i, k).decode () for k in KINDS)
        lines += ['#line 1 "%s"' % path,
                  'struct %s { long %s; long other; }; int %s;'
                  % (tag, member, variable),
                  'void %s (void)' % function, '{', '  %s++;' % variable,
                  *(['  kept = malloc (16);'] if set (NAMES[i]) & {9, 10} else
                    ['  struct %s *p = malloc (sizeof *p);' % tag,
                     '  p->%s = 1;' % member, '  kept = p;']),
                  *(['  heapprof_mark ("%s");' % label]
                    if len (label) <= LABEL_BYTES else []),
                  '  free (kept);', '}']
    lines += ['#line 1 "main.c"', 'int main (void)', '{']
    lines += ['  %s ();' % padded (i, b'f').decode ()
              for i in range (len (NAMES))]
    lines += ['  return 0;', '}']
    return '\n'.join (lines) + '\n'

def make_hostile (data):
    for i in range (len (NAMES)):
        for kind in KINDS:
            name = hostile (i)
            # The compiler writes types as lines with tabs (so functions with
            # these in their names allocate none), and identifies files by the
            # last component of their paths.
            if kind != b'f':
                name = name.translate (bytes.maketrans (b'\t\n/', b'___'))
            data = data.replace (padded (i, kind), name)
    return data

# ---- Results.

def passed (name):
    print ('PASS: ' + name)

def failed (name, why):
    print ('FAIL: %s: %s' % (name, ascii (why)[:700]))

def check (name, condition, why=''):
    if condition:
        passed (name)
    else:
        failed (name, why)
    return condition

DIRECTIONS = ('LRE', 'RLE', 'LRO', 'RLO', 'PDF', 'LRI', 'RLI', 'FSI', 'PDI')

def is_harmless (c):
    return (unicodedata.category (c) not in ('Cc', 'Zl', 'Zp', 'Cs')
            and unicodedata.bidirectional (c) not in DIRECTIONS
            and c not in '\u200b\u200e\u200f\u061c\ufeff'
            and not 0xe0000 <= ord (c) < 0xe0080)

# The first harmful character in the bytes DATA that is not in ALLOWED, or None.
def find_harm (data, allowed='\n'):
    try:
        text = data.decode ()
    except UnicodeDecodeError as error:
        return 'invalid UTF-8: %s in %r' % (error,
                                            data[max (0, error.start - 40):][:80])
    for i, c in enumerate (text):
        if c not in allowed and not is_harmless (c):
            return 'U+%04X in %r' % (ord (c), text[max (0, i - 40):i + 40])
    return None

Result = collections.namedtuple ('Result', 'status out err')

def run (words, **more):
    done = subprocess.run (words, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           **more)
    return Result (done.returncode, done.stdout, done.stderr)

def gcov (*words):
    return run ([TOOL, *words])

# ---- Checks of the output formats.  Each returns numbers of records, in an
# order that does not depend on names.

def text (data):
    return data.count (b'\n')

# Parts that depend on the moment and not on names.
TIMED = ('timelines', 'affinities')

def values (value):
    if isinstance (value, dict):
        return 1 + sum (values (v) for k, v in value.items () if k not in TIMED)
    if isinstance (value, list):
        return 1 + sum (values (v) for v in value)
    return 1

def as_json (data):
    return values (json.loads (data))

FORMULA = re.compile ('^ *[=+@\t\r\uff1d\uff0b\uff0d\uff20-]')

def as_csv (data):
    rows = list (csv.reader (io.StringIO (data.decode (), newline='')))
    for row in rows:
        assert len (row) == len (rows[0]), row
        for cell in row:
            assert not FORMULA.match (cell), cell
    return sorted (len (row[-1].split (' < ')) for row in rows[1:])

def folded (data):
    depths = []
    for line in data.decode ().splitlines ():
        assert re.match (r'[^#].* \d+$', line), line
        depths.append (line.count (';'))
    return sorted (depths)

# Lines of a file of Massif: those of trees have names.
def massif (data):
    lines = data.decode ().split ('\n')
    for line in lines[:-1]:
        assert re.match (r'(desc|cmd|time_unit): |#-+$|\w+=[\w ]*$|'
                         r' *n\d+: \d+ ', line), line
    return sum (line.lstrip ().startswith ('n') for line in lines)

def callgrind (data):
    lines = data.decode ().split ('\n')
    body = lines[lines.index ('') + 1:]
    for line in body:
        assert re.match (r'((fl|fn|cfi|cfn)=\(\d+\)( .+)?|calls=\d+ \d+|'
                         r'[\d ]+|)$', line), line
    return len (body)

# The fields of a protobuf message whose values are bytes or numbers: (field,
# bytes, or b'' for a number).
def protobuf (data):
    at = 0
    def varint ():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len (data):
        key = varint ()
        size = varint ()
        found = b''
        if key & 7 == 2:
            found = data[at:at + size]
            at += size
        yield key >> 3, found

# Count the fields of a message, of which STRINGS are strings.
def count_fields (data, strings):
    fields = collections.Counter ()
    for field, value in protobuf (data):
        fields[field] += 1
        if field == strings:
            harm = find_harm (value, '')
            assert not harm, harm
    assert fields[strings] > 0
    return fields

# The fields of a pprof profile: 2 are samples, 4 locations, 6 strings.
def pprof (data):
    fields = count_fields (gzip.decompress (data), 6)
    return fields[2], fields[4]

# Those of OpenTelemetry's: 2 is the dictionary, in which 2 are locations, 5
# strings, 7 stacks.
def otlp (data):
    (dictionary,) = [value for field, value in protobuf (data) if field == 2]
    fields = count_fields (dictionary, 5)
    return fields[2], fields[7]

class Tags (html.parser.HTMLParser):
    def __init__ (self):
        super ().__init__ ()
        self.count = 0
        self.profile = None
        self.takes = False
    def handle_starttag (self, tag, attributes):
        self.count += 1
        self.takes = ('id', 'profile') in attributes
    def handle_data (self, data):
        if self.takes:
            self.profile = json.loads (data)
        self.takes = False

def strings_of (value):
    if isinstance (value, str):
        yield value
    elif isinstance (value, dict):
        for v in value.values ():
            yield from strings_of (v)
    elif isinstance (value, list):
        for v in value:
            yield from strings_of (v)

# For pages and viewers, which show strings unchanged.
def shown (value):
    for string in strings_of (value):
        harm = find_harm (string.encode (), '\n\t')
        assert not harm, harm
    return values (value)

def page (data):
    tags = Tags ()
    tags.feed (data.decode ())
    return tags.count, shown (tags.profile)

# A table before a page.
def page_after_text (data):
    at = data.index (b'<!DOCTYPE')
    return text (data[:at]), page (data[at:])

def viewer (data):
    return shown (json.loads (data))

# Counters are the curve of the heap's size, which depends on the moment.
def trace (data):
    events = json.loads (data)['traceEvents']
    shown (events)
    return values ([e for e in events if e['ph'] != 'C'])

# Commands of GitHub: nothing from a profile may start a line or a property.
def annotations (data):
    lines = data.decode ().split ('\n')
    assert lines.pop () == ''
    for line in lines:
        assert re.match (r'::(notice|warning|error) '
                         r'(file=[^:,]+,)?(line=\d+,)?title=[\w -]+::', line), line
        assert not re.search (r'%(?!25|0D|0A|3A|2C)', line), line
    return len (lines)

# Annotations, and what became of limits after them.
def junit (data):
    at = data.index (b'<?xml')
    cases = [c.keys () for c in
             xml.etree.ElementTree.fromstring (data[at:]).iter ('testcase')]
    return annotations (data[:at]), cases

def as_yaml (data):
    try:
        import yaml
    except ImportError:
        return text (data)
    return values (list (yaml.safe_load_all (data)))

def dot (data):
    name = r'"(?:[^"\\]|\\.)*"'
    for line in data.decode ().split ('\n')[1:-2]:
        assert re.match (r'  %s -> %s \[label="\d+"\];$' % (name, name),
                         line), line
    return text (data)

# Formats that compilers and linkers read: names that they cannot represent are
# omitted, and counted on standard error.
def left_out (err):
    return sum (int (n) for n in re.findall (
        rb'warning: (?:\S*: )?(\d+) (?:functions|variables and constants) omitted',
        err))

def script (data):
    for line in data.decode ().split ('\n')[1:-2]:
        assert re.match (r'  \*\(\.text\.[^\s*?[\](){}<>"\'\\,;:=!/#]+\)$', line), line
    return text (data)

# The same for data: the sections of a linker script, each with its own lines.
def data_script (data):
    for line in data.decode ().split ('\n')[:-1]:
        assert re.match (r' +\*\(\.(?:text|rodata|data|bss)\.[^\s?[\](){}<>"\'\\,;:=!/#]+\)$'
                         r'| *\.[a-z.]+ (?:ALIGN \(CONSTANT \(MAXPAGESIZE\)\) )?:(?: \{)?$'
                         r'|SECTIONS$| *[{}]$|INSERT BEFORE \.[a-z.]+;$', line), line
    return text (data)

# ---- The writers: command and options, kind of profile, check of the output.
# The output file `-' is standard output.

HEAP, COUNTS, SAMPLES, GCOV, MIP = 'heap', 'counters', 'samples', 'gcov', 'mip'
DATA = 'data mip'

WRITERS = [
    ('top --batch --count=1', 'raw', text),
    ('top --batch --count=1 --skip=.', 'raw', text),
    ('top --batch --count=1 --by=type', 'raw', text),
    ('top --batch --count=1 --by=process', 'raw', text),
    ('show', HEAP, text), ('show --full --no-demangle --top=0', HEAP, text),
    ('show --skip=.', HEAP, text), ('show --json --skip=.', HEAP, as_json),
    ('show --by-type', HEAP, text), ('show --by-thread', HEAP, text),
     ('show --by-field', HEAP, text),
    ('show --color=never --full-schema --keep-columns', HEAP, text),
    ('show --json', HEAP, as_json), ('show --yaml', HEAP, as_yaml),
    ('show', COUNTS, text), ('show --json', COUNTS, as_json),
    ('show --all-functions --counts --ic-targets --memop-sizes --show-vtables'
     ' --detailed-summary --binary-ids --temporal-profile-traces', COUNTS,
     text),
    ('show', SAMPLES, text),
    ('show', GCOV, text), ('show --json', GCOV, as_json),
    ('annotate --contexts source.c', HEAP, text),
    ('annotate --contexts --skip=. source.c', HEAP, text),
    ('annotate --json source.c', HEAP, as_json),
    ('report -o - --skip=.', HEAP, page), ('report -o -', HEAP, page), ('report --no-source -o -', HEAP, page),
    ('export --format=folded', HEAP, folded),
    ('export --format=folded --skip=.', HEAP, folded),
    ('export --format=folded --value=accesses', HEAP, folded),
    ('export --format=pprof', HEAP, pprof),
    ('export --format=otlp', HEAP, otlp),
    ('export --format=speedscope', HEAP, viewer),
    ('export --format=dhat', HEAP, viewer),
    ('export --format=callgrind', HEAP, callgrind),
    ('export --format=csv', HEAP, as_csv),
    ('export --format=massif', HEAP, massif),
    ('export --format=trace', HEAP, trace),
    ('export --format=json -o -', HEAP, as_json),
    ('overlap', 2 * [HEAP], text), ('overlap --json', 2 * [HEAP], as_json),
    ('overlap --value-cutoff=0 --cs', 2 * [COUNTS], text),
    ('overlap --value-cutoff=0 --json', 2 * [COUNTS], as_json),
    ('overlap --value-cutoff=0', 2 * [SAMPLES], text),
    ('diff --top=0', 2 * [HEAP], text),
    ('diff --top=0 --skip=.', [HEAP, 'double'], text),
    ('diff --json', 2 * [HEAP], as_json),
    ('diff --html=- --skip=.', [HEAP, 'double'], page),
    ('diff --html=-', [HEAP, 'double'], page),
    ('diff --format=sarif --base=/', [HEAP, 'double'], viewer),
    ('diff --format=github', [HEAP, 'double'], annotations),
    ('diff --format=gitlab', [HEAP, 'double'], viewer),
    ('diff --format=github --fail-if=bytes+999% --junit=-', [HEAP, 'double'],
     junit),
    ('diff --top=0 --sort=accesses', [HEAP, 'double'], text),
    ('diff --top=0', [COUNTS, 'more counters'], text),
    ('diff --json', [COUNTS, 'more counters'], as_json),
    ('diff --top=0', [SAMPLES, 'more samples'], text),
    ('trend', [HEAP, 'double'], text), ('trend --csv', [HEAP, 'double'], as_csv),
    ('trend --top=0 --skip=.', 2 * [HEAP], text),
    ('trend --json', [HEAP, 'double'], as_json),
    ('trend --html=-', [HEAP, 'double'], page_after_text),
    ('trend --label=build-id', [HEAP, 'raw'], text),
    ('match --new-notes=new -o fitted', GCOV, text),
    ('matching', [HEAP, 'remarks'], text),
    ('matching --json', [HEAP, 'remarks'], as_json),
    ('advise --limit=0 --min-share=0 --remarks=remarks', HEAP, text),
    ('advise --limit=0 --min-share=0 --skip=.', HEAP, text),
    ('advise --limit=0 --min-share=0 --remarks=remarks --json', HEAP, as_json),
    ('advise --limit=0 --min-share=0 --remarks=remarks --format=json --kind=placement',
     HEAP, as_json),
    ('advise --limit=0 --min-share=0 --remarks=remarks --format=sarif --base=/',
     HEAP, viewer),
    ('advise --limit=0 --min-share=0 --remarks=remarks --format=github', HEAP,
     annotations),
    ('advise --limit=0 --min-share=0 --remarks=remarks --format=gitlab', HEAP,
     viewer),
    ('merge --text -o -', COUNTS, text), ('merge --text -o -', SAMPLES, text),
    ('merge --text --sparse -o -', COUNTS, text),
    ('convert --to=sample-text -o -', SAMPLES, text),
    ('mip show', MIP, text), ('mip show --json', MIP, as_json),
    ('mip show --inlined', MIP, text),
    ('mip show --blocks', MIP, text), ('mip show --lines', MIP, text),
    ('mip covered', MIP, text), ('mip uncovered', MIP, text),
    ('mip covered --by=origin', MIP, text),
    ('mip covered --by=file', MIP, text),
    ('mip edges', MIP, text), ('mip edges --json', MIP, as_json),
    ('mip edges --dot', MIP, dot), ('mip info', MIP, text),
    ('mip diff', [MIP, 'other mip'], text),
    ('mip order', MIP, text), ('mip order --format=symbols', MIP, text),
    ('mip order --format=sections', MIP, text),
    ('mip order --format=ld-script', MIP, script),
    ('mip order --format=sorted', MIP, text),
    ('mip order --format=json', MIP, as_json),
    ('mip order --evaluate --by=bp', MIP, text),
    ('mip order --what=data', DATA, text),
    ('mip order --what=both --format=sections', DATA, text),
    ('mip order --what=both --format=ld-script', DATA, data_script),
    ('mip order --what=both --format=ld-insert', DATA, data_script),
    ('mip order --what=data --format=sorted', DATA, text),
    ('mip order --what=both --format=json', DATA, as_json),
    ('mip order --by=calls', MIP, text),
    ('mip to-text -o -', MIP, text), ('mip to-text', MIP, text),
    ('doctor', HEAP, text), ('doctor --json', HEAP, as_json),
]

# Options that select what is written, or how it is counted, but not the format.
SELECT = set ('''--help --sort= --function= --file= --module= --type= --thread=
  --min-bytes= --top= --no-demangle --full --color= --binary= --debug-directory=
  --notes= --cs --value-cutoff= --fail-if= --fail-under= --regex= --source=
  --by= --at= --base= --value= --label= --no-skip --since=
  --suppressions='''.split ())
# Options of commands that write binary files, or samples with convert's
# writers.
OTHERS = {
    'merge': '''--weighted-input= --input-files= --num-threads= --failure-mode=
      --llvm-only --no-vtables --memprof-version= --profile-format-version=
      --full-schema --keep-columns''',
    'convert': '''--strip-prefix= --afdo-version= --gcc-version= --no-vtables
      --use-md5 --compress-all-sections --split-layout''',
    'match': '''--output= --to= --names= --afdo-version= --gcc-version=
        --notes= --strip-prefix= --no-vtables --use-md5 --compress-all-sections --split-layout''',
    'profgen': '''--output= --format= --perfdata= --perfscript= --pid= --names=
      --data-access-perftrace= --combine= --totals= --afdo-version=
      --gcc-version= --no-vtables --use-md5 --compress-all-sections
      --split-layout --ignore-stack-samples --use-dwarf-correlation
      --show-pseudo-probe --csspgo-preinliner --gen-cs-nested-profile
      --csprof-max-context-depth= --csprof-merge-cold-context
      --csprof-max-cold-context-depth= --trim-cold-profile
      --csspgo-replay-preinline --sample-profile-hot-inline-threshold=
      --sample-profile-cold-inline-threshold=
      --csspgo-preinliner-multiplier-for-previous-inlining=
      --sample-profile-inline-growth-limit= --sample-profile-inline-limit-min=
      --sample-profile-inline-limit-max=''',
    'doctor': '--compiler= --folder=',
    'report': '--open',
    'prove': '''--variant= --allocator= --rounds= --warm-up= --cachegrind --d1=
      --ll= --no-pages --input= --exit-status= --no-compare-output --timeout=
      --seed= --json --phase-begin= --phase-end= --junit=''',
    'run': '''--output= --report= --sarif= --github= --gitlab= --raw= --children --timeout= --max-depth=
      --python-malloc --sample=
      --recursion= --option= --quiet --skip= --leak-exit-code=''',
    'attach': '''--time= --output= --report= --raw= --wait= --max-depth= --recursion=
      --option= --ignore-seccomp --skip= --quiet''',
    'top': '--delay= --batch --count=',
    'push': '''--follow --every= --format= --endpoint= --header= --queue= --queue-size=
      --give-up= --delete''',
    'mark': '--wait= --leaks',
    'mip extract': '--output=', 'mip create': '--output=',
    'mip from-text': '--output=',
    'mip merge': '--output= --profile= --strict --weighted-input=',
}
# Values for binary formats; samples.exp reads samples back.
BINARY = {'convert': {'gcda', 'sample', 'sample-binary', 'afdo'}}

# Check that the table above has every command, option and format.
def check_table ():
    completion = gcov ('--completion=bash').out.decode ()
    tried = collections.defaultdict (set)
    for writer, kind, form in WRITERS:
        words = writer.split ()
        command = ' '.join (words[:2] if words[0] == 'mip' else words[:1])
        tried[command].update (words)
        tried[command].update (re.sub ('=.*', '=', w) for w in words)
        if '-o' in words:
            tried[command].add ('--output=')
    prefix = ''
    for line in completion.split ('\n'):
        found = re.match (r"\s*([\w-]+)\) (if|words='([^']*)')", line)
        if not found:
            continue
        if found.group (2) == 'if':
            prefix = found.group (1) + ' '
            continue
        if found.group (1) in ('prove', 'doctor', 'help'):
            prefix = ''
        command = prefix + found.group (1)
        if command == 'help':
            continue
        known = SELECT | tried[command] | set (OTHERS.get (command, '').split ())
        unknown = [w for w in found.group (3).split () if w not in known]
        check ('%s: all options are tested' % command,
               (command in tried or command in OTHERS) and not unknown,
               'add these to the tables in hostile.py: %s' % (unknown or command))
    for command, option in (('export', 'format'), ('convert', 'to'),
                            ('mip order', 'format')):
        help = gcov (*command.split (), '--help').out.decode ()
        block = re.search (r'--%s=(.*?)\n +(?:-\w, )?--' % option, help,
                           re.S).group (1)
        for word in values_in (command, block):
            check ('%s --%s=%s is tested' % (command, option, word),
                   '--%s=%s' % (option, word) in tried[command]
                   or word in BINARY.get (command, ()), 'add it to hostile.py')

# The values of an option of COMMAND in BLOCK, its part of the help.
def values_in (command, block):
    if command == 'mip order':
        return block.split ('\n')[0].strip ().split ('|')
    if command == 'export':
        block = re.sub (r'\([^)]*\)|FORMAT|write', '', block)
        return re.findall (r'[\w-]+', re.sub (r' or ', ', ', block))
    heads = re.findall (r'(?:^|;)\s*([\w, \n-]+):', block.replace ('FORMAT', ''))
    return [w for h in heads for w in re.findall (r'[\w-]+', h)]

# ---- Profiles, in a plain and a hostile form.

def write (path, data):
    with open (path, 'wb') as file:
        file.write (data)

def names (side):
    return [padded (i, b'f') if side == 'plain' else hostile (i)
            for i in range (len (NAMES))]

# In text, a line break ends a name; `:' and `#' start flags and comments.
def line_names (side):
    return [re.sub (b'^[:#]', b'_', n).replace (b'\n', b'_')
            for n in names (side)]

def counters_text (side, factor):
    out = [b'# Counters\n:ir\n']
    all = line_names (side)
    for i, name in enumerate (all):
        target = all[(i + 1) % len (all)]
        out.append (b'%s\n%d\n2\n%d\n%d\n2\n0\n1\n1\n%s:5\n2\n1\n1\n%s:6\n\n'
                    % (name, 1000 + i, factor * (i + 1), 7, target, target))
    return b''.join (out)

# NAME without the characters that a name in a sample profile cannot have.
def sample_name (name):
    name = name.replace (b'\r', b'_').replace (b'\n', b'_')
    return b'_' + name.replace (b' @ ', b'_@_').replace (b':', b'_')

def samples_text (side, factor):
    out = []
    all = [sample_name (n) for n in names (side)]
    for i, name in enumerate (all):
        target = all[(i + 1) % len (all)].replace (b' ', b'_')
        out.append (b'%s:%d:%d\n 1: %d %s:5\n 2: %s:9\n  1: 9\n'
                    % (name, factor * (19 + i), 10, factor * (10 + i), target,
                       target))
    return b''.join (out)

def mip_string (name):
    return b''.join (b'\\%02x' % c if c < 32 or c == 92 or c >= 127
                     else bytes ([c]) for c in name)

def mip_text (side, runs):
    all = [mip_string (n) for n in names (side)]
    out = [b'machine-level-profile version=1 runs=%d traces=1\n'
           b'module link-unit=63 low=1000 high=90000 runs=%d %s\n'
           b'  build-id 6120\n' % (runs, runs, all[0])]
    for i, name in enumerate (all):
        out.append (b'function entry=%x slot=%x bytes=50 cold=0 cold-bytes=0 '
                    b'line=7 kind=2 flags=1 source=4d2 shape=%x runs=%d '
                    b'calls=%d order=%d least=%d %s\n  origin %s\n  file %s\n'
                    b'  block at=0 line=10 slot=0 runs=%d\n'
                    b'  copy line=3 flags=1 runs=1 rule=1,0 %s\n'
                    b'  copy-file %s\n'
                    % (0x1000 + 0x100 * i, 0x40000 + 16 * i, i, runs, 3 * runs,
                       (i + 1) * runs, i + 1, name, name, name, runs,
                       name, name))
    out.append (b'trace weight=1 %s\n'
                % b' '.join (b'%d' % i for i in range (len (all))))
    for i in range (len (all)):
        out.append (b'edge callee=%d caller=%d site=%x calls=7\n'
                    % (i, (i + 1) % len (all), 0x1000 + 0x100 * i + 8))
    return b''.join (out)

# A profile of all functions of BINARY, whose content is DATA; PROGRAM is the
# original, with plain names at the same addresses.
def data_mip_text (side, program, binary, data):
    places = {}
    for line in run (['nm', '-S', program]).out.split (b'\n'):
        fields = line.split ()
        if len (fields) == 4 and fields[2] == b'T':
            places[fields[3]] = fields[:2]
    note = b'\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0'
    at = data.index (note) + len (note)
    out = [b'machine-level-profile version=1 runs=1 traces=1\n'
           b'module link-unit=0 low=0 high=100000 runs=1 %s\n'
           b'  build-id %s\n'
           % (mip_string (os.fsencode (binary)),
              data[at:at + 20].hex ().encode ())]
    all = [mip_string (n) for n in names (side)]
    for i, name in enumerate (all):
        entry, size = places[padded (i, b'f')]
        out.append (b'function entry=%s slot=%x bytes=%d cold=0 cold-bytes=0 '
                    b'line=7 kind=3 flags=0 source=0 shape=0 runs=1 calls=0 '
                    b'order=%d least=%d %s\n  origin %s\n'
                    % (entry, 0x400000 + 4 * i, int (size, 16), i + 1, i + 1,
                       name, name))
    out.append (b'trace weight=1 %s\n'
                % b' '.join (b'%d' % i for i in range (len (all))))
    return b''.join (out)

def remarks (side):
    return b''.join (
        json.dumps ({'unit': n.decode ('latin-1'), 'function': 'main',
                     'file': 'x', 'line': i + 1, 'column': 1,
                     'outcome': 'lost', 'count': 1, 'bytes': 1,
                     'contexts': 1,
                     'reason': n.decode ('latin-1')}).encode () + b'\n'
        for i, n in enumerate (names (side)))

# Build and run a program with gcc's own counters in the current folder.
# Functions with names that end with END.
def gcov_source (end):
    return b'int main (void) { return 0; }\n' + b''.join (
        b'int %s (void) { return 1; }\n' % (padded (i, b'f') + end)
        for i in range (len (NAMES)))

def make_gcov (side, compiler):
    write ('work.c', gcov_source (b''))
    run ([compiler, '--coverage', '-fprofile-arcs', 'work.c', '-o', 'work'])
    run (['./work'])
    notes = [f for f in os.listdir () if f.endswith ('.gcno')]
    os.mkdir ('new')
    write ('new/work.c', gcov_source (b'x'))
    notes.append ('new/' + notes[0])
    run ([compiler, '--coverage', '-c', 'new/work.c', '-o',
          notes[1][:-len ('gcno')] + 'o'])
    for note in notes:
        if side == 'hostile':
            with open (note, 'rb') as file:
                data = file.read ()
            # Equal lengths of names preserve lengths and padding of strings.
            write (note, make_hostile (data))
    gcov ('merge', '-o', 'gcov', '.')

def longest_lifetime_ns (profile):
    return json.loads (gcov ('show', '--json', '--top=1', profile).out)[
        'totals']['info']['max_lifetime_ns']

# What depends on the moments at which the blocks of PROFILE were released, apart
# from names: how often each combination of marks occurs, and the size of the
# advice.
def moments (profile):
    shown = json.loads (gcov ('show', '--json', profile).out)
    advice = gcov ('advise', '--limit=0', '--min-share=0', '--json', profile)
    return (sorted (c['marks'] for c in shown['contexts']),
            as_json (advice.out))

# Run BINARY until its profile `raw' has the moments EXPECTED, or those of its
# previous run if EXPECTED is None: a process that has to wait on a busy machine
# leaves blocks that lived longer, and thus have other marks.  Return the last
# result and its moments.
def run_in_peace (binary, expected):
    found = None
    for attempt in range (50):
        made = run ([binary], env={**os.environ, 'HEAPPROF_OPTIONS': 'file=raw'})
        if made.status != 0:
            break
        previous, found = found, moments ('raw')
        if (longest_lifetime_ns ('raw') < 500_000
            and found == (expected or previous)):
            break
    return made, found

# In the folder of SIDE, write a file for each kind of profile, with its name.
# EXPECTED are the moments of the other side's profile, or None.  Return the folder
# and the moments.
def make_profiles (side, program, compiler, expected):
    folder = b'plain/' if side == 'plain' else b'hos\x1b[2J\xff\xe2\x80\xae=/'
    os.makedirs (folder, exist_ok=True)
    with open (program, 'rb') as file:
        data = file.read ()
    binary = os.path.abspath (folder + (b'app' if side == 'plain'
                                        else b'=a\x1bp;p\xc2\x9b'))
    write (binary, data if side == 'plain' else make_hostile (data))
    os.chmod (binary, 0o755)
    os.chdir (folder)
    made, found = run_in_peace (binary, expected)
    if not check ('%s: profile is written' % side, made.status == 0
                  and os.path.exists ('raw'), made.err):
        return folder, found
    write ('source.c', b'\x1b[31m\tsource\r\n\x9b\xff\xe2\x80\xae\n'
           if side == 'hostile' else b'\n\n')
    write ('counters.txt', counters_text (side, 1))
    write ('more.txt', counters_text (side, 3))
    write (SAMPLES, samples_text (side, 1))
    write ('more samples', samples_text (side, 3))
    write ('mip.txt', mip_text (side, 1))
    write ('more.mip.txt', mip_text (side, 2))
    write ('data.mip.txt', data_mip_text (side, program, binary, data))
    write ('remarks', remarks (side))
    commands = [['merge', '-o', HEAP, 'raw'],
                ['merge', '-o', 'double', '--weighted-input=2,raw'],
                ['merge', '-o', COUNTS, 'counters.txt'],
                ['merge', '-o', 'more counters', 'more.txt'],
                ['mip', 'from-text', '-o', MIP, 'mip.txt'],
                ['mip', 'from-text', '-o', 'other mip', 'more.mip.txt'],
                ['mip', 'from-text', '-o', DATA, 'data.mip.txt']]
    for words in commands:
        result = gcov (*words)
        check ('%s: %s' % (side, ' '.join (words)), result.status == 0,
               result.err)
    make_gcov (side, compiler)
    return folder, found

# ---- The checks.

# Each message must be a line that starts with the name of the program.
def check_messages (name, err):
    harm = find_harm (err)
    lines = err.decode (errors='replace').split ('\n')
    check (name + ': messages', not harm
           and all (re.match ("heapprof-gcov: |Try '", l) for l in lines[:-1])
           and lines[-1] == '', harm or err)

def allowed_in (form):
    return '\n\t' if form is text else '\r\n' if form is as_csv else '\n'

def check_writer (writer, kinds, form, results):
    name = writer + ' of ' + ', '.join (kinds)
    plain, hostile = results
    check_messages (name, hostile.err)
    if (hostile.status != 0 and writer.startswith (('merge --text', 'convert'))
        and hostile.out == b'' and hostile.err.count (b'\n') == 1):
        passed (name + ': is refused')
        return
    doctor = writer.startswith ('doctor')
    if not check (name + ': is written',
                  plain.status == hostile.status and (doctor
                                                      or plain.status == 0),
                  (plain.status, plain.err, hostile.status, hostile.err)):
        return
    # A page also has our own text, with tabs.
    if form not in (pprof, otlp):
        harm = find_harm (hostile.out, '\n\t' if form in (page, page_after_text)
                          else allowed_in (form))
        check (name + ': is harmless', not harm, harm)
    try:
        expected = form (plain.out)
        found = form (hostile.out)
    except Exception as error:
        failed (name + ': is well-formed', repr (error))
        return
    missing = left_out (hostile.err)
    if missing == 0:
        check (name + ': has all records', found == expected,
               (found, expected))
    else:
        check (name + ': reports what is omitted', found < expected
               and ('merge' in writer or 'order' in writer), (found, missing))

def check_writers (folders):
    here = os.getcwd ()
    for writer, kind, form in WRITERS:
        kinds = kind if isinstance (kind, list) else [kind]
        results = []
        for folder in folders:
            os.chdir (here.encode () + b'/' + folder)
            # Titles have hostile file names, too.
            paths = [path_of (k, folder) for k in kinds]
            results.append (gcov (*writer.split (), *paths))
            os.chdir (here)
        check_writer (writer, kinds, form, results)

# The path of the file of KIND; in the hostile folder, it has a hostile name.
def path_of (kind, folder):
    if folder == b'plain/':
        return kind
    path = b'=\x1b[7m\xc2\x9b' + kind.encode ()
    if not os.path.exists (path):
        shutil.copyfile (kind, path)
    return path

# Check that text is read back.
def check_texts (folder):
    os.chdir (folder)
    result = gcov ('mip', 'to-text', '-o', 'mip.again', MIP)
    gcov ('mip', 'from-text', '-o', 'again', 'mip.again')
    with open (MIP, 'rb') as one, open ('again', 'rb') as other:
        check ('mip to-text is read back', one.read () == other.read (),
               result.err)
    for words in (['merge', '--text', '-o', 'text', COUNTS],
                  ['merge', '-o', 'again', 'text'],
                  ['show', '--all-functions', 'again']):
        result = gcov (*words)
        check ('%s, names that text can represent' % ' '.join (words),
               result.status == 0, result.err)
    os.chdir ('..')

HOSTILE_WORD = b'\x1b[31m\x9b\xff\xe2\x80\xae\nx'

# Errors repeat words of the command line.
def check_errors ():
    x = HOSTILE_WORD
    write ('list', b'absent\x1b\x9b\n')
    write (b'bad\x1b\xc2\x9b', b'main\x1b[2J\x9b:1:1\n 1\x1b\n')
    write ('bad.yaml', b'---\nHeapProfileRecords:\n  - GUID: x\n    \x1b\x9b: 1\n')
    write ('bad.mip', b'machine-level-profile version=1\x1b\x9b\n')
    write ('bad.text', b':ir\n:\x1b\x9b\n')
    write ('remarks', b'{"\x1b\x9b\n')
    commands = [[x], [b'--' + x], ['show', x], ['show', b'--' + x],
                ['show', b'-' + x], ['show', b'--json=' + x],
                ['show', b'--sort=' + x, 'y'], ['show', b'--color=' + x, 'y'],
                ['show', b'--function=(' + x, 'y'],
                ['show', b'--function=@' + x, 'y'],
                ['show', b'bad\x1b\xc2\x9b'], ['show', 'bad.yaml'],
                ['show', 'bad.text'], ['mip', 'from-text', '-o', 'o', 'bad.mip'],
                ['merge', '-o', 'out', x], ['merge', '-o', b'absent/' + x, x],
                ['merge', '-o', 'out', b'--weighted-input=' + x],
                ['merge', '-o', 'out', b'--weighted-input=3,' + x],
                ['merge', '-o', 'out', b'--failure-mode=' + x],
                ['merge', '-o', 'out', b'-j' + x],
                ['merge', '-o', 'out', '-f', 'list'],
                ['merge', '-o', 'out', '-f', x],
                ['convert', b'--to=' + x, '-o', 'out', 'y'],
                ['export', b'--format=' + x, 'y'],
                ['export', '--format=csv', b'--value=' + x, 'y'],
                ['export', '--format=csv', x], ['annotate', x, x],
                ['report', x], ['overlap', x, x], ['diff', x, x],
                ['diff', b'--fail-if=' + x, 'y', 'y'],
                ['trend', b'--value=' + x, 'y'], ['trend', x],
                ['trend', b'--label=' + x + b',', 'y'], ['matching', x, x],
                ['matching', b'--fail-under=' + x, 'y'],
                ['profgen', b'--binary=' + x, '-o', 'out', x],
                ['profgen', b'--csspgo-preinliner=' + x, x],
                ['profgen', b'--csprof-max-context-depth=' + x, x],
                ['match', b'--binary=' + x, '-o', 'out', x],
                ['match', b'--new-notes=' + x, '-o', 'out', x],
                ['match', b'--new-notes=' + x, '-o', 'out', 'gcov'],
                ['mip', x], ['mip', 'show', x], ['mip', 'order', b'--by=' + x],
                ['mip', 'order', b'--what=' + x, MIP],
                ['mip', 'order', '--what=data', b'--binary=' + x, MIP],
                ['mip', 'merge', '-o', 'out', x], ['mip', 'extract', x],
                ['prove', b'--variant=' + x], ['prove', b'--fail-if=' + x],
                ['prove', b'--variant=' + x + b'=exit 1'],
                ['prove', b'--allocator=' + x],
                ['prove', b'--input=' + x, '--', 'true'],
                ['prove', '--', 'printf "%s" "$1" >&2; exit 1', x],
                ['run', x], ['run', '-o', b'absent/' + x, 'true'],
                ['run', b'--timeout=' + x, 'true'], ['top', x],
                ['top', b'--by=' + x, 'y'], ['top', b'--delay=' + x, 'y'],
                ['doctor', x], ['help', x], [b'--completion=' + x],
                ['help', 'mip', x]]
    for words in commands:
        result = gcov (*words)
        name = 'error of %s' % ascii (words)
        harm = find_harm (result.out)
        # `run' has the statuses of env and timeout for its own errors.
        status = {125: 1, 127: 1}.get (result.status, result.status)
        check (name, status in (1, 2) and result.err.count (b'\n') <= status
               and not harm or words[0] == 'doctor' and not harm,
               (result, harm))
        check_messages (name, result.err)

# Names and commands of variants are from the command line.
def check_variants ():
    x = HOSTILE_WORD
    words = ['prove', '--rounds=1', '--no-pages', b'--variant=' + x + b'=',
             '--variant=b=', '--', 'true', x]
    result = gcov (*words)
    check ('prove: text is harmless',
           result.status == 0 and not find_harm (result.out, '\n'), result)
    result = gcov ('prove', '--json', *words[1:])
    harm = find_harm (result.out, '\n')
    data = json.loads (result.out)
    expected = x.decode (errors='backslashreplace')
    check ('prove: JSON is harmless', result.status == 0 and not harm, harm)
    check ('prove: JSON has the names', data['variants'][0]['name'] == expected
           and data['variants'][1]['command'] == ['true', expected],
           data)

# A summary is printed of the program in the folder of hostile names.
def check_run (folder):
    program = folder + b'=a\x1bp;p\xc2\x9b'
    result = gcov ('run', '-o', 'ran', '--top=0', program)
    check ('run: summary is harmless', result.status == 0
           and result.err.count (b'\n') > len (NAMES)
           and not find_harm (result.err), find_harm (result.err) or result)

# Messages of the run-time library about the environment and paths.
def check_library (program):
    for options in (b'x\x1b\x9b=\xe2\x80\xae', b'file=/dev/null/\x1b[2J\xff\n/x',
                    b'depth=\x1b\xc2\x9b', b'\xc3\xa4\x07' * 60,
                    b'file=/dev/null/' + '\u202e\u00e4'.encode () * 400):
        result = run ([program], env={**os.environb,
                                      b'HEAPPROF_OPTIONS': options})
        name = 'HEAPPROF_OPTIONS=' + ascii (options)[:60]
        harm = find_harm (result.err)
        check (name, result.status == 0 and result.err and not harm
               and all (l.startswith (b'heapprof: ')
                        for l in result.err.splitlines ()), harm or result)

def main ():
    global TOOL
    if sys.argv[1] == 'source':
        print (source (), end='')
        return
    TOOL = os.path.abspath (sys.argv[2])
    check_table ()
    here = os.getcwd ()
    folders = []
    found = None
    for side in ('plain', 'hostile'):
        folder, found = make_profiles (side, sys.argv[3], sys.argv[4], found)
        folders.append (folder)
        os.chdir (here)
    check_writers (folders)
    check_texts (folders[1])
    check_errors ()
    check_variants ()
    check_run (folders[1])
    check_library (sys.argv[3])

main ()
