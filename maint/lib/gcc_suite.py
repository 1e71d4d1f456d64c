# The suite gcc: all run tests of GCC, in several calls if necessary.
# SPDX-License-Identifier: GPL-3.0-or-later

import collections
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import gcc_case
import gcc_tests
import known
from kit import Kit
from results import FAULT, Results

LEVELS = ('-O0', '-O1', '-O2', '-O3', '-Os', '-Og', '-O2 -flto')
MEMORY = '/dev/shm'
PREFIX = 'heapprof-torture-'
TELL_S = 60
# The remaining time is estimated from the cases of this many seconds.
RECENT_S = 600


class Absent(Exception):
    """Something that is needed is missing."""


def source_major(source):
    """The major version of GCC in the folder SOURCE."""
    path = os.path.join(source, 'gcc', 'BASE-VER')
    text = gcc_tests.read_text(path) if os.path.exists(path) \
        else os.path.basename(os.path.realpath(source))
    found = re.search(r'(\d+)(\.\d+)*', text)
    if not found or not os.path.isdir(os.path.join(source,
                                                   gcc_tests.TESTSUITE)):
        raise Absent(f'{source} is not a source folder of GCC')
    return int(found[1])


def sources_of(folders, majors):
    """{major: the source folder in FOLDERS of the nearest version}."""
    if not folders:
        raise Absent('the suite gcc needs --gcc-source=FOLDER, a source folder'
                     ' of GCC')
    there = {source_major(folder): folder for folder in folders}
    return {major: there[min(there, key=lambda version:
                             abs(version - int(major)))] for major in majors}


def version_of(major):
    return subprocess.run([f'gcc-{major}', '-dumpfullversion'], check=True,
                          capture_output=True, text=True).stdout.strip()


class Work:
    """The cases to run, and their results.  Methods may be called by all
    threads."""

    def __init__(self, options, entries):
        self.options = options
        self.entries = entries
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.is_broken = False  # a thread has ended by an exception
        self.tests = {}         # major -> list of Test
        self.names = {}         # major -> their names
        self.results = {}       # major -> Results
        self.queue = queue.SimpleQueue()
        self.left = 0
        self.done = collections.deque()         # when each case was done
        self.begin = time.monotonic()

    def items(self):
        """((round, place in it), test, major, level) of all cases.  Each round
        has each test once, in random order, so that a short run is
        representative."""
        ways = [(major, level) for level in self.options.options
                for major in self.options.compilers]
        for major, tests in self.tests.items():
            for number, test in enumerate(tests):
                for level in self.options.options:
                    place = ways.index((major, level))
                    yield (((place - number) % len(ways),
                            zlib.crc32(test.name.encode())), test, major, level)

    def plan(self):
        """Fill the queue: first cases that failed with another build, then cases
        that were never run; each test with one compiler and level first."""
        if self.options.again:
            for results in self.results.values():
                results.forget(lambda result: result.startswith(FAULT))
        items = [item for item in self.items()
                 if self.results[item[2]].lacks(item[1].name, item[3],
                                                self.options.modes)]
        items.sort(key=lambda item: (self.rank(*item[1:]), item[0]))
        for item in items:
            self.queue.put(item[1:])
        self.left = len(items)

    def rank(self, test, major, level):
        results = self.results[major]
        if results.has_failed(test.name, level, self.options.modes):
            return 0
        return 2 if (test.name, level) in results.tried else 1

    def knows_all_of(self, entry):
        """Whether there are cases that match ENTRY, and all of them were run."""
        found = False
        for major, tests in self.tests.items():
            for test in tests:
                modes = [mode for mode in self.options.modes
                         if entry.matches(test.name, mode)]
                for level in self.options.options if modes else ():
                    found = True
                    if self.results[major].lacks(test.name, level, modes):
                        return False
        return found

    def take(self):
        """The next case, or None."""
        if self.stop.is_set():
            return None
        try:
            return self.queue.get_nowait()
        except queue.Empty:
            return None

    def add(self, test, major, level, found):
        with self.lock:
            self.results[major].add(test.name, level, found)
            self.left -= 1
            self.done.append(time.monotonic())
            for mode, result in found.items():
                if result.startswith(FAULT) and not known.find(
                        self.entries, test.name, mode, result):
                    print(f'FAIL: {test.name} {major} {level}, {mode}: '
                          + result[len(FAULT):], flush=True)

    def tell(self):
        """A line with the estimated remaining time."""
        with self.lock:
            now = time.monotonic()
            while self.done and self.done[0] < now - RECENT_S:
                self.done.popleft()
            span = min(now - self.begin, RECENT_S)
            rate = len(self.done) / span if span else 0
            rest = f'{self.left / rate / 3600:.1f} h' if rate else 'unknown'
            modes = len(self.options.modes)
            return (f'{rate * modes:.1f} cases/s, {self.left * modes} cases'
                    f' left, time left: {rest}')


def run_item(work, kit, test, major, level, folder):
    lacking = work.results[major].lacks(test.name, level, work.options.modes)
    case = gcc_case.Case(test, major, level, kit, folder)
    os.makedirs(folder)
    try:
        found = case.run(lacking)
        work.add(test, major, level, found)
        keep = work.options.keep
        if keep and any(result.startswith(FAULT)
                        for result in found.values()):
            kept = os.path.join(keep, re.sub(r'[ /]', '_', f'{test.name}-'
                                             f'{major}{level}'))
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept, symlinks=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def worker(work, kit, folder):
    try:
        while (item := work.take()) is not None:
            run_item(work, kit, *item, folder)
    except BaseException:
        # Otherwise the other threads would go on, and the call succeed.
        work.is_broken = True
        work.stop.set()
        raise


