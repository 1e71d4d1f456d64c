#!/usr/bin/python3
# Pass valid, empty and damaged files to heapprof-gcov's commands, and read their
# output back.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: drive-commands.py HEAPPROF-GCOV SEEDS [--empty] [--seeds] [--number=N
#                          [--first=NUMBER] [--seconds=S]]
#
# SEEDS is testsuite/fuzz/seeds.  The files are: with --empty, an empty profile of
# each kind; with --seeds, the seeds; and N damaged seeds from NUMBER on, for at most
# S seconds.  A number always gives the same damage; in three of four files checksums
# are repaired.
# Each file is passed through all commands, which must exit with 0 or 1.  With 1 they
# must print one line that names the file and the cause, and leave no output.  With 0
# their output must be readable by `show' and, written again, give the same bytes;
# LLVM's files must also be readable by $LLVM_PROFDATA, if that is set.
#
# Each file that fails is saved as failed-N, and a line is printed for it.  The last
# line has totals; the exit status is 1 if any file failed.

import itertools
import json
import os
import random
import re
import struct
import subprocess
import sys
import time
import zlib

LLVM = os.environ.get ('LLVM_PROFDATA')
LIMIT_SECONDS = 60

# ---- Files.

def uleb (n):
    out = b''
    while n > 127:
        out += bytes ([n & 127 | 128])
        n >>= 7
    return out + bytes ([n])

# LLVM's raw binary samples: magic, version, an empty summary, no names.
NO_SAMPLES = (uleb (0x5350524f463432ff) + uleb (103) + uleb (0) * 6 + uleb (0))

def gcda (version, has_checksum):
    return (struct.pack ('<I', 0x67636461) + version
            + struct.pack ('<I', 0x1234) + has_checksum * struct.pack ('<I', 0)
            + struct.pack ('<I', 0))

# Empty profiles by kind.
EMPTY = {
    'front-end counters': b':fe\n',
    'IR counters': b':ir\n',
    'context-sensitive counters': b':csir\n',
    'one function that never ran': b':ir\nmain\n1\n1\n0\n',
    'front-end function that never ran': b'main\n1\n1\n0\n',
    'a name that text cannot have': b':ir\n$x\n1\n1\n5\n',
    'traces of nothing': b':ir\n:temporal_prof_traces\n0\n0\n',
    'heap': b'---\nHeapProfileRecords:\n...\n',
    'heap without anything': b'---\n...\n',
    'samples': NO_SAMPLES,
    'samples of nothing': b'main:0:0\n',
    'mip': b'machine-level-profile version=1 runs=0 traces=0\n',
    'gcc 11': gcda (b'*11B', False),
    'gcc 12': gcda (b'*21B', True),
    'no bytes': b'',
    'a newline': b'\n',
}

def crc (data, start=0):
    return struct.pack ('<I', zlib.crc32 (data, start))

# Return DATA with correct checksums.
def repaired (data):
    if data[:8] == b'\x89HPRAW\r\n' and len (data) >= 48 and data[22] & 2:
        head = data[:32] + struct.pack ('<Q', len (data) - 48) + data[40:44]
        return head + crc (head, zlib.crc32 (data[48:])) + data[48:]
    if data[-8:] == b'\x89HPSEC\r\n' and len (data) > 32:
        return data[:-12] + crc (data[:-12]) + data[-8:]
    # Machine-level profiles, their maps, and the first image of raw files.
    sized = data[:16] + struct.pack ('<Q', len (data)) + data[24:]
    if data[:5] == b'\x89HPMI' and len (data) >= 128:
        return sized[:44] + crc (sized[128:]) + sized[48:]
    if data[:5] == b'\x89HPMM' and len (data) >= 160:
        return sized[:100] + crc (sized[160:]) + sized[104:]
    if data[:5] == b'\x89HPMR' and len (data) >= 168:
        return data[:140] + crc (data[:140]) + data[144:]
    return data

NUMBERS = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
           0x80000000, 0xffffffff, 1 << 32, (1 << 63) - 1, 1 << 63,
           (1 << 64) - 1]

