# Common parts of the bench's commands: options, folders, errors.
# SPDX-License-Identifier: GPL-3.0-or-later

import argparse
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time

from process import Failure, Incomplete, Measure, check, read
from programs import BENCH
from tools import Tools


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f'{text} is not positive')
    return value


def add_options(parser, runs=5):
    """Add the options that all commands have."""
    parser.add_argument('--runs', type=positive, default=runs, metavar='N',
                        help='number of measured runs (default: %(default)s)')
    parser.add_argument('--heapprof', metavar='FOLDER',
                        help='build folder or installation prefix of heapprof'
                        ' (default: search PATH)')
    parser.add_argument('--build', metavar='FOLDER',
                        help='build and run programs in FOLDER (default: a'
                        ' temporary folder)')
    parser.add_argument('--markdown', action='store_true',
                        help='write a Markdown table')
    parser.add_argument('--out', metavar='FILE',
                        help='write to FILE instead of standard output')
    parser.add_argument('--readme', action='store_true',
                        help='replace the table in bench/README.md')
    parser.add_argument('--timeout', type=positive, default=1800, metavar='S',
                        help='stop a run after S seconds (default:'
                        ' %(default)s)')
    parser.add_argument('--quiet', action='store_true',
                        help='do not show progress')


def find_tools(options):
    return Tools(options.heapprof)


@contextlib.contextmanager
def build_folder(options):
    """The folder for programs and scratch files; a temporary one is removed at
    the end."""
    if options.build:
        os.makedirs(options.build, exist_ok=True)
        yield os.path.abspath(options.build)
        return
    folder = tempfile.mkdtemp(prefix='heapprof-bench-')
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def build_measure(options, tools, folder):
    """Compile measure.c; return the Measure that uses it."""
    program = os.path.join(folder, 'measure')
    check([tools.gcc['c'], '-O2', '-o', program,
           os.path.join(BENCH, 'lib', 'measure.c')], 'building measure')
    return Measure(program, options.timeout)


def speaker(options):
    """A function that shows progress in the last line of a terminal."""
    if options.quiet or not sys.stderr.isatty():
        return lambda text: None
    return lambda text: print(f'\r\033[K{text}', end='', file=sys.stderr,
                              flush=True)


@contextlib.contextmanager
def raw_folder(folder):
    """An empty folder below FOLDER for the raw files of one run."""
    raw = os.path.join(folder, 'raw')
    shutil.rmtree(raw, ignore_errors=True)
    os.makedirs(raw)
    yield raw
    shutil.rmtree(raw)


def heading(tools, names, what):
    """The lines above a table: machine, WHAT was measured, and the tools of
    the variants NAMES."""
    return [f'{time.strftime("%Y-%m-%d %H:%M")}, {processor()}, '
            f'{os.cpu_count()} CPUs, load average '
            f'{os.getloadavg()[2]:.1f}', what,
            *tools.versions(names)]


def processor():
    with open('/proc/cpuinfo', encoding='ascii', errors='replace') as file:
        for line in file:
            if line.startswith('model name'):
                return line.split(':', 1)[1].strip()
    return 'unknown processor'


def write(text, path):
    """Write TEXT to the file PATH, completely or not at all; print it if PATH
    is None."""
    if path is None:
        print(text, end='')
        return
    temporary = f'{path}.tmp.{os.getpid()}'
    with open(temporary, 'w', encoding='utf-8') as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.rename(temporary, path)


def update_readme(name, text):
    """Put TEXT between the marks of the command NAME in README.md."""
    path = os.path.join(BENCH, 'README.md')
    begin, end = (f'<!-- {name}: {word} -->\n' for word in ('begin', 'end'))
    head, begin_found, rest = read(path).partition(begin)
    old, end_found, tail = rest.partition(end)
    if not begin_found or not end_found:
        raise Failure(f'{path}: no marks for {name}')
    write(f'{head}{begin}\n{text}\n{end}{tail}', path)


def give(name, options, text):
    """Write TEXT to the place that OPTIONS choose.  If the command NAME has
    several tables, options.marks are the marks of the requested one."""
    speaker(options)('')
    if options.readme:
        update_readme(getattr(options, 'marks', name), text)
    else:
        write(text, options.out)


def main(name, parse_arguments, measure):
    """Run a command: MEASURE turns the options into the text to write."""
    options = parse_arguments()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    options.markdown = options.markdown or options.readme
    try:
        give(name, options, measure(options))
    except Incomplete as error:
        give(name, options, error.text)
        sys.exit(f'{name}: {error}')
    except (Failure, OSError) as error:
        sys.exit(f'{name}: {error}')
    except KeyboardInterrupt:
        sys.exit(130)
