# The results of a long run, in a folder, so that another call goes on with it.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# There is a file for each compiler and each build of heapprof.  A line has test,
# options, mode and what came of it, separated by tabs.  Lines are added, whole
# ones by one write, so that whoever is killed loses what was running, no more.
# Beside it is a file that says which parts the build has (builds.py).
#
# Results of another build count in the modes whose parts are the same, and if the
# build is accepted in all modes; faults never do: they are run again.

import collections
import fcntl
import glob
import os

import builds

SUFFIX = '.results'
FAULT = 'fault: '


class InUse(Exception):
    """Another call has the file."""


def parse(path):
    """(test, level, mode) -> result, of the file PATH."""
    found = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            words = line.rstrip('\n').split('\t')
            # The last line may be torn.
            if len(words) == 4 and line.endswith('\n'):
                found[tuple(words[:3])] = words[3]
    return found


def identities(folder, version):
    """The builds that the compiler VERSION was tried with."""
    paths = glob.glob(os.path.join(glob.escape(folder),
                                   f'{version}-*{SUFFIX}'))
    paths.sort(key=os.path.getmtime, reverse=True)
    return [os.path.basename(path)[len(version) + 1:-len(SUFFIX)]
            for path in paths]


class Results:
    """What is known of the compiler VERSION with the build of PARTS, and of the
    builds ACCEPTED."""

    def __init__(self, folder, version, parts, accepted=()):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.version = version
        self.parts = parts
        self.accepted = accepted
        self.identity = builds.identity(parts)
        self.path = self.path_of(self.identity, SUFFIX)
        self.known = parse(self.path) if os.path.exists(self.path) else {}
        # Those of KNOWN that are another build's -> its identity.
        self.origins = {}
        # (test, level) tried with other builds, and those that failed there.
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
        """Note what the build IDENTITY did, and take what counts here, too."""
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
        """Take the file for adding to it."""
        self.file = open(self.path, 'a+b', buffering=0)
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InUse(f'{self.path} is in use by another call') from error
        self.cut_torn_line()
        builds.write(self.path_of(self.identity, builds.SUFFIX), self.parts)

    def cut_torn_line(self):
        """Take off what a call that was killed did not write whole."""
        self.file.seek(0)
        content = self.file.read()
        self.file.truncate(content.rfind(b'\n') + 1)

    def forget(self, is_wanted):
        """Have those run again whose result IS_WANTED says."""
        self.known = {key: result for key, result in self.known.items()
                      if not is_wanted(result)}

    def has_failed(self, test, level, modes):
        """Whether one of MODES failed with another build."""
        return any((test, level, mode) in self.failed for mode in modes)

    def lacks(self, test, level, modes):
        """Those of MODES of which nothing is known."""
        return [mode for mode in modes
                if (test, level, mode) not in self.known]

    def add(self, test, level, found):
        """Add FOUND, mode -> result."""
        for mode, result in found.items():
            self.known[test, level, mode] = result
        self.file.write(''.join(
            f'{test}\t{level}\t{mode}\t{result}\n'
            for mode, result in found.items()).encode())

    def by_build(self, keys):
        """identity -> how many of KEYS are known from that build."""
        return collections.Counter(self.origins.get(key, self.identity)
                                   for key in keys)