def damaged (data, chance):
    data = bytearray (data)
    for step in range (chance.choice ((1, 1, 1, 2, 3))):
        if not data:
            break
        at = chance.randrange (len (data))
        kind = chance.randrange (8)
        if kind < 3:
            data[at] ^= 1 << chance.randrange (8)
        elif kind < 5:
            width = chance.choice ((1, 2, 4, 8))
            number = chance.choice (NUMBERS) % (1 << 8 * width)
            data[at:at + width] = number.to_bytes (width, 'little')
        elif kind == 5:
            del data[at:at + chance.randrange (1, 40)]
        elif kind == 6:
            there = chance.randrange (len (data))
            data[at:at] = data[there:there + chance.randrange (1, 40)]
        else:
            # Replace a number or name in a text by another.
            words = list (re.finditer (rb'[0-9]+|[A-Za-z_]+', bytes (data)))
            if words:
                word = chance.choice (words)
                other = chance.choice (words).group ()
                data[word.start ():word.end ()] = chance.choice (
                    (other, b'0', b'18446744073709551615', b'$', b'#', b'',
                     b'x\x1b', b'\xff'))
    return repaired (bytes (data)) if chance.randrange (4) else bytes (data)

# ---- Commands.

# Commands that write OUT, and the command that reads OUT and writes AGAIN.  `show'
# reads OUT, too.
OUTPUTS = [
    (['merge', '-o', 'OUT'], ['merge', '-o', 'AGAIN']),
    (['merge', '--llvm-only', '-o', 'OUT'],
     ['merge', '--llvm-only', '-o', 'AGAIN']),
    (['merge', '--text', '-o', 'OUT'], ['merge', '--text', '-o', 'AGAIN']),
    (['merge', '--text', '--sparse', '-o', 'OUT'],
     ['merge', '--text', '--sparse', '-o', 'AGAIN']),
    (['merge', '--memprof-version=4', '--profile-format-version=13', '-o',
      'OUT'], ['merge', '--memprof-version=4', '--profile-format-version=13',
               '-o', 'AGAIN']),
    (['convert', '--to=sample', '-o', 'OUT'],
     ['convert', '--to=sample', '-o', 'AGAIN']),
    (['convert', '--to=sample', '--no-vtables', '-o', 'OUT'],
     ['convert', '--to=sample', '-o', 'AGAIN']),
    (['convert', '--to=sample-text', '--no-vtables', '-o', 'OUT'],
     ['convert', '--to=sample-text', '-o', 'AGAIN']),
    (['convert', '--to=sample-binary', '--no-vtables', '-o', 'OUT'],
     ['convert', '--to=sample-binary', '--no-vtables', '-o', 'AGAIN']),
    (['convert', '--to=afdo', '-o', 'OUT'],
     ['convert', '--to=afdo', '-o', 'AGAIN']),
]
MIP_OUTPUTS = [
    (['mip', 'merge', '-o', 'OUT'], ['mip', 'merge', '-o', 'AGAIN']),
    (['mip', 'to-text', '-o', 'OUT'], None),
    (['mip', 'from-text', '-o', 'OUT'], ['mip', 'merge', '-o', 'AGAIN']),
]
PRINTED = [
    ['show'], ['show', '--json'], ['show', '--yaml'], ['show', '--by-field'],
    ['show', '--all-functions', '--counts', '--ic-targets', '--memop-sizes',
     '--show-vtables', '--detailed-summary', '--binary-ids',
     '--temporal-profile-traces'],
    ['report', '-o', '-'], ['export', '--format=folded'],
    ['export', '--format=pprof'], ['export', '--format=speedscope'],
    ['export', '--format=dhat'], ['export', '--format=callgrind'],
    ['export', '--format=csv'], ['export', '--format=json'],
    ['annotate', 'x.c'], ['annotate', '--json', 'x.c'], ['doctor', '--json'],
    ['overlap', 'IN'], ['overlap', '--json', 'IN'], ['diff', 'IN'],
    ['diff', '--json', 'IN'], ['diff', '--html=OUT', 'IN'],
    ['diff', '--format=sarif', 'IN'], ['diff', '--format=gitlab', 'IN'],
    ['advise', '--limit=0', '--min-share=0', '--remarks=REMARKS'],
    ['advise', '--json', '--limit=0', '--min-share=0', '--remarks=REMARKS'],
    ['advise', '--format=sarif', '--limit=0', '--min-share=0'],
    ['advise', '--format=github', '--limit=0', '--min-share=0'],
    ['trend', 'IN'], ['trend', '--json', 'IN'], ['trend', '--html=OUT', 'IN'],
    ['matching', 'IN', 'REMARKS', '.'],
    ['matching', '--json', 'IN', 'REMARKS', '.'],
    ['top', '-n', '1'],
]
# Formats other than JSON itself that are JSON.
JSON_FORMATS = ['--format=' + name
                for name in ('json', 'speedscope', 'dhat', 'sarif', 'gitlab')]
