# GCC's run tests, with the options with which GCC's own drivers would compile them.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import re
from typing import NamedTuple

import dejagnu

TESTSUITE = os.path.join('gcc', 'testsuite')
# The folders whose programs are run by default, in this order.
FOLDERS = ('gcc.c-torture/execute', 'gcc.dg/torture', 'g++.dg', 'gfortran.dg')
# Other folders that --folders accepts.
MORE_FOLDERS = ('gcc.dg', 'c-c++-common')
LANGUAGES = {'.c': 'c', '.C': 'c++', '.cc': 'c++', '.f': 'fortran',
             '.f90': 'fortran', '.f95': 'fortran', '.f03': 'fortran',
             '.f08': 'fortran', '.F': 'fortran', '.F90': 'fortran',
             '.F95': 'fortran', '.F03': 'fortran', '.F08': 'fortran',
             '.for': 'fortran'}
# Options that the drivers of folders add to their tests; those in the second column
# only to tests without dg-options.
DRIVERS = (
    ('gcc.c-torture/execute/ieee/', '-w -fno-inline', ''),
    ('gcc.c-torture/execute/builtins/',
     '-w -fno-tree-dse -fno-tree-loop-distribute-patterns -fno-tracer'
     ' -fno-ipa-ra -fno-inline-functions', ''),
    ('gcc.c-torture/execute/', '-w', ''),
    ('g++.dg/gomp/', '', '-fopenmp'),
    ('g++.dg/goacc/', '-fopenacc', ''),
    ('g++.dg/goacc-gomp/', '-fopenacc -fopenmp', ''),
    ('g++.dg/tm/', '', '-fgnu-tm'),
    ('g++.dg/coroutines/', '-std=c++20 -fcoroutines', ''),
    ('g++.dg/asan/', '-fsanitize=address', ''),
    ('g++.dg/tsan/', '-fsanitize=thread', ''),
    ('g++.dg/hwasan/', '-fsanitize=hwaddress', ''),
    ('g++.dg/ubsan/', '', '-fsanitize=undefined'),
    ('g++.dg/vect/', '-ftree-vectorize -fno-vect-cost-model', ''),
    ('g++.dg/guality/', '-g', ''),
    ('g++.dg/simulate-thread/', '-g', ''),
    ('gfortran.dg/gomp/', '', '-fopenmp'),
    ('gfortran.dg/goacc/', '-fopenacc', ''),
    ('gfortran.dg/goacc-gomp/', '-fopenacc -fopenmp', ''),
    ('gfortran.dg/coarray/', '-fcoarray=single', ''),
    ('gfortran.dg/vect/', '-ftree-vectorize -fno-vect-cost-model', ''),
    ('gfortran.dg/asan/', '-fsanitize=address', ''),
    ('gfortran.dg/ubsan/', '', '-fsanitize=undefined'),
    ('gfortran.dg/graphite/', '-ffast-math', ''),
    ('gfortran.dg/ieee/', '', '-fno-unsafe-math-optimizations -frounding-math'
     ' -fsignaling-nans'),
    ('gcc.dg/torture/tls/', '', ''),
)
# Folders whose tests are programs by default.
RUNS_UNASKED = re.compile(r'gcc\.c-torture/execute/')
RUN = re.compile(r'dg-do[ \t]+run')
# Options that c-torture's Tcl file next to a test adds on this machine.
EXTRA_FLAGS = re.compile(r'^\s*lappend additional_flags ((?:"[^"]*"\s*)+)$',
                         re.M)


class Test(NamedTuple):
    """A run test of GCC."""
    name: str               # its path below gcc/testsuite
    folder: str             # its folder, one of FOLDERS
    language: str           # of the compiler that links it
    sources: tuple          # paths
    modules: tuple          # sources that are compiled but not linked
    flags: tuple
    fails: bool             # must end with an error
    environment: dict


def read_text(path):
    with open(path, encoding='latin-1') as file:
        return file.read()


def driver_flags(name, has_options):
    for prefix, always, default in DRIVERS:
        if name.startswith(prefix):
            return always.split() + ([] if has_options else default.split())
    return []


def flags_beside(path):
    """The options in the file NAME.x next to the C source PATH."""
    beside = os.path.splitext(path)[0] + '.x'
    if not os.path.exists(beside):
        return []
    # Options inside conditions are for other machines.
    return [word.strip('"') for found in EXTRA_FLAGS.findall(
        re.sub(r'^if.*?^\}', '', read_text(beside), flags=re.M | re.S))
        for word in found.split()]


def flags_of(path, text):
    """The options of the test TEXT at PATH, which may be any kind of test."""
    directives = dejagnu.read(text)
    flags = driver_flags(path.rpartition(TESTSUITE + '/')[2],
                         directives.has_options)
    flags += [*flags_beside(path), *directives.flags]
    if LANGUAGES.get(os.path.splitext(path)[1]) == 'c++' \
            and directives.dialect \
            and not any(flag.startswith('-std') for flag in flags):
        flags.append(directives.dialect)
    return flags


def builtin_sources(path):
    """The sources of a test in c-torture's folder builtins."""
    return (path, path[:-2] + '-lib.c',
            os.path.join(os.path.dirname(path), 'lib', 'main.c'))


def is_program(name, directives):
    if RUNS_UNASKED.match(name):
        if '/builtins/' in name and (name.endswith('-lib.c')
                                     or '/lib/' in name):
            return False
        return not directives.compile_only
    return directives.run


def test_of(root, name, folder):
    """The Test NAME below the folder ROOT, or None if it is not a run test."""
    path = os.path.join(root, name)
    text = read_text(path)
    if not RUNS_UNASKED.match(name) and not RUN.search(text):
        return None
    directives = dejagnu.read(text)
    if not is_program(name, directives):
        return None
    language = LANGUAGES[os.path.splitext(name)[1]]
    beside = os.path.dirname(path)
    sources = (path, *(os.path.join(beside, source)
                       for source in directives.sources))
    if '/builtins/' in name:
        sources = builtin_sources(path)
    modules = tuple(os.path.join(beside, module)
                    for module in directives.modules)
    return Test(name, folder, language, sources, modules,
                tuple(flags_of(path, text)),
                directives.fails, directives.environment)


def find_tests(source, folders):
    """The run tests in FOLDERS of GCC's source folder SOURCE, in the order of
    FOLDERS."""
    root = os.path.join(source, TESTSUITE)
    for folder in folders:
        for path, folders_inside, names in os.walk(os.path.join(root, folder)):
            folders_inside.sort()
            for name in sorted(names):
                if os.path.splitext(name)[1] not in LANGUAGES:
                    continue
                test = test_of(root, os.path.relpath(os.path.join(path, name),
                                                     root), folder)
                if test:
                    yield test
