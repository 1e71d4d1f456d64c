# Recordings of branch stacks without a processor that records them.
# SPDX-License-Identifier: GPL-3.0-or-later
"""Valgrind's tool lackey prints the address of each instruction that a program
runs; what is not followed by the next one is a branch."""

import os
import re
import subprocess

from process import Failure, check

DEPTH = 32
PID = 7


def code_segment(path):
    """The code segment of PATH: offset, address, bytes."""
    for line in check(['readelf', '-lW', path], 'readelf').splitlines():
        words = line.split()
        if words[:1] == ['LOAD'] and 'E' in words[6:-1]:
            return tuple(int(words[i], 16) for i in (1, 2, 4))
    raise Failure(f'{path}: has no code')


def steps(valgrind, path, arguments, folder):
    """The address and length of each instruction of a run of PATH, which is not
    position-independent, in order."""
    trace = path + '.trace'
    done = subprocess.run([valgrind, '--tool=lackey', '--trace-mem=yes',
                           f'--log-file={trace}', path, *arguments],
                          cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)
    if done.returncode != 0:
        raise Failure(f'{path}: status {done.returncode}')
    _, low, size = code_segment(path)
    with open(trace, 'rb') as file:
        for match in re.finditer(rb'^I +([0-9a-f]+),(\d+)$', file.read(),
                                 re.M):
            address = int(match.group(1), 16)
            if low <= address < low + size:
                yield address, int(match.group(2))
    os.remove(trace)


def record(valgrind, path, arguments, folder, script):
    """Write what perf script would print of a run of PATH to SCRIPT: a stack of
    32 branches for every 31."""
    offset, address, size = code_segment(path)
    stack = []
    last = None
    last_bytes = 0
    with open(script, 'w', encoding='ascii') as file:
        file.write(f'PERF_RECORD_MMAP2 {PID}/{PID}: [{address:#x}'
                   f'({(size + 4095) // 4096 * 4096:#x}) @ {offset:#x} '
                   f'fe:00 1 0]: r-xp {path}\n')
        for now, length in steps(valgrind, path, arguments, folder):
            # An instruction that repeats is no branch.
            if last is not None and now not in (last, last + last_bytes):
                stack.append(f'{last:#x}/{now:#x}/P/-/-/1/ ')
                if len(stack) == DEPTH:
                    file.write(f' {now:x} ' + ' '.join(reversed(stack)) + '\n')
                    stack = stack[-1:]
            last, last_bytes = now, length
