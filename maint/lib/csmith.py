# Random programs made by csmith, with allocations in each block of code.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# csmith's programs do not allocate.  Each of their blocks gets a call of a macro
# in torture-blocks.h, which allocates memory, writes it, keeps it and later
# releases it, so that their random call graphs lead to allocations.

import os
import re
import subprocess

from program import RUN_S, Program

SMALL = ('--max-funcs', '5', '--max-block-depth', '3', '--max-block-size', '3',
         '--max-expr-complexity', '5')
LARGE = ('--max-funcs', '15')
BLOCK = re.compile(r'^( *)\{ /\* block id: (\d+) \*/$', re.M)
# csmith itself may not terminate.
GENERATE_S = 60
# Small programs run for less than half a second, or for very long.
SMALL_S = 1


def generate(seed, language, size, path):
    """Write the program of SEED to PATH; return False if csmith fails."""
    command = ['csmith', '--seed', str(seed), *size]
    if language == 'c++':
        command += ['--lang-cpp', '--cpp11']
    try:
        # csmith writes a file to its current folder.
        done = subprocess.run(command, capture_output=True, text=True,
                              check=False, timeout=GENERATE_S,
                              cwd=os.path.dirname(path))
    except subprocess.TimeoutExpired:
        return False
    if done.returncode != 0:
        return False
    text, blocks = BLOCK.subn(r'\1{ TORTURE_BLOCK (\2);', done.stdout)
    if blocks == 0:
        return False
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return True


def programs(first, last, header, small=False):
    """A program for each seed: every fourth in C++, every second small."""
    for seed in range(first, last + 1):
        language = 'c++' if seed % 4 == 3 else 'c'
        size = SMALL if small or seed % 2 == 0 else LARGE
        name = f'csmith-{seed}' + ('.c' if language == 'c' else '.cc')

        def make(folder, seed=seed, language=language, size=size, name=name):
            return generate(seed, language, size, os.path.join(folder, name))

        # Its constants do not fit their types, which is an error in C++.
        more = ('-Wno-narrowing',) if language == 'c++' else ()
        yield Program(name, 'csmith', language, (name,),
                      ('-I/usr/include/csmith', '-include', header, *more),
                      make=make, plain_s=SMALL_S if small else RUN_S)
