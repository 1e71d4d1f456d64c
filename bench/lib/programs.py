# The programs to measure: the bench's own workloads, and users' list files.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import re
import shlex
import shutil
from typing import NamedTuple

from process import Failure, check

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORKLOADS = os.path.join(BENCH, 'workloads')
SIZES = ('tiny', 'small', 'normal')

# Tokens of a shell command: separators of commands, and words with quotes.
TOKEN = re.compile(r"""(?P<separator>\|\||&&|[;|&])
                       |(?P<word>(?:[^\s;|&'"\\]|\\.|'[^']*'
                                  |"(?:[^"\\]|\\.)*")+)""", re.X | re.S)

LANGUAGE_FLAGS = {'c': ['-std=gnu11', '-pthread'],
                  'c++': ['-std=c++17', '-pthread']}


def language_of(source):
    return 'c++' if source.endswith('.cc') else 'c'


class Workload(NamedTuple):
    """One of the bench's own programs, and its arguments for each size: tiny
    for tests, small for valgrind, normal otherwise."""
    name: str
    source: str
    arguments: dict
    headers: tuple = ()     # (header, package that has it)


def sizes(tiny, small, normal):
    return dict(zip(SIZES, (tiny, small, normal)))


OWN = (
    Workload('recursive-small', 'recursive-builder.c',
             sizes('4 100 2', '20 500 2', '108 1000 10')),
    Workload('recursive-large', 'recursive-builder.c',
             sizes('8 100 2', '40 500 2', '760 1000 5')),
    Workload('recursive-deep', 'recursive-builder.c',
             sizes('4 100 2 20', '20 500 2 20', '108 1000 10 20')),
    Workload('pointer-chase', 'pointer-chase.c',
             sizes('1000 5', '20000 10', '300000 20')),
    Workload('streaming', 'streaming.c',
             sizes('1000 10', '50000 20', '500000 1000')),
    Workload('ping-pong', 'ping-pong.c',
             sizes('2000 2', '50000 2', '5000000 2')),
    Workload('json', 'json.cc', sizes('20 2', '200 2', '4000 25'),
             ('nlohmann/json.hpp', 'nlohmann-json3-dev')),
    Workload('interpreter', 'interpreter.c',
             sizes('2', '10', '1200')),
    Workload('ordered-store', 'ordered-store.cc',
             sizes('500 2000 2', '5000 20000 2', '20000 500000 2')),
)


class Program(NamedTuple):
    """A program to measure, in several variants."""
    name: str
    commands: dict          # variant's name -> shell command
    absent: dict            # variant's name -> why it is not measured
    is_own: bool            # all variants print the same result


def build(source, variant, folder, level='-O2', flags=()):
    """Compile SOURCE, in the folder workloads, for VARIANT with additional FLAGS
    into FOLDER; return the path of the program."""
    language = language_of(source)
    stem = os.path.splitext(source)[0]
    program = os.path.join(folder, f'{stem}{level}.{variant.name}')
    check(variant.compiler(language, level) + LANGUAGE_FLAGS[language]
          + [*flags, os.path.join(WORKLOADS, source), '-o', program],
          f'building {source} for {variant.name}')
    return program


def lacks_header(workload, tools):
    """Why WORKLOAD cannot be built, or None."""
    if not workload.headers:
        return None
    header, package = workload.headers
    try:
        language = language_of(workload.source)
        check([tools.gcc[language], '-E', '-x', language, '-include',
               header, '-o', os.devnull, os.devnull], header)
    except Failure:
        return f'{header} is not installed (package {package})'
    return None


def own_program(workload, variants, tools, size, folder):
    """Build WORKLOAD for all VARIANTS; return a Program."""
    commands = {}
    absent = {}
    missing = lacks_header(workload, tools)
    built = {}
    for variant in variants:
        why = missing or variant.is_absent()
        if why:
            absent[variant.name] = why
            continue
        key = variant.name if variant.own_program else 'plain'
        if key not in built:
            builder = variant if variant.own_program else variants[0]
            built[key] = build(workload.source, builder, folder)
        commands[variant.name] = (f'{shlex.quote(built[key])} '
                                  f'{workload.arguments[size]}')
    return Program(workload.name, commands, absent, True)


def parse_list(path):
    """The commands in the list file PATH: {program: {variant: command}}."""
    found = {}
    try:
        with open(path, encoding='utf-8') as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f'{path}: {getattr(error, "strerror", None) or error}') \
            from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith('#'):
            continue
        words = line.split(None, 2)
        if len(words) < 3:
            raise Failure(f'{path}:{number}: expected PROGRAM VARIANT COMMAND, '
                          f'found `{line.strip()}\'')
        program, variant, command = words
        if not re.fullmatch(r'[\w.+-]+', variant):
            raise Failure(f'{path}:{number}: invalid variant name '
                          f'`{variant}\'')
        commands = found.setdefault(program, {})
        if variant in commands:
            raise Failure(f'{path}:{number}: duplicate entry for {program} '
                          f'{variant}')
        commands[variant] = command
    for program, commands in found.items():
        if 'plain' not in commands:
            raise Failure(f'{path}: {program} has no plain command to compare '
                          'with')
    return found


def listed_program(name, commands, variants):
    """The Program NAME of a list file.  Variants that run the plain program
    need no line."""
    commands = dict(commands)
    absent = {}
    for variant in variants:
        if variant.name in commands:
            continue
        if variant.own_program:
            absent[variant.name] = 'not in the list file'
        elif variant.is_absent():
            absent[variant.name] = variant.is_absent()
        else:
            commands[variant.name] = commands['plain']
    wanted = {variant.name for variant in variants}
    return Program(name, {variant: command
                          for variant, command in commands.items()
                          if variant in wanted}, absent, False)


def program_span(command):
    """The position of the profiled program's name in the shell COMMAND: (start,
    end).  It is the first command with a path in its name, else the first."""
    spans = []
    is_name = True
    for token in TOKEN.finditer(command):
        if token['separator']:
            is_name = True
        elif is_name and not re.match(r'\w+=', token['word']):
            spans.append(token.span())
            is_name = False
    for start, end in spans:
        if '/' in command[start:end]:
            return start, end
    return spans[0] if spans else (0, 0)


def with_prefix(prefix, command):
    """COMMAND with the words PREFIX before the profiled program."""
    start, _ = program_span(command)
    words = ''.join(shlex.quote(word) + ' ' for word in prefix)
    return command[:start] + words + command[start:]


def executable(command):
    """The path of the profiled program, or None."""
    start, end = program_span(command)
    try:
        words = shlex.split(command[start:end])
    except ValueError:
        return None
    return shutil.which(words[0]) if words else None