REMARKS = (b'{"remarks":1,"kind":"allocations","unit":"x.c","directory":"/",'
           b'"output":"x.o"}\n'
           b'{"unit":"x.c","function":"f","file":"x.c","line":3,"column":1,'
           b'"allocator":"malloc","outcome":"hinted",'
           b'"hint":"cold","contexts":1,"count":1,"bytes":8}\n')
MIP_PRINTED = [
    ['mip', 'show'], ['mip', 'show', '--json'], ['mip', 'covered'],
    ['mip', 'uncovered'], ['mip', 'info'], ['mip', 'edges', '--dot'],
    ['mip', 'edges', '--json'], ['mip', 'order'],
    ['mip', 'order', '--format=json'], ['mip', 'diff', 'IN'],
]

# A map and the raw file of its program.  `.' stands for no further operand.
MAP_OUTPUTS = [
    (['mip', 'create', '-o', 'OUT'], ['mip', 'merge', '-o', 'AGAIN']),
    (['mip', 'merge', '--strict', '-o', 'OUT', 'IN', 'RUNS', '.'],
     ['mip', 'merge', '-o', 'AGAIN']),
]
RUN_OUTPUTS = [
    (['mip', 'merge', '--strict', '-o', 'OUT', 'MAP', 'IN', '.'],
     ['mip', 'merge', '-o', 'AGAIN']),
]

class Broken (Exception):
    pass

runs = 0

