# One of GCC's tests with one compiler and level, in each of the plugin's modes.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sources are compiled to assembler first: if a mode does not change the assembler
# text, its program is the plain one, and need not be linked and run.  With LTO there
# is no such text; one command does everything.  Most tests check themselves: a
# program that ends with status 0 and prints nothing has passed.  The plain program
# is linked and run only if the program of a mode does anything else.

import glob
import os
import re
import signal

import profiles
import samples
from gcc_tests import read_text
from modes import CRASH, PLACE, SPLIT, line_with
from program import Runner

COMPILE_CPU_S = 120
RUN_CPU_S = 10
# A profiled program may be slower than the plain one by this factor.
SLOWER = 20
STANDS_STILL_S = 120
COMPILERS = {'c': 'gcc', 'c++': 'g++', 'fortran': 'gfortran'}
MODES = ('generate', 'histogram', 'use', 'place', 'mip-block', 'sample-use')
PROGRAM = 'program'
# Output that differs from run to run: addresses, and process and build IDs in
# messages of sanitizers; with other code or debug information also the stack traces
# of libgfortran and sanitizers, and the latter's dumps of nearby memory.
ADDRESS = re.compile(r'0x[0-9a-f]+|==\d+==|\(BuildId: [0-9a-f]+\)')
BACKTRACE = re.compile(r'^(\s*#\d+ |\s+at .*:\d+$'
                       r'|(=>|  )0x[0-9a-f]+:( ?\[?[0-9a-f]{2}\]?){16}).*\n', re.M)
TRIES = 4
SILENT = (0, '', '')


class Refused(Exception):
    """Why the plain program cannot be used for comparison."""


class Fault(Exception):
    """A difference from the plain program."""


class LinkerFails(Exception):
    """The plain program needs the default linker."""


