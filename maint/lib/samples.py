# Sample profiles of virtual calls, made of what the compiler says of them.
# SPDX-License-Identifier: GPL-3.0-or-later

import random
import re

FUNCTION = re.compile(r'^\s*\.type\s+(\S+), @function$')
LINE = re.compile(r'^\s*\.loc \d+ (\d+) \d+(?:.*\bdiscriminator (\d+))?')
CALL = re.compile(r'^\s*(?:call|jmp)\s+\*%')
TABLE = re.compile(r'\b_ZTV(?!N10__cxxabiv1)\w+')
# So many classes at a call at most.
CLASSES = 4


def places_of(text):
    """(function, line offset, discriminator) of each indirect call of the
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
    """The sample profile of a program whose assembler text is TEXT, with
    tables of virtual functions by chance; empty if there are none."""
    tables = sorted(set(TABLE.findall(text)))
    if not tables:
        return ''
    choose = random.Random(seed)
    lines = {}
    for function, offset, discriminator in places_of(text):
        # Where a function begins may be a line off.
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