# Run WORDS with a time limit.
def run (words):
    global runs
    runs += 1
    try:
        return subprocess.run (words, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        raise Broken ('%s takes more than %d s' % (words, LIMIT_SECONDS))

def remove (*paths):
    for path in paths:
        if os.path.exists (path):
            os.remove (path)

# Run heapprof-gcov with WORDS and the file PATH.
def gcov (words, path):
    before = set (os.listdir ())
    named = {'IN': path, 'RUNS': SEEDS + '/mip-raw/images',
             'MAP': SEEDS + '/mip-map-file/map'}
    words = [named.get (w, w) for w in words]
    if words[-1] == '.':
        words.pop ()
    else:
        words.append (path)
    done = run ([TOOL, *words])
    name = ' '.join (words)
    lines = done.stderr.decode ('utf-8', 'strict').splitlines ()
    errors = [l for l in lines if not re.match (
        'heapprof-gcov: (warning|note): ', l)]
    # Status 1 of `mip merge' can mean that a file was left out.
    if done.returncode == 1 and not errors and words[:2] == ['mip', 'merge']:
        errors = [l for l in lines if l.endswith ('; left out')][:1]
    if done.returncode not in (0, 1):
        raise Broken ('%s: status %d: %s' % (name, done.returncode,
                                             done.stderr[-1500:]))
    if words[0] != 'doctor' and (
        len (errors) != done.returncode
        or not all (l.startswith ('heapprof-gcov: ') for l in errors)):
        raise Broken ('%s: status %d and %d errors: %s' % (
            name, done.returncode, len (errors), done.stderr[-500:]))
    if (done.returncode == 1 and words[0] != 'doctor'
        and not any (w in errors[0] for w in (path, *named.values (), 'x.c', 'OUT',
                                               'AGAIN'))):
        raise Broken ('%s: names no file: %s' % (name, errors[0]))
    left = set (os.listdir ()) - before
    if left - ({'OUT', 'AGAIN'} if done.returncode == 0 else set ()):
        raise Broken ('%s: leaves %s' % (name, left))
    if '--json' in words or any (w in JSON_FORMATS for w in words):
        if done.returncode == 0:
            json.loads (done.stdout)
    return done

# Check the output of WORDS for PATH; AGAIN are the words that write it again.
def check_output (words, again, path, is_mip):
    remove ('OUT', 'AGAIN')
    if gcov (words, path).returncode != 0:
        return
    name = ' '.join (words)
    if not os.path.exists ('OUT'):
        raise Broken ('%s: writes nothing' % name)
    if again is None:
        again = ['mip', 'from-text', '-o', 'AGAIN']
        if gcov (again, 'OUT').returncode != 0:
            raise Broken ('%s: is not read back' % name)
        return
    show = gcov (['mip', 'info'] if is_mip else ['show'], 'OUT')
    if show.returncode != 0:
        raise Broken ('%s: show refuses it: %s' % (name, show.stderr))
    second = gcov (again, 'OUT')
    if second.returncode != 0:
        raise Broken ('%s: is not written again: %s' % (name, second.stderr))
    with open ('OUT', 'rb') as one, open ('AGAIN', 'rb') as other:
        first_bytes, second_bytes = one.read (), other.read ()
    if first_bytes != second_bytes:
        os.replace ('AGAIN', 'OUT')
        # A name may lose a suffix whenever it is read.
        gcov (again, 'OUT')
        with open ('AGAIN', 'rb') as other:
            if other.read () != second_bytes:
                raise Broken ('%s: is not stable' % name)
    if LLVM and not is_mip:
        check_llvm (words, name)

# Check that llvm-profdata reads OUT, unless its version is too new.
def check_llvm (words, name):
    kind = []
    if 'convert' in words or first_is_samples ():
        kind = ['--sample']
    # LLVM 22 is the first to support version 13, and virtual tables in samples.
    if ('--to=afdo' in words or '--profile-format-version=13' in words
        or (kind and '--no-vtables' not in words)):
        return
    with open ('OUT', 'rb') as file:
        # Since LLVM 20.
        if b':instrument_loop_entries' in file.read ():
            return
    done = run ([LLVM, 'show', *kind, 'OUT'])
    if done.returncode != 0:
        raise Broken ('%s: LLVM: %s' % (name, done.stderr[-300:]))

def first_is_samples ():
    return b'amples' in run ([TOOL, 'merge', '-o', '/dev/null',
                              'OUT']).stderr or run (
        [TOOL, 'show', '--json', 'OUT']).stderr.endswith (
            b'samples cannot be printed as JSON\n')

def check_file (path):
    with open (path, 'rb') as file:
        begin = file.read (8)
    if begin[:4] == b'\x89HPM' or begin == b'machine-':
        printed = MIP_PRINTED
        outputs = {77: MAP_OUTPUTS, 82: RUN_OUTPUTS}.get (begin[4],
                                                          MIP_OUTPUTS)
    else:
        printed, outputs = PRINTED, OUTPUTS
    for words in printed:
        gcov (words, path)
    for words, again in outputs:
        check_output (words, again, path, printed is MIP_PRINTED)

# ---- All files.

HAVE_CHECKSUMS = ('indexed', 'raw', 'mip', 'mip-map-file', 'mip-raw')

def seeds (folder):
    for kind in sorted (os.listdir (folder)):
        # Parts of files, and inputs of other commands.
        if kind in ('mip-map', 'gcov-section', 'perf-data', 'perf-dump',
                    'perf-script'):
            continue
        for name in sorted (os.listdir (os.path.join (folder, kind))):
            with open (os.path.join (folder, kind, name), 'rb') as file:
                data = file.read ()
            if kind in HAVE_CHECKSUMS and not name.startswith ('finding-'):
                assert repaired (data) == data, name
            yield '%s/%s' % (kind, name), data

def check_all (files):
    broken = count = 0
    for name, data in files:
        count += 1
        with open ('IN.profile', 'wb') as file:
            file.write (data)
        try:
            check_file ('IN.profile')
        except (Broken, ValueError) as error:
            broken += 1
            with open ('failed-%d' % broken, 'wb') as file:
                file.write (data)
            print ('BROKEN: %s (failed-%d): %s' % (name, broken, error),
                   flush=True)
    remove ('IN.profile', 'OUT', 'AGAIN')
    print ('%d files, %d commands, %d broken' % (count, runs, broken))
    return broken

def variants (folder, number, first, seconds):
    files = list (seeds (folder))
    end = time.time () + seconds
    for i in range (first, first + number):
        if time.time () > end:
            return
        chance = random.Random (i)
        name, data = chance.choice (files)
        yield 'variant %d of %s' % (i, name), damaged (data, chance)

def main ():
    global TOOL, SEEDS
    TOOL = os.path.abspath (sys.argv[1])
    SEEDS = folder = os.path.abspath (sys.argv[2])
    options = dict (a[2:].split ('=') for a in sys.argv[3:] if '=' in a)
    with open ('REMARKS', 'wb') as file:
        file.write (REMARKS)
    files = itertools.chain (
        EMPTY.items () if '--empty' in sys.argv else (),
        seeds (folder) if '--seeds' in sys.argv else (),
        variants (folder, int (options.get ('number', 0)),
                  int (options.get ('first', 0)),
                  float (options.get ('seconds', 1e9))))
    sys.exit (check_all (files) > 0)

main ()
