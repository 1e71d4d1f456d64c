# Recordings of branches and stacks, as perf writes them.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import struct
from typing import NamedTuple

from process import Failure, check

PID = 7

# The fields of each sample: identifier, address, process, time, branches; and
# the stack.
SAMPLE_TYPE = 1 << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 11
CALLERS = 1 << 5
# All records have identifiers; mappings are recorded.
FLAGS = 1 << 18 | 1 << 8 | 1 << 23
ATTRIBUTE_BYTES = 128


class Sample(NamedTuple):
    """A sample: its branches, newest first, and the stack, innermost first,
    which may be empty; otherwise its first address is the sample's."""
    branches: list      # of (from, to)
    callers: list


def find_code(path):
    """The code segment of PATH: offset, address, bytes."""
    for line in check(['readelf', '-lW', path], 'readelf').splitlines():
        words = line.split()
        if words[:1] == ['LOAD'] and 'E' in words[6:-1]:
            offset, address, size = (int(words[i], 16) for i in (1, 2, 4))
            return offset, address, (size + 4095) // 4096 * 4096
    raise Failure(f'{path}: has no code')


def record(kind, misc, body):
    return struct.pack('<IHH', kind, misc, 8 + len(body)) + body


def padded(text):
    data = text.encode() + b'\0'
    return data + bytes(-len(data) % 8)


def numbers(values):
    return struct.pack(f'<{len(values)}Q', *values)


def sample_data(sample):
    """A record of perf.data."""
    ip = sample.callers[0] if sample.callers else sample.branches[0][0]
    body = struct.pack('<QQIIQ', 1, ip, PID, PID, 2)
    if sample.callers:
        body += numbers([len(sample.callers), *sample.callers])
    body += numbers([len(sample.branches)])
    for branch in sample.branches:
        body += numbers([*branch, 2])
    return record(9, 2, body)


def sample_text(sample):
    """What perf script prints."""
    branches = ''.join(f'{start:#x}/{end:#x}/P/-/-/1/  '
                       for start, end in sample.branches) + '\n'
    if not sample.callers:
        return f' {sample.branches[0][0]:x} {branches}'
    return '\n' + ''.join(f'\t{caller:x}\n' for caller in sample.callers) \
        + ' ' + branches


def write_data(output, path, samples, count):
    """Write the file OUTPUT: SAMPLES of the program PATH, again and again until
    there are COUNT, as perf.data."""
    offset, address, size = find_code(path)
    identity = struct.pack('<IIQQ', PID, PID, 1, 1)
    mapping = record(10, 2, struct.pack(
        '<IIQQQIIQQII', PID, PID, address, size, offset, 0, 0, 0, 0, 5, 2)
        + padded(path) + identity)
    records = [sample_data(sample) for sample in samples]
    fields = SAMPLE_TYPE | (CALLERS if samples[0].callers else 0)
    attribute = struct.pack('<IIQQQQQ', 4, ATTRIBUTE_BYTES, 0, 1, fields, 0,
                            FLAGS)
    attribute += bytes(ATTRIBUTE_BYTES - len(attribute))
    start = 104 + len(attribute) + 16
    bytes_in_all = len(mapping) + sum(len(records[i % len(records)])
                                      for i in range(count))
    with open(output, 'wb') as file:
        file.write(struct.pack('<QQQQQQQQQ', 0x32454c4946524550, 104,
                               len(attribute) + 16, 104, len(attribute) + 16,
                               start, bytes_in_all, 0, 0) + bytes(32))
        file.write(attribute + struct.pack('<QQ', 0, 0) + mapping)
        for i in range(count):
            file.write(records[i % len(records)])


def write_text(output, path, samples, count):
    """The same as perf script prints it."""
    offset, address, size = find_code(path)
    texts = [sample_text(sample) for sample in samples]
    with open(output, 'w', encoding='ascii') as file:
        file.write(f'PERF_RECORD_MMAP2 {PID}/{PID}: [{address:#x}({size:#x}) @ '
                   f'{offset:#x} fe:00 1 0]: r-xp {path}\n')
        for i in range(count):
            file.write(texts[i % len(texts)])


def write_both(folder, name, path, samples, count):
    """NAME.data and NAME.script in FOLDER."""
    stem = os.path.join(folder, name)
    write_data(stem + '.data', path, samples, count)
    write_text(stem + '.script', path, samples, count)
