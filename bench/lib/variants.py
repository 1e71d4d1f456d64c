# The ways to run a program: plain, and under each profiler.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A variant defines how to compile the bench's own workloads, which words precede
# the command that runs a program, where raw files go, and how they are processed.
# A name with a suffix, such as heapprof-O3, is a variant of the same kind whose
# commands come from a list file.

import os
import shlex
import tools as toolbox


class Variant:
    """The plain program, and the base class of all variants."""
    name = 'plain'
    needs = None            # what to install if it is missing
    own_program = True      # False: it runs the plain program

    def __init__(self, tools):
        self.tools = tools

    def is_absent(self):
        """Why the bench's own workloads cannot be run, or None."""
        return None

    def compiler(self, language, level='-O2'):
        """The compiler and its options, as a list."""
        return [self.tools.gcc[language], level, '-g']

    def environment(self, raw):
        """Variables to set, for raw files in the folder RAW."""
        del raw
        return {}

    def prefix(self, raw):
        """Words before the command."""
        del raw
        return []

    def processing(self, program, files, output):
        """The command that makes a profile from the raw FILES of PROGRAM."""
        del program, files, output
        return None


class Heapprof(Variant):
    name = 'heapprof'
    needs = 'heapprof (--heapprof=FOLDER)'

    def is_absent(self):
        return None if self.tools.wrapper('c') else self.needs

    def compiler(self, language, level='-O2'):
        return [self.tools.wrapper(language), level, '-g']

    def environment(self, raw):
        options = os.environ.get('HEAPPROF_OPTIONS', '')
        file = 'file=' + os.path.join(raw, '%n.%p.hpraw')
        return {'HEAPPROF_OPTIONS': f'{options}:{file}'.lstrip(':')}

    def processing(self, program, files, output):
        if self.tools.heapprof_gcov is None:
            return None
        return [self.tools.heapprof_gcov, 'merge', '-o', output] + files


class Off(Heapprof):
    """The same program, with its profile switched off."""
    name = 'heapprof-off'

    def environment(self, raw):
        del raw
        return {'HEAPPROF_OPTIONS': 'enabled=0'}

    def processing(self, program, files, output):
        del program, files, output
        return None


class Sampling(Heapprof):
    """The same program, with a sample of its blocks: one in 512 KiB."""
    name = 'heapprof-sample'

    def environment(self, raw):
        variables = super().environment(raw)
        variables['HEAPPROF_OPTIONS'] += ':sample=512k'
        return variables


class Uncoalesced(Heapprof):
    name = 'heapprof-uncoalesced'

    def is_absent(self):
        return super().is_absent() or self.tools.lacks_coalescing()

    def compiler(self, language, level='-O2'):
        return super().compiler(language, level) + toolbox.COALESCE_OFF_FLAGS


class TotalsOnly(Heapprof):
    name = 'heapprof-totals'

    def compiler(self, language, level='-O2'):
        return super().compiler(language, level) + toolbox.TOTALS_ONLY_FLAGS


class ClangPlain(Variant):
    name = 'clangplain'
    needs = f'clang-{toolbox.CLANG_VERSION}'

    def is_absent(self):
        return None if self.tools.clang['c'] else self.needs

    def compiler(self, language, level='-O2'):
        return [self.tools.clang[language], level, '-g']


class Memprof(ClangPlain):
    name = 'memprof'
    needs = (f'clang-{toolbox.CLANG_VERSION}, llvm-{toolbox.CLANG_VERSION} and '
             f'libclang-rt-{toolbox.CLANG_VERSION}-dev')

    def is_absent(self):
        there = self.tools.clang['c'] and self.tools.llvm_profdata
        return None if there else self.needs

    def compiler(self, language, level='-O2'):
        return [self.tools.clang[language], level] + toolbox.MEMPROF_FLAGS

    def environment(self, raw):
        options = os.environ.get('MEMPROF_OPTIONS', '')
        file = 'log_path=' + os.path.join(raw, 'memprof')
        return {'MEMPROF_OPTIONS': f'{options}:{file}'.lstrip(':')}

    def processing(self, program, files, output):
        if self.tools.llvm_profdata is None or program is None:
            return None
        return [self.tools.llvm_profdata, 'merge',
                '--profiled-binary=' + program, '-o', output] + files


class Heaptrack(Variant):
    """The program without the interpreter, which runs in a separate process and
    has its own row (runner.py)."""
    name = 'heaptrack'
    needs = 'heaptrack'
    own_program = False

    def is_absent(self):
        return None if self.tools.heaptrack else self.needs

    def pipe(self, raw):
        return os.path.join(os.path.dirname(raw), 'heaptrack.pipe')

    def prefix(self, raw):
        return ['env', 'LD_PRELOAD=' + self.tools.heaptrack.preload,
                'DUMP_HEAPTRACK_OUTPUT=' + self.pipe(raw)]

    def helper(self, raw):
        """The shell command that reads the pipe."""
        heaptrack = self.tools.heaptrack
        return (f'{shlex.quote(heaptrack.interpreter)} '
                f'< {shlex.quote(self.pipe(raw))} '
                f'| {heaptrack.compressor} -c '
                f'> {shlex.quote(os.path.join(raw, "heaptrack.data"))}')

    def processing(self, program, files, output):
        suffix = '.zst' if self.tools.heaptrack.compressor == 'zstd' else '.gz'
        named = files[0] + suffix
        return ['sh', '-c', 'mv "$0" "$1" && exec "$2" -f "$1" > "$3"',
                files[0], named, self.tools.heaptrack.print, output]


class Dhat(Variant):
    name = 'dhat'
    needs = 'valgrind'
    own_program = False

    def is_absent(self):
        return None if self.tools.valgrind else self.needs

    def prefix(self, raw):
        return [self.tools.valgrind, '--tool=dhat', '-q',
                '--dhat-out-file=' + os.path.join(raw, 'dhat.%p')]


class Gperftools(Variant):
    name = 'gperftools'
    needs = 'libgoogle-perftools4'
    own_program = False

    def is_absent(self):
        return None if self.tools.tcmalloc else self.needs

    def prefix(self, raw):
        return ['env', 'LD_PRELOAD=' + self.tools.tcmalloc,
                'HEAPPROFILE=' + os.path.join(raw, 'gperftools')]


class Jemalloc(Variant):
    """jemalloc's own profiler, with a sample in 512 KiB, which is its default.
    Distributions may build jemalloc without it: it then says nothing, and
    leaves no file."""
    name = 'jemalloc'
    needs = 'libjemalloc2'
    own_program = False

    def is_absent(self):
        return None if self.tools.jemalloc else self.needs

    def prefix(self, raw):
        return ['env', 'LD_PRELOAD=' + self.tools.jemalloc,
                'MALLOC_CONF=prof:true,prof_final:true,prof_prefix:'
                + os.path.join(raw, 'jemalloc')]


KINDS = (Variant, Heapprof, Off, Sampling, Uncoalesced, TotalsOnly, ClangPlain,
         Memprof, Heaptrack, Dhat, Gperftools, Jemalloc)
DEFAULT = ('plain', 'heapprof', 'memprof', 'heaptrack')


def names():
    return [kind.name for kind in KINDS]


def make(name, tools):
    """The variant NAME.  If the name is unknown, use the kind named before its
    first `-', or else plain."""
    kinds = {kind.name: kind for kind in KINDS}
    kind = kinds.get(name) or kinds.get(name.split('-')[0], Variant)
    variant = kind(tools)
    variant.name = name
    return variant
