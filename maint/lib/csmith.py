# Random programs of csmith, with allocations in each of their blocks.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# csmith's programs do not allocate.  Each block of them gets a call of a macro
# of torture-blocks.h, which allocates, writes, keeps and at some time releases
# memory, so that their random call graphs are those of allocations.

import os
import re
import subprocess

from program import Program

SMALL = ('--max-funcs', '5', '--max-block-depth', '3', '--max-block-size', '3',
         '--max-expr-complexity', '5')
LARGE = ('--max-funcs', '15')
BLOCK = re.compile(r'^( *)\{ /\* block id: (\d+) \*/$', re.M)
# csmith itself may think for ever.
GENERATE_S = 60


def generate(seed, language, size, path):
    """Write the program of SEED to PATH; false if there is none."""
    command = ['csmith', '--seed', str(seed), *size]
    if language == 'c++':
        command += ['--lang-cpp', '--cpp11']
    try:
        # It leaves a file where it runs.
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

        # Its constants do not fit where they go, which C++ calls an error.
        more = ('-Wno-narrowing',) if language == 'c++' else ()
        yield Program(name, 'csmith', language, (name,),
                      ('-I/usr/include/csmith', '-include', header, *more),
                      make=make)
