# The ways to compile a program with the plugin, each compared with the plain
# program.
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os
import re
import shutil

import profiles
from program import RUN_S, Runner

COMPILE_S = 60
# CPU seconds for a program that is slower than the plain one.
PROFILED_RUN_S = 300
WARNING = re.compile(r'^.*\bwarning: .*\bnot used\b.*$|^.*\bwarning: .*'
                     r'\bcalls found\b.*$', re.M)
CLONE = re.compile(rb'\.heapprof\.\d+\0')
# Functions that allocate, or that a library calls to allocate.
ALLOCATORS = re.compile(r'\b(\w*alloc\w*|\w*memalign|\w*dup|_Zn[aw]\w*|fopen'
                        r'|getline)(@|$)', re.M)
# Functions that allocate when they print to standard output.
PRINTERS = re.compile(r'\b(\w*put\w*|\w*printf\w*)(@|$)', re.M)
TELL_ALLOCATIONS = os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), 'torture-programs', 'tell-allocations.c')
CRASH = 'internal compiler error'
# Also distinguish contexts of short-lived blocks, and clone as many functions as
# necessary.
SPLIT = ['-fplugin-arg-heapprof-use-cold-lifetime=0',
         '-fplugin-arg-heapprof-use-max-growth=10000']
PLACE = ['-fplugin-arg-heapprof-use-groups=1',
         '-fplugin-arg-heapprof-use-max-growth=10000']
# With these, gcc's own -fprofile-use makes programs that abort.
COUNTING = ('-fprofile-generate', '-fprofile-arcs', '--coverage')
PROFILE_USE = ['-Wno-coverage-mismatch', '-Wno-missing-profile',
               '-fprofile-correction']


class Skip(Exception):
    """Why a case has no result."""


class Fault(Exception):
    """A difference from the plain program."""