class Case:
    """A test with a major version of gcc and the options of a level."""

    def __init__(self, test, major, level, kit, folder):
        self.test = test
        self.major = major
        self.level = level.split()
        self.kit = kit
        self.linker = kit.linker
        self.folder = folder
        self.is_lto = any(word.startswith('-flto')
                          for word in (*self.level, *test.flags))
        self.expected = None

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def compiler(self):
        return f'{COMPILERS[self.test.language]}-{self.major}'

    def runner(self, mode):
        os.makedirs(self.path(mode), exist_ok=True)
        return Runner(self.path(mode), self.path('commands'))

    def flags(self):
        return [flag for flag in self.test.flags if not flag.startswith('-l')]

    def libraries(self):
        return [flag for flag in self.test.flags if flag.startswith('-l')] \
            + ['-lm']

    def compile(self, mode, options):
        """Compile to assembler, or do nothing with LTO; return the Result."""
        runner = self.runner(mode)
        command = [self.compiler(), *options, *self.level, *self.flags()]
        for module in self.test.modules:
            runner.run([*command, '-S', module], COMPILE_CPU_S)
        if self.is_lto:
            return None
        for source, name in zip(self.test.sources, self.assembled()):
            done = runner.run([*command, '-S', source, '-o', name],
                              COMPILE_CPU_S)
            if done.status != 0:
                break
        return done

    def link(self, mode, options, libraries=()):
        """Link the output of `compile'; return the Result."""
        flags, sources = self.flags(), self.test.sources
        if not self.is_lto:
            flags, sources = without_language(flags), self.assembled()
        if self.linker:
            flags = [*flags, f'-fuse-ld={self.linker}']
        return self.runner(mode).run(
            [self.compiler(), *options, *self.level, *flags, *sources,
             '-o', PROGRAM, *libraries, *self.libraries()], COMPILE_CPU_S)

    def assembled(self):
        """The assembler files of the sources.  Two sources may have names that
        differ only in the extension."""
        names = [os.path.splitext(os.path.basename(source))[0]
                 for source in self.test.sources]
        return [name + (f'-{place}' if name in names[:place] else '') + '.s'
                for place, name in enumerate(names)]

    def is_as_plain(self, mode):
        """Whether MODE changed nothing."""
        return not self.is_lto and all(
            read_text(self.path(mode, name)) == read_text(self.path('plain',
                                                                    name))
            for name in self.assembled())

    def execute(self, mode, environment, cpu_s):
        """(status, standard output, standard error) of the program."""
        done = self.runner(mode).run(
            ['./' + PROGRAM], cpu_s, {**self.test.environment, **environment},
            STANDS_STILL_S + cpu_s)
        return (done.status, self.comparable(mode, done.output),
                self.comparable(mode, BACKTRACE.sub('', done.errors)))

    def comparable(self, mode, text):
        """TEXT, the output of the program of MODE, without addresses and the name
        of its folder."""
        return ADDRESS.sub('ADDRESS', text.replace(self.path(mode), 'FOLDER'))

    def compile_plain(self):
        done = self.compile('plain', [])
        if done:
            refuse(done)

    def link_plain(self):
        done = self.link('plain', [])
        if done.status != 0 and self.linker:
            raise LinkerFails
        refuse(done)

    def run_plain(self):
        """The result of the plain program, with which all others are compared."""
        if self.expected is None:
            self.link_plain()
            self.expected = self.execute('plain', {}, RUN_CPU_S)
        status = self.expected[0]
        if status != 0 and not self.test.fails and self.linker:
            raise LinkerFails
        if status in (-signal.SIGKILL, -signal.SIGXCPU):
            raise Refused('killed: takes too long')
        if status != 0 and not self.test.fails:
            raise Refused(f'fails: status {status}')
        return self.expected

    def check(self, done):
        """Raise a fault if DONE, the result of a compiler or linker, is a failure
        and that of the plain program is not."""
        if done is None or done.status == 0:
            return
        self.run_plain()
        if CRASH in done.errors:
            raise Fault(f'{CRASH}: {short(line_with(CRASH, done.errors))}')
        raise Fault('does not compile: ' + short(line_with('', done.errors)))

    def compare(self, mode, environment=None):
        """Run the program of MODE, and compare it with the plain program."""
        found = self.execute(mode, environment or {}, SLOWER * RUN_CPU_S)
        if found == SILENT and not self.test.fails:
            return
        expected = self.run_plain()
        if found == expected:
            return
        others = [self.execute('plain', {}, RUN_CPU_S) for _ in range(TRIES)]
        if found[0] in (other[0] for other in others) \
                and any(other != expected for other in others):
            raise Refused('output differs from run to run')
        if found[0] != expected[0]:
            raise Fault(f'status {found[0]} instead of {expected[0]}: '
                        + short(line_with('', found[2])))
        if found[1] != expected[1]:
            raise Fault('output differs')
        raise Fault('standard error differs: ' + short(
            first_difference(found[2], expected[2])))

    def run_mode(self, mode):
        """The result of MODE, as text."""
        try:
            RUN[mode](self)
        except LinkerFails:
            self.linker = self.expected = None
            return self.run_mode(mode)
        except Fault as fault:
            return f'fault: {fault}'
        except Refused as refused:
            return f'refused: {refused}'
        return 'equal'

    def run(self, modes):
        """{mode: result} for MODES."""
        try:
            self.compile_plain()
        except Refused as refused:
            return {mode: f'refused: {refused}' for mode in modes}
        # These need the profile that `generate' leaves.
        needed = [mode for mode in MODES if mode in modes
                  or (mode == 'generate' and {'use', 'place'} & set(modes))]
        found = {mode: self.run_mode(mode) for mode in needed
                 if mode not in QUIET}
        quiet = [mode for mode in needed if mode in QUIET]
        if len(quiet) > 1 and self.changes_nothing():
            found.update(dict.fromkeys(quiet, 'equal'))
        else:
            found.update({mode: self.run_mode(mode) for mode in quiet})
        return {mode: found[mode] for mode in modes}

    def changes_nothing(self):
        """Whether the profiles of all modes that use one, given together, change
        nothing, so that the modes need not be tried separately."""
        # The two heap profiles of a program that allocates are tried one by one.
        if raw_profiles(self):
            return False
        try:
            options = ['-fplugin=' + self.kit.plugins[self.major],
                       *use_options(self), *sample_options(self)]
        except Fault:
            return False
        done = self.compile('quiet', options)
        return done is not None and done.status == 0 \
            and self.is_as_plain('quiet')

    def gcov(self, *arguments):
        done = self.runner('generate').run([self.kit.gcov, *arguments],
                                           COMPILE_CPU_S)
        if done.status != 0:
            raise Fault(f'heapprof-gcov {arguments[0]}: '
                        + short(line_with('', done.errors)))
        return done.output


def without_language(flags):
    """FLAGS without -x LANGUAGE, for assembler; -x also selects g++ and its
    libraries."""
    return [flag for before, flag in zip([''] + flags, flags)
            if '-x' not in (before, flag)]


