# Programs that exist: this tree's, one for each feature, the tests of GCC.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import re
import sys

from program import Program, language_of

BENCH_LIB = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))), 'bench', 'lib')
sys.path.insert(0, BENCH_LIB)

import programs as bench        # noqa: E402

# Programs of the testsuite whose output is always the same: sources, flags,
# arguments.
TREE = (
    ('heapprof.run', ('behaviour.c',), ('-fno-builtin',), ()),
    ('heapprof.run', ('contexts.c',), ('-fno-builtin',), ()),
    ('heapprof.run', ('faults.c',), (), ()),
    ('heapprof.run', ('many.c',), ('-fno-builtin',), ('5',)),
    ('heapprof.run', ('operators.cc',), ('-std=c++17',), ()),
    ('heapprof.run', ('replaced.cc',), ('-std=c++17',), ()),
    ('heapprof.run', ('sites.c',), ('-fno-builtin',), ()),
    ('heapprof.run', ('threads.c',), (), ()),
    ('heapprof.tools', ('calls.c',), (), ()),
    ('heapprof.tools', ('frames.cc',), ('-std=c++17',), ()),
    ('heapprof.tools', ('gcov-law-main.cc', 'gcov-law-twice.cc',
                        'gcov-law-work.c', 'gcov-law-never.c'), (), ()),
    ('heapprof.tools', ('gcov-samples.c',), (), ()),
    ('heapprof.tools', ('gcov-shapes.cc',), (), ()),
    ('heapprof.tools', ('gcov-work.c', 'gcov-other.c'), (), ()),
    ('heapprof.tools', ('names.cc', 'names-other.cc'), (), ()),
    ('heapprof.plugin', ('profile-use-main.cc', 'profile-use-other.cc'), (),
     ()),
    ('heapprof.rfc', ('x.cc',), (), ()),
    ('heapprof.peers', ('memprof.cc',), (), ()),
)


class Absent(Exception):
    """What is not there."""


def language_of_all(sources):
    """The language whose compiler links the SOURCES."""
    return 'c++' if any(language_of(source) == 'c++' for source in sources) \
        else 'c'


def tree_programs(top):
    tests = os.path.join(top, 'testsuite')
    truth = os.path.join(tests, 'heapprof.truth')
    listed = [('heapprof.truth', (name,), ('-std=c++17',)
               if name.endswith('.cc') else (), ())
              for name in sorted(os.listdir(truth))
              if name.endswith(('.c', '.cc'))]
    for folder, sources, flags, arguments in (*listed, *TREE):
        paths = tuple(os.path.join(tests, folder, name) for name in sources)
        yield Program(f'{folder}/{sources[0]}', 'tree', language_of_all(paths),
                      paths, ('-pthread', *flags), arguments)
    for workload in bench.OWN:
        language = language_of(workload.source)
        yield Program(f'workloads/{workload.name}', 'tree', language,
                      (os.path.join(bench.WORKLOADS, workload.source),),
                      tuple(bench.LANGUAGE_FLAGS[language]),
                      tuple(workload.arguments['tiny'].split()))


# What a feature's program is compiled with.
FEATURES = (
    ('exceptions.cc', ('-pthread',)),
    ('exceptions.cc', ('-pthread', '-fnon-call-exceptions')),
    ('coroutines.cc', ('-std=c++20', '-fcoroutines')),
    ('shapes.cc', ()),
    ('shapes.cc', ('-fPIC', '-fvisibility=hidden')),
    ('nested.c', ()),
    ('vectors.c', ()),
    ('vectors.c', ('-ftree-vectorize', '-mavx2')),
    ('openmp.c', ('-fopenmp',)),
    ('atomics.c', ('-pthread',)),
    ('jumps.c', ()),
    ('transactions.c', ('-fgnu-tm',)),
)

# Options that go with the plugin, or are refused: what is in the error of which
# mode.
REFUSED = {'generate': 'cannot be used with', 'generate-use':
           'cannot be used with'}
EXTRAS = (
    (('-fsanitize=address',), REFUSED),
    (('-fsanitize=thread',), REFUSED),
    (('-fsanitize=undefined', '-fno-sanitize-recover'), {}),
    (('-fsanitize=leak',), {}),
    (('-fprofile-generate',), {}),
    (('--coverage',), {}),
    (('-fprofile-arcs', '-fprofile-update=atomic'), {}),
    (('-fcf-protection=full',), {}),
    (('-fstack-protector-all', '-D_FORTIFY_SOURCE=2'), {}),
    (('-fstack-clash-protection',), {}),
    (('-fsplit-stack',), {}),
    (('-pg',), {}),
    (('-finstrument-functions',), {}),
    (('-ftrapv',), {}),
    (('-fwrapv', '-fno-strict-aliasing'), {}),
    (('-fno-exceptions',), {}),
    (('-ffunction-sections', '-fdata-sections', '-Wl,--gc-sections'), {}),
    (('-static',), {}),
    (('-fno-plt', '-no-pie'), {}),
    (('-march=x86-64-v3',), {}),
    (('-gsplit-dwarf',), {}),
    (('-g0',), {}),
)


