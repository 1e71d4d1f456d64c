# Change heap profiles so that they do not fit, or so that contexts disagree.
# SPDX-License-Identifier: GPL-3.0-or-later

import random
import re

# Total lifetime and total lifetime access density of a block of each class, for
# LLVM's density thresholds and a lifetime threshold of 0.
CLASSES = ((1000, 1), (1000, 1000), (1000, 2000000))

MIB = re.compile(r'(AllocCount:\s*)(\d+)(.*?TotalLifetime:\s*)\d+'
                 r'(.*?TotalLifetimeAccessDensity:\s*)\d+', re.S)


def split(yaml, seed):
    """The heap profile YAML with a random class for each context, so that contexts
    of one allocation disagree."""
    choose = random.Random(seed)

    def change(match):
        count = max(int(match[2]), 1)
        lifetime, density = choose.choice(CLASSES)
        return (f'{match[1]}{count}{match[3]}{lifetime * count}'
                f'{match[4]}{density * count}')

    return MIB.sub(change, yaml)


def damage(octets, seed):
    """The bytes OCTETS, with some of them changed or the end cut off."""
    choose = random.Random(seed)
    damaged = bytearray(octets)
    if choose.random() < 0.2:
        return bytes(damaged[:choose.randrange(len(damaged))])
    for _ in range(choose.choice((1, 4, 32))):
        damaged[choose.randrange(len(damaged))] = choose.randrange(256)
    return bytes(damaged)


def edit(source, seed):
    """The C or C++ text SOURCE with line breaks added to some of its functions, so
    that their profiles no longer fit."""
    choose = random.Random(seed)
    lines = source.split('\n')
    edited = []
    for before, line in zip([''] + lines, lines):
        edited.append(line)
        if line.startswith('{') and not line.endswith('\\') \
                and not before.endswith('\\') and choose.random() < 0.5:
            edited.extend([''] * choose.choice((1, 3, 70)))
    return '\n'.join(edited)