class Case:
    """A program with a compiler and its options."""

    def __init__(self, program, major, options, heapprof, folder,
                 plugin_arguments=()):
        self.program = program
        # For another machine, MACHINE-MAJOR, as its folder is named.
        self.major = major
        self.machine = major.rpartition('-')[0]
        self.options = options
        self.heapprof = heapprof
        self.plugin_arguments = plugin_arguments
        self.folder = folder
        self.runner = Runner(folder)
        self.plain = None
        self.clones = 0         # functions cloned by `split' and `place'
        self.seed = f'{program.name} {major} {" ".join(options)}'

    def path(self, name):
        return os.path.join(self.folder, name)

    def compiler(self):
        kind = 'g++' if self.program.language == 'c++' else 'gcc'
        name = f'{kind}-{self.major}'
        if self.machine:
            return f'{self.machine}-{kind}-{self.major.rpartition("-")[2]}'
        # A system may have only one version, under the short name.
        return name if shutil.which(name) else kind

    def compile(self, name, flags, sources=None, wrapper=False, hints=False,
                extra=True):
        """Compile and link to NAME, with heapprof's WRAPPER or plain gcc; return
        the Result.  HINTS: allocations may get hints; EXTRA: add the options under
        test."""
        folder = os.path.join(self.heapprof, '.libs') if not self.machine \
            else os.path.dirname(self.plugin())
        libraries = [f'-L{folder}', f'-Wl,-rpath,{folder}', '-Wl,--as-needed',
                     '-lheaphint'] if hints else []
        command = [self.compiler()]
        if wrapper:
            command = [os.path.join(self.heapprof, 'wrappers', 'bin',
                                    'heapprof-' + command[0])]
        return self.runner.run(
            [*command, *self.options, '-g', *flags, *self.program.flags,
             *(self.program.extra if extra else ()),
             *(sources or self.program.sources), '-o', name, '-lm',
             *libraries], COMPILE_S)

    def compiled(self, name, flags, **more):
        """Do the same, and raise a fault on failure."""
        done = self.compile(name, flags, **more)
        if CRASH in done.errors:
            raise Fault(f'{CRASH}: {line_with(CRASH, done.errors)}')
        if done.status != 0:
            raise Fault(f'does not compile: {line_with("", done.errors)}')
        return done

    def is_refused(self, mode, flags, **more):
        """Whether the options under test must be rejected in MODE; raise a fault
        unless the compiler does so, with one error."""
        text = self.program.refused.get(mode)
        if text is None:
            return False
        done = self.compile(mode, flags, **more)
        if done.status == 0 or text not in done.errors \
                or len(done.errors.strip().splitlines()) != 1:
            raise Fault(f'is not refused: status {done.status}: '
                        f'{line_with("", done.errors)}')
        return True

    def execute(self, name, environment=None, cpu_s=RUN_S):
        return self.runner.run([*self.emulator(), self.path(name),
                                *self.program.arguments], cpu_s, environment)

    def emulator(self):
        """The command that runs programs of another machine, with an address
        space of which it need not describe each page."""
        if not self.machine:
            return []
        return ['qemu-' + self.machine.partition('-')[0], '-R', '16G',
                '-L', '/usr/' + self.machine]

    def compare(self, name, environment=None):
        """Run the program NAME, and compare it with the plain program."""
        done = self.execute(name, environment, PROFILED_RUN_S)
        if done.status != self.plain.status:
            raise Fault(f'status {done.status} instead of {self.plain.status}: '
                        f'{line_with("", done.errors)}')
        if done.output != self.plain.output:
            raise Fault('output differs')

    def use(self, profile, *more):
        """Flags that use the heap profile PROFILE."""
        return [f'-fplugin={self.plugin()}',
                f'-fplugin-arg-heapprof-use={profile}', *more,
                *(f'-fplugin-arg-heapprof-{text}'
                  for text in self.plugin_arguments)]

    def plugin(self):
        return os.path.join(self.heapprof, 'gcc-plugin', self.major,
                            'heapprof.so')

    def gcov(self, *arguments):
        done = self.runner.run([os.path.join(self.heapprof, 'heapprof-gcov'),
                                *arguments], COMPILE_S)
        if done.status != 0:
            raise Fault(f'heapprof-gcov {arguments[0]}: '
                        f'{line_with("", done.errors)}')
        return done.output

    def read_bytes(self, name):
        with open(self.path(name), 'rb') as file:
            return file.read()

    def write_bytes(self, name, octets):
        with open(self.path(name), 'wb') as file:
            file.write(octets)

    def run_plain(self):
        """Compile and run without the plugin, for comparison."""
        if self.program.make and not self.program.make(self.folder):
            raise Skip('cannot be made')
        if self.compile('plain', []).status != 0:
            raise Skip('does not compile without the plugin')
        self.plain = self.execute(
            'plain', cpu_s=RUN_S if self.machine else self.program.plain_s)
        if self.program.checks_itself and self.plain.status != 0:
            raise Skip('fails without the plugin')
        if self.plain.status < 0:
            raise Skip('is ended by a signal without the plugin')
        if self.execute('plain').output != self.plain.output:
            raise Skip('output changes from run to run')

    def may_allocate(self):
        """Whether the plain program calls functions that may allocate."""
        done = self.runner.run(['nm', self.path('plain')], COMPILE_S)
        return (done.status != 0 or ALLOCATORS.search(done.output) is not None
                or (len(self.plain.output) > 0
                    and PRINTERS.search(done.output) is not None))

    def has_profile(self):
        return os.path.exists(self.path('own.profdata'))


def line_with(text, lines):
    """The first line of LINES with an error message."""
    found = [line for line in lines.splitlines() if text in line]
    for word in ('error', ''):
        for line in found:
            if word in line:
                return line.strip()
    return ''


def generate(case):
    """Count accesses, and make the profile for the modes that use one."""
    refused = case.is_refused('generate', [], wrapper=True)
    case.compiled('generate', [], wrapper=True, extra=not refused)
    case.compare('generate', raw_name('own'))
    raw = sorted(glob.glob(case.path('own.*.hpraw')))
    if not raw:
        if not case.may_allocate() or not case.allocates():
            raise Skip('allocates nothing')
        raise Fault('leaves no raw profile')
    case.gcov('merge', '-o', 'own.profdata', *raw)
    yaml = case.gcov('show', '--yaml', 'own.profdata')
    case.write_bytes('split.yaml', profiles.split(yaml, case.seed).encode())
    case.gcov('merge', '-o', 'split.profdata', 'split.yaml')
    case.write_bytes('place.profdata', profiles.place(
        case.read_bytes('own.profdata'), yaml, case.seed))


def raw_name(name):
    return {'HEAPPROF_OPTIONS': f'file={name}.%p.hpraw'}


def use(case):
    case.compiled('use', case.use('own.profdata'), hints=True)
    case.compare('use')


