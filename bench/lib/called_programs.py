# A program of calls, and what a recording of its run has.
# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of the program are in levels; each calls some of the next
level, and inlined ones.  Their code is straight, so that the branches of a run
follow from the disassembly."""

import re
from typing import NamedTuple

from process import Failure, check
from recordings import Sample

LEVELS = 7
WIDTH = 12      # functions of a level
CALLS = 3       # of each function


class Function(NamedTuple):
    """A function of the program: addresses."""
    start: int
    end: int            # of its return
    calls: list         # (address, address after it, name of the callee)


def name_of(level, number):
    return f'f_{level}_{number % WIDTH}'


def write_source(path):
    with open(path, 'w', encoding='ascii') as file:
        file.write('static inline void add (volatile int *a, int i)\n'
                   '{\n  a[i] += i;\n}\n'
                   'static inline void add_both (volatile int *a, int i)\n'
                   '{\n  add (a, i);\n  add (a, i + 1);\n}\n')
        for level in reversed(range(LEVELS)):
            for i in range(WIDTH):
                file.write('__attribute__ ((noinline)) void '
                           f'{name_of(level, i)} (volatile int *a)\n{{\n'
                           f'  add_both (a, {i});\n')
                for call in range(CALLS if level + 1 < LEVELS else 0):
                    file.write(
                        f'  {name_of(level + 1, CALLS * i + call + level)} (a);'
                        f'\n  add (a, {call});\n')
                file.write('}\n')
        file.write('int main (void)\n{\n  static volatile int a[100];\n')
        for i in range(WIDTH):
            file.write(f'  {name_of(0, i)} (a);\n')
        file.write('  return 0;\n}\n')


def read_functions(path):
    """{name: Function} of the program PATH."""
    functions = {}
    name = None
    for line in check(['objdump', '-d', '--no-show-raw-insn', path],
                      'objdump').splitlines():
        header = re.match(r'[0-9a-f]+ <(f_\d+_\d+|main)>:$', line)
        code = re.match(r' +([0-9a-f]+):\t(\w+) *(?:[0-9a-f]+ <(\w+)>)?', line)
        if header:
            name = header.group(1)
            lines = []
        elif code and name:
            lines.append((int(code.group(1), 16), *code.groups()[1:]))
            if code.group(2).startswith('j'):
                raise Failure(f'{path}: {name} has a jump')
            if code.group(2).startswith('ret'):
                calls = [(lines[i][0], lines[i + 1][0], lines[i][2])
                         for i in range(len(lines))
                         if lines[i][1].startswith('call')]
                functions[name] = Function(lines[0][0], lines[-1][0], calls)
                name = None
    if 'main' not in functions or len(functions) != LEVELS * WIDTH + 1:
        raise Failure(f'{path}: lacks functions')
    return functions


def run(functions, name, stack):
    """Run function NAME, called with the return addresses STACK, innermost
    first.  Yield its branches, each with the stack then, whose first address is
    that of the next branch if this is a call; otherwise None."""
    function = functions[name]
    last = len(function.calls) - 1
    for number, (address, after, callee) in enumerate(function.calls):
        called = functions[callee]
        inner = [after, *stack]
        yield (address, called.start), \
            [called.calls[0][0], *inner] if called.calls else None
        yield from run(functions, callee, inner)
        yield (called.end, after), \
            [function.calls[number + 1][0], *stack] if number < last else None


def find_samples(path, depth, most):
    """At most MOST samples with DEPTH branches, spread over a run."""
    branches = []
    found = []
    for branch, stack in run(read_functions(path), 'main', []):
        branches.append(branch)
        if stack and len(branches) >= depth:
            found.append((len(branches), stack))
    step = max(1, len(found) // most)
    return [Sample(branches[end - depth:end][::-1], stack)
            for end, stack in found[::step][:most]]