def refuse(done):
    """Raise an error if DONE, the result of the plain compiler, is a failure."""
    if done.status < 0:
        raise Refused(f'compiler killed: signal {-done.status}')
    if CRASH in done.errors:
        raise Refused(CRASH)
    if done.status != 0:
        raise Refused('does not compile: '
                      + short(line_with('error', done.errors)
                              or line_with('', done.errors)))


def short(text):
    """TEXT as a short line, without parts that differ between runs."""
    text = re.sub(r'/\S*/', '', text)
    return re.sub(r'\s+', ' ', text)[:160]


def first_difference(found, expected):
    had = set(expected.splitlines())
    for line in found.splitlines():
        if line not in had:
            return line
    return 'a line is missing'


def counted(case, mode, *options):
    """MODE counts accesses, compiled as by heapprof's wrappers."""
    specs = ['-specs=' + case.kit.specs[case.major], *options]
    case.check(case.compile(mode, specs))
    case.check(case.link(mode, specs))
    case.compare(mode, {'HEAPPROF_OPTIONS': 'file=own.%p.hpraw'})


def generate(case):
    counted(case, 'generate')


def histogram(case):
    counted(case, 'histogram', '-fplugin-arg-heapprof-histogram')


def plugged(case, mode, options, libraries=()):
    """MODE does not count: the plugin is given by -fplugin."""
    options = ['-fplugin=' + case.kit.plugins[case.major], *options]
    case.check(case.compile(mode, options))
    if case.is_as_plain(mode):
        return
    case.check(case.link(mode, options, libraries))
    case.compare(mode)


def own_profile(case, raw):
    """Make the program's own profile from RAW; return its text.  Looking up lines
    of the C library would take most of the time."""
    case.gcov('merge', f'--debug-directory={case.kit.folder}',
              '-o', 'own.profdata', *raw)
    return case.gcov('show', '--yaml', 'own.profdata')


def raw_profiles(case):
    return sorted(glob.glob(glob.escape(case.path('generate')) + '/*.hpraw'))


def use_options(case):
    """Use the program's own profile, with random classes for its contexts; if it
    does not allocate, use the profile of another program."""
    profile = case.path('generate', 'split.profdata')
    raw = raw_profiles(case)
    if not raw:
        profile = case.kit.foreign
    elif not os.path.exists(profile):
        yaml = own_profile(case, raw)
        with open(case.path('generate', 'split.yaml'), 'w',
                  encoding='utf-8') as file:
            file.write(profiles.split(yaml, case.test.name))
        case.gcov('merge', '-o', profile, 'split.yaml')
    return [f'-fplugin-arg-heapprof-use={profile}', *SPLIT]


def use(case):
    plugged(case, 'use', use_options(case), case.kit.hint)


def place_options(case):
    """The same with random classes, context tokens and groups in heapprof's
    section."""
    profile = case.kit.foreign
    raw = raw_profiles(case)
    if raw:
        profile = case.path('generate', 'place.profdata')
        yaml = own_profile(case, raw)
        with open(case.path('generate', 'own.profdata'), 'rb') as file:
            octets = file.read()
        with open(profile, 'wb') as file:
            file.write(profiles.place(octets, yaml, case.test.name))
    return [f'-fplugin-arg-heapprof-use={profile}', *PLACE]


def place(case):
    plugged(case, 'place', place_options(case), case.kit.hint)


def mip_block(case):
    plugged(case, 'mip-block', ['-fplugin-arg-heapprof-mip=block'],
            case.kit.mip)


def sample_options(case):
    """Use samples at each virtual call, with random classes."""
    profile = case.kit.samples
    own = case.path('samples', 'own.prof')
    if case.test.language == 'c++' and any(
            'virtual' in read_text(source) for source in case.test.sources) \
            and (os.path.exists(own) or write_samples(case, own)):
        profile = own
    return [f'-fplugin-arg-heapprof-sample-use={profile}']


def sample_use(case):
    plugged(case, 'sample-use', sample_options(case))


def write_samples(case, path):
    """Write samples of virtual calls to PATH; return whether there are any."""
    done = case.runner('samples').run(
        [case.compiler(), *case.flags(), '-O0', '-fno-lto', '-g1', '-S',
         case.test.sources[0]], COMPILE_CPU_S)
    if done.status != 0:
        return False
    text = samples.of_assembler(
        read_text(case.path('samples', case.assembled()[0])), case.test.name)
    if not text:
        return False
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return True


# Modes that use a profile, which changes nothing in most programs.
QUIET = ('use', 'place', 'sample-use')
RUN = {'generate': generate, 'histogram': histogram, 'use': use, 'place': place,
       'mip-block': mip_block, 'sample-use': sample_use}


