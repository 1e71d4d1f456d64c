# Change heap profiles so that they do not fit, or so that contexts disagree.
# SPDX-License-Identifier: GPL-3.0-or-later

import random
import re
import struct
import zlib

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


FRAME = re.compile(r'Function: (0x[0-9a-f]+), LineOffset: (\d+), Column: (\d+)')
MASK = 2 ** 64 - 1
SECTION_MAGIC = b'\x89HPSEC\r\n'
CLASSES_BLOCK, GROUPS_BLOCK = 130, 133


def call_hash(function, line_offset, column):
    """The hash of a call, as in libprofdata/memprof/stack-classes.h."""
    hashed = function * 0x9e3779b97f4a7c15 & MASK
    hashed ^= hashed >> 32 ^ line_offset << 33 ^ column << 1
    hashed = hashed * 0xd6e8feb86659fd93 & MASK
    return hashed ^ hashed >> 32


def read_section(octets):
    """The blocks of the section of the profile OCTETS, by kind, each with its
    encoding and plain size, and the offset of the section."""
    start, = struct.unpack('<Q', octets[-32:-24])
    assert octets[start:start + 8] == SECTION_MAGIC
    at = start + 16
    blocks = {}
    for _ in range(struct.unpack('<I', octets[start + 12:at])[0]):
        kind, encoding, stored, plain = struct.unpack('<IIQQ', octets[at:at + 24])
        blocks[kind] = encoding, plain, octets[at + 24:at + 24 + stored]
        at += 24 + stored + -stored % 8
    return blocks, start


def place(octets, yaml, seed):
    """The profile OCTETS, whose LLVM's part is YAML, with a random class for each
    context, a token for a third of all calls and a group for each.  See
    doc/profdata-extension.md."""
    choose = random.Random(seed)
    blocks, start = read_section(octets)
    # Without contexts there is no such block.
    encoding, _, classes = blocks.get(CLASSES_BLOCK, (0, 8, bytes(8)))
    assert encoding == 0
    count, = struct.unpack('<Q', classes[:8])
    stacks = struct.unpack(f'<{count}Q', classes[8:8 + 8 * count])
    calls = sorted({call_hash(int(function, 16), int(offset), int(column))
                    for function, offset, column in FRAME.findall(yaml)})
    # Classes: temporary, hot, warm, cold; 8: a token decides.  Tokens: temporary,
    # hot, cold.
    made = [stack & ~15 | choose.choice((1, 2, 2, 3, 4, 4)) | choose.choice((0, 8))
            for stack in stacks]
    made += [call & ~15 | choose.choice((1, 2, 4)) for call in calls
             if choose.random() < 1 / 3]
    blocks[CLASSES_BLOCK] = 0, 0, struct.pack(f'<{1 + len(made)}Q', count, *made)
    blocks[GROUPS_BLOCK] = 0, 0, struct.pack(
        f'<{len(calls)}Q', *(call & ~15 | choose.randrange(1, 16) for call in calls))
    return write_section(octets[:start], blocks)


def write_section(octets, blocks):
    """OCTETS, a multiple of 8, with a section of BLOCKS and its trailer."""
    section = SECTION_MAGIC + struct.pack('<II', 3, len(blocks))
    for kind, (encoding, plain, stored) in sorted(blocks.items()):
        section += struct.pack('<IIQQ', kind, encoding, len(stored),
                               plain if encoding else len(stored))
        section += stored + bytes(-len(stored) % 8)
    whole = octets + section + struct.pack('<QQI', len(octets), len(section), 3)
    return whole + struct.pack('<I', zlib.crc32(whole)) + SECTION_MAGIC


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
