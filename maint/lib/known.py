# The list of tests that cannot behave the same with the plugin, with causes.
# SPDX-License-Identifier: GPL-3.0-or-later

import fnmatch
from typing import NamedTuple


AT_TIMES = 'at times: '


class Entry(NamedTuple):
    """A line of the list, with shell patterns for the tests that it covers."""
    line: int
    test: str
    modes: tuple
    result: str
    cause: str

    def is_sure(self):
        """Whether it fails each time."""
        return not self.cause.startswith(AT_TIMES)

    def matches(self, test, mode):
        return mode in self.modes and fnmatch.fnmatchcase(test, self.test)

    def explains(self, result):
        return fnmatch.fnmatchcase(result, f'fault: *{self.result}*')


class Malformed(Exception):
    """An error in the list."""


def read(path, all_modes):
    """The entries of the list PATH: TEST MODE,... "MESSAGE" CAUSE."""
    entries = []
    with open(path, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith('#'):
                continue
            try:
                patterns, said, cause = line.split('"', 2)
                test, modes = patterns.split()
            except ValueError as error:
                raise Malformed(f'{path}:{number}: expected: TEST MODE,...'
                                ' "MESSAGE" CAUSE') from error
            modes = all_modes if modes == '*' else modes.split(',')
            for mode in modes:
                if mode not in all_modes:
                    raise Malformed(f'{path}:{number}: unknown mode {mode}')
            if not cause.strip():
                raise Malformed(f'{path}:{number}: missing cause')
            entries.append(Entry(number, test, tuple(modes), said,
                                 cause.strip()))
    return entries


def find(entries, test, mode, result):
    """The entry that explains the fault RESULT, or None."""
    for entry in entries:
        if entry.matches(test, mode) and entry.explains(result):
            return entry
    return None