def working_folder():
    """A folder in memory, if possible; remove those of killed calls."""
    parent = MEMORY if os.access(MEMORY, os.W_OK) else tempfile.gettempdir()
    for name in os.listdir(parent):
        number = name[len(PREFIX):]
        if name.startswith(PREFIX) and number.isdigit() \
                and not os.path.exists(f'/proc/{number}'):
            shutil.rmtree(os.path.join(parent, name), ignore_errors=True)
    folder = os.path.join(parent, f'{PREFIX}{os.getpid()}')
    os.makedirs(folder)
    return folder


def prepare(options, entries, kit):
    work = Work(options, entries)
    sources = sources_of(options.gcc_source, options.compilers)
    for major in options.compilers:
        work.tests[major] = [
            test for test in gcc_tests.find_tests(sources[major],
                                                  options.folders)
            if options.match in test.name]
        work.names[major] = {test.name for test in work.tests[major]}
        work.results[major] = Results(options.state, version_of(major),
                                      kit.parts[major], options.accept)
    for identity in options.accept:
        if identity != 'all' and not any(
                results.has_build(identity)
                for results in work.results.values()):
            raise Absent(f'{options.state} has no results of build {identity}')
    work.plan()
    return work


def run_all(work, kit, folder):
    """Run missing cases until all are done, time is over, or it is interrupted."""
    threads = [threading.Thread(target=worker, args=(
        work, kit, os.path.join(folder, f'case-{number}')))
        for number in range(work.options.jobs)]
    for thread in threads:
        thread.start()
    told = end = time.monotonic()
    end += 60 * work.options.minutes if work.options.minutes else 1e9
    while any(thread.is_alive() for thread in threads):
        for thread in threads:
            thread.join(1)
        now = time.monotonic()
        if now >= end:
            work.stop.set()
        if now - told >= TELL_S:
            told = now
            print(f'torture: {work.tell()}', file=sys.stderr, flush=True)


def main(options):
    entries = known.read(options.known, gcc_case.MODES)
    folder = working_folder()
    tempfile.tempdir = folder
    # Messages are compared.
    os.environ['LC_ALL'] = 'C'
    try:
        kit = Kit(options.heapprof, options.compilers,
                  os.path.join(folder, 'kit'), options.linker)
        work = prepare(options, entries, kit)
        if not options.report:
            for results in work.results.values():
                results.open()
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: work.stop.set())
            run_all(work, kit, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return report(work) or int(work.is_broken)


def outcome(entries, test, mode, result):
    """The class of RESULT, and the reason."""
    kind, _, why = result.partition(': ')
    if kind == 'equal':
        return 'equal', None
    if kind == 'refused':
        return 'refused by plain gcc too', why.split(':')[0]
    entry = known.find(entries, test, mode, result)
    return ('named', entry) if entry else ('unexplained', None)


def report(work):
    """Print the stored results; return the exit status."""
    status = 0
    used = set()
    for major, results in work.results.items():
        folders = {test.name: test.folder for test in work.tests[major]}
        count = collections.Counter()
        reasons = collections.Counter()
        told = {key: result for key, result in results.known.items()
                if is_told(work, major, key)}
        for (test, level, mode), result in told.items():
            kind, why = outcome(work.entries, test, mode, result)
            count[folders[test], kind] += 1
            if kind == 'named':
                used.add(why)
            elif kind == 'refused by plain gcc too':
                reasons[why] += 1
            elif kind == 'unexplained':
                status = 1
                if work.options.report:
                    print(f'FAIL: {test} {major} {level}, {mode}: '
                          + result[len(FAULT):])
        write_table(work, major, count, reasons)
        write_builds(work, major, told)
    for entry in work.entries:
        if entry not in used and entry.is_sure() and work.knows_all_of(entry):
            print(f'{work.options.known}:{entry.line}: {entry.test} no longer'
                  ' fails: remove the line')
            status = 1
    return status


def is_told(work, major, key):
    """Whether the options select the case KEY."""
    test, level, mode = key
    return test in work.names[major] and level in work.options.options \
        and mode in work.options.modes


def write_builds(work, major, keys):
    """Print the builds of heapprof with which KEYS were run."""
    results = work.results[major]
    for identity, number in results.by_build(keys).most_common():
        why = 'this build' if identity == results.identity else 'accepted' \
            if results.accepts(identity) else 'its parts are the same'
        print(f'gcc {major}, build {identity}: {number} cases, {why}')
    waiting = sum(is_told(work, major, key) and key not in results.known
                  for key in results.failed)
    if waiting:
        print(f'gcc {major}: {waiting} cases failed with other builds and are to'
              ' be run again')


def write_table(work, major, count, reasons):
    tests = collections.Counter(test.folder for test in work.tests[major])
    each = len(work.options.options) * len(work.options.modes)
    for folder in work.options.folders:
        kinds = ('equal', 'refused by plain gcc too', 'named', 'unexplained')
        done = sum(count[folder, kind] for kind in kinds)
        print(f'gcc {major}, {folder}: {tests[folder]} programs, {done} cases: '
              + ', '.join(f'{count[folder, kind]} {kind}' for kind in kinds)
              + f'; {tests[folder] * each - done} left')
    for why, number in reasons.most_common():
        print(f'gcc {major}, refused by plain gcc too: {number} {why}')
