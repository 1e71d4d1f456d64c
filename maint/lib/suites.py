# Existing programs: those of this tree, and one for each feature.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
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


def language_of_all(sources):
    """The language of the compiler that links SOURCES."""
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


# The options for the program of each feature.
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

# Options that work with the plugin, or are rejected: the error of each mode.
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
