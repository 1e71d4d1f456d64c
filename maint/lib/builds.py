# Builds of heapprof, and which results of another build apply to this one.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A build is identified by the contents of its parts; each mode depends on some of
# them.  Two builds with the same parts have the same results in a mode.

import hashlib
import os

SUFFIX = '.build'
COUNTING = ('plugin', 'specs', 'libheapprof', 'libheaphint', 'libheapprof-mip',
            'libheapprof-absent', 'linker')
USING = (*COUNTING, 'heapprof-gcov')
# The parts that each mode depends on; for modes that use a heap profile, also those
# that make it.
NEEDS = {
    'generate': COUNTING,
    'histogram': COUNTING,
    'use': USING,
    'place': USING,
    'mip-block': ('plugin', 'libheapprof-mip', 'linker'),
    'sample-use': ('plugin', 'linker'),
}


def digest(paths):
    """The digest of the files PATHS."""
    found = hashlib.sha256()
    for path in paths:
        with open(path, 'rb') as file:
            found.update(hashlib.sha256(file.read()).digest())
    return found.hexdigest()[:12]


def identity(parts):
    """The identity of the build of PARTS, {name: digest}."""
    text = '\n'.join(f'{name} {parts[name]}' for name in sorted(parts))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def write(path, parts):
    """Write PARTS to a file, unless it exists."""
    if os.path.exists(path):
        return
    with open(f'{path}.{os.getpid()}', 'w', encoding='utf-8') as file:
        file.writelines(f'{name} {parts[name]}\n' for name in sorted(parts))
    os.rename(file.name, path)


def read(path):
    """The parts written to PATH; {} if it does not exist."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding='utf-8') as file:
        return dict(line.split() for line in file)


def is_same(one, other, mode):
    """Whether the builds with parts ONE and OTHER have the same parts for MODE."""
    return all(name in one and one.get(name) == other.get(name)
               for name in NEEDS[mode])