def feature_programs(folder):
    for source, flags in FEATURES:
        yield Program(' '.join((source, *flags)), 'features',
                      language_of(source), (os.path.join(folder, source),),
                      flags)
    for extra, refused in EXTRAS:
        for source in ('jumps.c', 'shapes.cc'):
            yield Program(' '.join((source, *extra)), 'features',
                          language_of(source), (os.path.join(folder, source),),
                          extra=extra, refused=refused)


GCC_FOLDERS = ('gcc/testsuite/gcc.c-torture/execute', 'gcc/testsuite/gcc.dg',
               'gcc/testsuite/g++.dg', 'gcc/testsuite/g++.old-deja',
               'gcc/testsuite/c-c++-common', 'libgomp/testsuite/libgomp.c',
               'libgomp/testsuite/libgomp.c++',
               'libgomp/testsuite/libgomp.c-c++-common',
               'libitm/testsuite/libitm.c', 'libitm/testsuite/libitm.c++')
# Folders whose tests run unless they say something else.
RUN_UNASKED = ('/execute/', '/libgomp.', '/libitm.', '/g++.old-deja/')
# Tests of the compiler's own reports, plugins and interfaces, that need other
# files, or that calls take no stack (-foptimize-sibling-calls).
NOT_PROGRAMS = ('/builtins/', '/plugin/', '/guality/', '/lto/', '/compat/',
                '/modules/', '/pch/', '/special/', '/tree-prof/', '/gcov/',
                '/debug/', '/simulate-thread/', '/asan/', '/tsan/', '/bprob/',
                '/analyzer/', '/vect/costmodel/', '/sibcall-')
# What a test does with options is not followed in full: options for a level of
# optimization or for dumps are not taken, and those for certain machines.
OPTIONS = re.compile(r'\{\s*dg-(?:additional-)?options\s+'
                     r'(?:"([^"]*)"|\{([^}]*)\})\s*\}')
UNWANTED = re.compile(r'-(O.*|fdump.*|save-temps.*|flto.*|g.*|fopt-info.*'
                      r'|fprofile.*|pg|da?|fcompare.*)$')


def gcc_flags(path, text):
    """The options of the test TEXT."""
    flags = []
    for plain, braced in OPTIONS.findall(text):
        flags += [word for word in (plain or braced).split()
                  if not UNWANTED.match(word)]
    dialect = re.search(r'target\s+c\+\+(\d\d)', text)
    if dialect and not any(word.startswith('-std') for word in flags):
        flags.insert(0, f'-std=gnu++{dialect[1]}')
    if '/coroutines/' in path:
        flags += ['-std=c++20', '-fcoroutines']
    if '/libgomp' in path or '/gomp/' in path:
        flags.append('-fopenmp')
    if '/libitm' in path or '/tm/' in path:
        flags.append('-fgnu-tm')
    if 'pthread' in text:
        flags.append('-pthread')
    return tuple(flags)


def is_program(path, text):
    found = re.search(r'dg-do\s+(\w+)', text)
    if found:
        return found[1] == 'run'
    return any(part in path for part in RUN_UNASKED)


def gcc_programs(source):
    """The tests of GCC in the source folder SOURCE that are programs.  Whether
    they are for this machine shows when they run without the plugin."""
    if source is None or not os.path.isdir(source):
        raise Absent('the suite gcc needs --gcc-source=FOLDER, a source folder'
                     ' of GCC')
    found = False
    for folder in GCC_FOLDERS:
        for path, _, names in sorted(os.walk(os.path.join(source, folder))):
            for name in sorted(names):
                full = os.path.join(path, name)
                if not name.endswith(('.c', '.C', '.cc')) \
                        or any(part in full for part in NOT_PROGRAMS):
                    continue
                with open(full, encoding='latin-1') as file:
                    text = file.read()
                if not is_program(full, text):
                    continue
                found = True
                # Files that belong to it have extra directives.
                if 'dg-additional-sources' in text:
                    continue
                flags = ('-w', '-I' + path, *gcc_flags(full, text))
                yield from gcc_program(source, full, flags)
    if not found:
        raise Absent(f'{source}: no tests of GCC')


def gcc_program(source, path, flags):
    """The test PATH, in C and in C++ where it is both."""
    languages = ('c', 'c++') if '/c-c++-common/' in path \
        or 'libgomp.c-c++-common' in path else (language_of(path),)
    for language in languages:
        more = ('-x', 'c++') if language == 'c++' and path.endswith('.c') \
            else ()
        name = os.path.relpath(path, source) + (' c++' if more else '')
        yield Program(name, 'gcc', language, (path,), (*flags, *more),
                      checks_itself=True)
