# Store the results of a long run in a folder, so that another call can continue.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# There is a file for each compiler and each build of heapprof.  A line has test,
# options, mode and result, separated by tabs.  Each line is added by one write, so
# that a call that is killed loses only the cases that were running.  A second file
# lists the parts of the build (builds.py).
#
# Results of another build count in modes whose parts are the same, or in all modes
# if the build is accepted.  Faults never count: they are run again.

import collections
import fcntl
import glob
import os

import builds

SUFFIX = '.results'
FAULT = 'fault: '


class InUse(Exception):
    """Another call uses the file."""


def parse(path):
    """{(test, level, mode): result} in the file PATH."""
    found = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            words = line.rstrip('\n').split('\t')
            # The last line may be incomplete.
            if len(words) == 4 and line.endswith('\n'):
                found[tuple(words[:3])] = words[3]
    return found


def identities(folder, version):
    """The builds with which the compiler VERSION was tested."""
    paths = glob.glob(os.path.join(glob.escape(folder),
                                   f'{version}-*{SUFFIX}'))
    paths.sort(key=os.path.getmtime, reverse=True)
    return [os.path.basename(path)[len(version) + 1:-len(SUFFIX)]
            for path in paths]


class Results:
    """The results of the compiler VERSION with the build of PARTS, and with the
    ACCEPTED builds."""

    def __init__(self, folder, version, parts, accepted=()):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.version = version
        self.parts = parts
        self.accepted = accepted
        self.identity = builds.identity(parts)
        self.path = self.path_of(self.identity, SUFFIX)
        self.known = parse(self.path) if os.path.exists(self.path) else {}
        # {key of KNOWN from another build: identity of that build}.
        self.origins = {}
        # (test, level) run with other builds, and those that failed there.
        self.tried = set()
        self.failed = set()
        self.file = None
        for identity in identities(folder, version):
            if identity != self.identity:
                self.take_over(identity)

    def path_of(self, identity, suffix):
        return os.path.join(self.folder, f'{self.version}-{identity}{suffix}')

    def has_build(self, identity):
        """Whether there are results of the build IDENTITY."""
        return os.path.exists(self.path_of(identity, SUFFIX))

    def accepts(self, identity):
        """Whether results of the build IDENTITY count in all modes."""
        return identity in self.accepted or 'all' in self.accepted

    def take_over(self, identity):
        """Read the results of the build IDENTITY, and keep those that count."""
        parts = builds.read(self.path_of(identity, builds.SUFFIX))
        modes = [mode for mode in builds.NEEDS
                 if self.accepts(identity)
                 or builds.is_same(parts, self.parts, mode)]
        found = parse(self.path_of(identity, SUFFIX))
        for key, result in found.items():
            self.tried.add(key[:2])
            if result.startswith(FAULT):
                self.failed.add(key)
            elif key[2] in modes and key not in self.known:
                self.known[key] = result
                self.origins[key] = identity

    def open(self):
        """Open and lock the file for appending."""
        self.file = open(self.path, 'a+b', buffering=0)
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InUse(f'{self.path} is in use by another call') from error
        self.cut_torn_line()
        builds.write(self.path_of(self.identity, builds.SUFFIX), self.parts)

    def cut_torn_line(self):
        """Remove an incomplete line of a call that was killed."""
        self.file.seek(0)
        content = self.file.read()
        self.file.truncate(content.rfind(b'\n') + 1)

    def forget(self, is_wanted):
        """Forget results for which IS_WANTED is true, so that they run again."""
        self.known = {key: result for key, result in self.known.items()
                      if not is_wanted(result)}

    def has_failed(self, test, level, modes):
        """Whether one of MODES failed with another build."""
        return any((test, level, mode) in self.failed for mode in modes)

    def lacks(self, test, level, modes):
        """The MODES without a result."""
        return [mode for mode in modes
                if (test, level, mode) not in self.known]

    def add(self, test, level, found):
        """Add FOUND, {mode: result}."""
        for mode, result in found.items():
            self.known[test, level, mode] = result
        self.file.write(''.join(
            f'{test}\t{level}\t{mode}\t{result}\n'
            for mode, result in found.items()).encode())

    def by_build(self, keys):
        """{identity: number of KEYS with a result of that build}."""
        return collections.Counter(self.origins.get(key, self.identity)
                                   for key in keys)
