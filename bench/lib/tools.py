# The compilers and tools to measure, and why one is missing.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import shutil

from process import Failure, check

# The options that LLVM recommends for its heap profiler: enough debug information
# for frames, frame pointers everywhere, no tail calls.
MEMPROF_FLAGS = ['-gmlt', '-fdebug-info-for-profiling',
                 '-fno-omit-frame-pointer', '-mno-omit-leaf-frame-pointer',
                 '-fno-optimize-sibling-calls', '-fmemory-profile']

# Count each access separately, for comparison with coalesced counting.
COALESCE_OFF_FLAGS = ['-fplugin-arg-heapprof-coalesce=none']
TOTALS_ONLY_FLAGS = ['-fplugin-arg-heapprof-totals-only']

CLANG_VERSION = '19'


class Tools:
    """Paths of compilers and tools; None for those that are missing."""

    def __init__(self, heapprof):
        self.gcc = {'c': os.environ.get('CC', 'gcc'),
                    'c++': os.environ.get('CXX', 'g++')}
        self.clang = {'c': shutil.which(f'clang-{CLANG_VERSION}'),
                      'c++': shutil.which(f'clang++-{CLANG_VERSION}')}
        self.llvm_profdata = shutil.which(f'llvm-profdata-{CLANG_VERSION}')
        self.heaptrack = find_heaptrack()
        self.valgrind = shutil.which('valgrind')
        self.tcmalloc = find_library('libtcmalloc.so.4')
        self.jemalloc = find_library('libjemalloc.so.2')
        self.heapprof_bin, self.heapprof_gcov = find_heapprof(heapprof)

    def wrapper(self, language):
        """heapprof's compiler for LANGUAGE, or None."""
        if self.heapprof_bin is None:
            return None
        name = 'heapprof-' + os.path.basename(self.gcc[language])
        return shutil.which(name, path=self.heapprof_bin)

    def lacks_coalescing(self):
        """Why coalesced counting cannot be switched off, or None."""
        try:
            check([self.wrapper('c'), *COALESCE_OFF_FLAGS, '-x', 'c', '-c',
                   '-o', os.devnull, os.devnull], 'switching coalescing off')
        except Failure as failure:
            return str(failure)
        return None

    def versions(self, names):
        """A line for each of the variants NAMES: what was measured."""
        tools = {'plain': self.gcc['c'], 'heapprof': self.heapprof_gcov,
                 'memprof': self.clang['c'], 'clangplain': self.clang['c'],
                 'heaptrack': self.heaptrack and self.heaptrack.command,
                 'dhat': self.valgrind}
        return [f'{name}: ' + check([tools[name], '--version'],
                                    name).splitlines()[0].strip()
                for name in names if tools.get(name)]


class Heaptrack:
    """The parts of an installed heaptrack.  Its script runs the profiled
    program together with an interpreter of the recorded data; here they are
    started separately, so that each can be measured."""

    def __init__(self, command):
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(command)))
        folder = os.path.join(prefix, 'lib', 'heaptrack')
        self.command = command
        self.preload = os.path.join(folder, 'libheaptrack_preload.so')
        self.interpreter = os.path.join(folder, 'libexec',
                                        'heaptrack_interpret')
        self.print = shutil.which('heaptrack_print')
        self.compressor = 'zstd' if shutil.which('zstd') else 'gzip'

    def is_whole(self):
        return self.print is not None and os.path.exists(self.preload) \
            and os.path.exists(self.interpreter)


def find_heaptrack():
    command = shutil.which('heaptrack')
    if command is None:
        return None
    heaptrack = Heaptrack(command)
    return heaptrack if heaptrack.is_whole() else None


def find_library(name):
    for folder in ('/usr/lib/x86_64-linux-gnu', '/usr/lib64', '/usr/lib',
                   '/usr/local/lib'):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return path
    return None


def find_heapprof(prefix):
    """The folder of the wrappers and the path of heapprof-gcov, in the build
    folder or installation PREFIX, or found in PATH if it is None."""
    if prefix is None:
        gcov = shutil.which('heapprof-gcov')
        return (os.path.dirname(gcov), gcov) if gcov else (None, None)
    prefix = os.path.abspath(prefix)
    for wrappers, gcov in (('wrappers/bin', 'heapprof-gcov'),
                           ('bin', 'bin/heapprof-gcov')):
        if os.path.exists(os.path.join(prefix, gcov)):
            return os.path.join(prefix, wrappers), os.path.join(prefix, gcov)
    raise Failure(f'{prefix}: neither a build folder nor an installation of '
                  'heapprof')
