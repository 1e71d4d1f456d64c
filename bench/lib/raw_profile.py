# Write raw profiles (doc/raw-format.md) whose contexts have one call each.
# SPDX-License-Identifier: GPL-3.0-or-later

import struct

PAGE = 4096
MODULE_SPAN = 1 << 32

# Section kind -> bytes of a record.
RECORD_BYTES = {1: 16, 2: 128, 3: 96, 4: 1, 5: 16, 6: 256}


def mib(context):
    """A MIB of CONTEXT with one block of 16 bytes."""
    return struct.pack('<iiqihhii', context, 0, 16, 1, 1, 0, 1, 0) \
        + struct.pack('<9i', 0, 0, 0, 16, 16, 16, 0, 0, 0) \
        + struct.pack('<7i', *[0] * 7) \
        + struct.pack('<hhiqqq', 0, 0, 0, 0, 0, 0)


def header(extents):
    """The file's first page."""
    text = b'\x89HPRAW\r\n' + struct.pack('<III4BII', 0x01020304, 2, PAGE, 8,
                                          len(RECORD_BYTES), 0, 0, 62, 1)
    text += struct.pack('<16s13Q', b'bench', 0, 1, 1, 0, 1, 0, *[0] * 7)
    text = text.ljust(496, b'\0') + struct.pack('<QQ', len(RECORD_BYTES), 1)
    return (text + extents).ljust(PAGE, b'\0')


def write(path, modules):
    """Write the file PATH with a context for each return address of MODULES, a
    list of (path, build ID in hexadecimal, addresses)."""
    contexts = struct.pack('<QII', 0, 0, 0)
    mibs = bytes(RECORD_BYTES[2])
    segments = strings = b''
    number = 0
    for place, (name, build_id, addresses) in enumerate(modules, 1):
        start = place * MODULE_SPAN
        identity = bytes.fromhex(build_id)
        segments += struct.pack('<6Q4I32s', start, start + MODULE_SPAN, start,
                                len(strings), 0, 0, 0, 0, len(identity), 0,
                                identity)
        strings += name.encode() + b'\0'
        calls = []
        infos = []
        for address in addresses:
            number += 1
            calls.append(struct.pack('<QII', start + address, 0, number))
            infos.append(mib(number))
        contexts += b''.join(calls)
        mibs += b''.join(infos)
    sections = dict(zip(RECORD_BYTES, (contexts, mibs, segments, strings, b'',
                                       bytes(RECORD_BYTES[6]))))
    extents = body = b''
    for kind, data in sections.items():
        filled = data + bytes(-len(data) % PAGE)
        extents += struct.pack('<IIQQQ', kind, RECORD_BYTES[kind],
                               PAGE + len(body),
                               len(filled) // RECORD_BYTES[kind],
                               len(data) // RECORD_BYTES[kind])
        body += filled
    with open(path, 'wb') as file:
        file.write(header(extents) + body)
