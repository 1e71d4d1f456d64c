# Make sample profiles of virtual calls from the compiler's assembler output.
# SPDX-License-Identifier: GPL-3.0-or-later

import random
import re

FUNCTION = re.compile(r'^\s*\.type\s+(\S+), @function$')
LINE = re.compile(r'^\s*\.loc \d+ (\d+) \d+(?:.*\bdiscriminator (\d+))?')
CALL = re.compile(r'^\s*(?:call|jmp)\s+\*%')
TABLE = re.compile(r'\b_ZTV(?!N10__cxxabiv1)\w+')
# Maximum number of classes at a call.
CLASSES = 4


def places_of(text):
    """(function, line offset, discriminator) of each indirect call in the
    assembler TEXT, which has line numbers."""
    function = start = line = None
    discriminator = 0
    for row in text.splitlines():
        found = FUNCTION.match(row)
        if found:
            function, start = found[1], None
        found = LINE.match(row)
        if found:
            line, discriminator = int(found[1]), int(found[2] or 0)
            start = line if start is None else start
        if start is not None and CALL.match(row) and line >= start:
            yield function, line - start, discriminator


def of_assembler(text, seed):
    """The sample profile of a program with the assembler text TEXT, with random
    virtual tables; empty if there are none."""
    tables = sorted(set(TABLE.findall(text)))
    if not tables:
        return ''
    choose = random.Random(seed)
    lines = {}
    for function, offset, discriminator in places_of(text):
        # The first line of a function may be off by one.
        for near in (offset - 1, offset, offset + 1):
            if near >= 0:
                place = f'{near}.{discriminator}' if discriminator else near
                seen = choose.sample(tables, min(CLASSES, len(tables)))
                counts = ' '.join(f'{table}:{choose.choice((1, 10, 100))}'
                                  for table in seen)
                lines.setdefault(function, {})[place] = \
                    f' {place}: vtables {counts} \n'
    return ''.join(f'{function}:100:10\n' + ''.join(places.values())
                   for function, places in lines.items())
