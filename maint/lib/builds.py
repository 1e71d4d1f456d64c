# Builds of heapprof, and which results of another build hold for this one.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A build is known by the contents of its parts: a part is what one or more modes
# need.  What a build that has the same parts did in a mode is what this one does.

import hashlib
import os

SUFFIX = '.build'
COUNTING = ('plugin', 'specs', 'libheapprof', 'libheaphint', 'libheapprof-mip',
            'libheapprof-absent', 'linker')
# What each mode needs; `use' also what makes its profile.
NEEDS = {
    'generate': COUNTING,
    'histogram': COUNTING,
    'use': (*COUNTING, 'heapprof-gcov'),
    'mip-block': ('plugin', 'libheapprof-mip', 'linker'),
    'sample-use': ('plugin', 'linker'),
}


def digest(paths):
    """What the files PATHS are known by together."""
    found = hashlib.sha256()
    for path in paths:
        with open(path, 'rb') as file:
            found.update(hashlib.sha256(file.read()).digest())
    return found.hexdigest()[:12]


def identity(parts):
    """What the build of PARTS, name -> digest, is known by."""
    text = '\n'.join(f'{name} {parts[name]}' for name in sorted(parts))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def write(path, parts):
    """Write PARTS down, unless that was done."""
    if os.path.exists(path):
        return
    with open(f'{path}.{os.getpid()}', 'w', encoding='utf-8') as file:
        file.writelines(f'{name} {parts[name]}\n' for name in sorted(parts))
    os.rename(file.name, path)


def read(path):
    """The parts written to PATH; none if that is absent."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding='utf-8') as file:
        return dict(line.split() for line in file)


def is_same(one, other, mode):
    """Whether the builds of parts ONE and OTHER are the same to MODE."""
    return all(name in one and one.get(name) == other.get(name)
               for name in NEEDS[mode])
