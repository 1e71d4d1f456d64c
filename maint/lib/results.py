# The results of a long run, in a folder, so that another call goes on with it.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# There is a file for each compiler and each build of heapprof.  A line has test,
# options, mode and what came of it, separated by tabs.  Lines are added, whole
# ones by one write, so that whoever is killed loses what was running, no more.

import fcntl
import glob
import os

SUFFIX = '.results'


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


class Results:
    """What is known of the compiler VERSION with the build IDENTITY."""

    def __init__(self, folder, version, identity):
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, f'{version}-{identity}{SUFFIX}')
        self.known = parse(self.path) if os.path.exists(self.path) else {}
        # Tried with other builds: what was never tried comes first.
        self.tried = set()
        for path in glob.glob(os.path.join(glob.escape(folder),
                                           f'{version}-*{SUFFIX}')):
            if path != self.path:
                self.tried.update(key[:2] for key in parse(path))
        self.file = None

    def open(self):
        """Take the file for adding to it."""
        self.file = open(self.path, 'a+b', buffering=0)
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InUse(f'{self.path} is in use by another call') from error
        self.cut_torn_line()

    def cut_torn_line(self):
        """Take off what a call that was killed did not write whole."""
        self.file.seek(0)
        content = self.file.read()
        self.file.truncate(content.rfind(b'\n') + 1)

    def forget(self, is_wanted):
        """Have those run again whose result IS_WANTED says."""
        self.known = {key: result for key, result in self.known.items()
                      if not is_wanted(result)}

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