def split(case):
    case.compiled('split', case.use('split.profdata', *SPLIT), hints=True)
    case.clones = len(CLONE.findall(case.read_bytes('split')))
    case.compare('split')


def place(case):
    """The classes, tokens and groups are those of heapprof's section."""
    case.compiled('place', case.use('place.profdata', *PLACE), hints=True)
    case.clones = len(CLONE.findall(case.read_bytes('place')))
    case.compare('place')


def generate_use(case):
    flags = [*case.use('split.profdata', *SPLIT)[1:],
             '-fplugin-arg-heapprof-generate']
    if case.is_refused('generate-use', flags, wrapper=True, hints=True):
        return
    case.compiled('generate-use', flags, wrapper=True, hints=True)
    case.compare('generate-use', raw_name('both'))
    raw = sorted(glob.glob(case.path('both.*.hpraw')))
    if not raw and not case.may_allocate():
        raise Skip('allocates nothing')
    case.gcov('merge', '-o', 'both.profdata', *raw)


def profile_use(case):
    """Optimize with gcc's own counters.  They are not exact if a program does
    not end by itself; gcc corrects them."""
    if any(word in COUNTING for word in case.program.extra):
        raise Skip('gcc cannot count and use counters at once')
    done = case.compile('counting', ['-fprofile-generate', '-ftest-coverage'])
    if done.status != 0:
        raise Skip('does not compile with -fprofile-generate')
    case.compare('counting')
    data = sorted(glob.glob(case.path('*.gcda')))
    if not data:
        raise Skip('leaves no counters')
    case.gcov('merge', '-o', 'counters.profdata', '.')
    case.compiled('profile-use',
                  [f'-fplugin={case.plugin()}', *PROFILE_USE,
                   '-fplugin-arg-heapprof-profile-use=counters.profdata'])
    case.compare('profile-use')


def unfit(case, name, at_least=0, sources=None):
    """Compile with the profile NAME.profdata, which does not fit."""
    done = case.compiled(name, case.use(f'{name}.profdata', *SPLIT),
                         sources=sources, hints=True)
    warnings = len(WARNING.findall(done.errors))
    # Each unit warns, and the link of an LTO program.
    units = len(case.program.sources) + ('-flto' in case.options)
    if warnings < at_least and '-w' not in case.program.flags:
        raise Fault('no warning')
    if warnings > units:
        raise Fault(f'{warnings} warnings for {units} units')
    case.compare(name)


def stale(case):
    """Use the profile of an earlier version of the source."""
    edited = []
    for source in case.program.sources:
        name = 'stale-' + os.path.basename(source)
        text = case.read_bytes(source).decode('utf-8', 'surrogateescape')
        text = profiles.edit(text, case.seed)
        case.write_bytes(name, text.encode('utf-8', 'surrogateescape'))
        edited.append(name)
    case.write_bytes('stale.profdata', case.read_bytes('split.profdata'))
    # Files that the source includes from its folder.
    case.program = case.program._replace(
        flags=(*case.program.flags,
               *('-I' + os.path.dirname(case.path(source))
                 for source in case.program.sources)))
    unfit(case, 'stale', sources=edited)


def empty(case):
    case.write_bytes('empty.profdata', b'')
    unfit(case, 'empty', at_least=1)


FOREIGN = """---
HeapProfileRecords:
  - GUID: elsewhere
    AllocSites:
      - Callstack:
          - { Function: elsewhere, LineOffset: 1, Column: 2,
              IsInlineFrame: false }
        MemInfoBlock: { AllocCount: 1, TotalSize: 8, TotalLifetime: 1000,
                        TotalLifetimeAccessDensity: 1 }
    CallSites: []
...
"""


def foreign(case):
    """Use the profile of another program."""
    case.write_bytes('foreign.yaml', FOREIGN.encode())
    case.gcov('merge', '-o', 'foreign.profdata', 'foreign.yaml')
    unfit(case, 'foreign')


def corrupt(case):
    case.write_bytes('corrupt.profdata', profiles.damage(
        case.read_bytes('split.profdata'), case.seed))
    unfit(case, 'corrupt')


# In the order in which they run; later modes need the profile of the first.
MODES = {'generate': generate, 'use': use, 'split': split, 'place': place,
         'generate-use': generate_use, 'profile-use': profile_use,
         'stale': stale, 'empty': empty, 'foreign': foreign,
         'corrupt': corrupt}
NEED_PROFILE = ('use', 'split', 'place', 'generate-use', 'stale', 'corrupt')
