#!/usr/bin/env python3
# Print a profile of gcc -fauto-profile, read without heapprof's library.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# For each function a line: name, source file, head, time of the first run; then
# its locations and inlined functions, indented; all in file order.

import struct
import sys

data = open(sys.argv[1], "rb").read()
at = 0


def u32():
    global at
    at += 4
    return struct.unpack_from("<I", data, at - 4)[0]


def counter():
    low = u32()
    return u32() << 32 | low


def string(version):
    global at
    n = u32() * (4 if version == 1 else 1)
    text = data[at:at + n]
    if len(text) != n or not text.endswith(b"\0"):
        sys.exit(f"offset {at}: not a string")
    at += n
    return text.rstrip(b"\0").decode()


def tag(expected):
    found = u32()
    if found != expected:
        sys.exit(f"offset {at - 4}: tag {found:#x}, expected {expected:#x}")


def place(offset):
    line = offset >> 16
    discriminator = offset & 0xffff
    return f"{line}.{discriminator}" if discriminator else str(line)


def instance(names, start, indent):
    name = names[u32()]
    locations, inlined = u32(), u32()
    print(f"{' ' * indent}{start}{name[0]}"
          f"{' (' + name[1] + ')' if name[1] else ''}", end="")
    yield
    for _ in range(locations):
        where = place(u32())
        targets, count = u32(), counter()
        text = ""
        for _ in range(targets):
            kind, target, n = u32(), counter(), counter()
            if kind != 7:
                sys.exit(f"offset {at}: target of kind {kind}")
            text += f" {names[target][0]}:{n}"
        print(f"{' ' * indent}  {where}: {count}{text}")
    for _ in range(inlined):
        body = instance(names, f"{place(u32())}: ", indent + 2)
        next(body)
        print()
        for _ in body:
            pass


if u32() != 0x67636461:
    sys.exit("no magic number")
version = u32()
u32()
print(f"version {version}")
if version == 3:
    tag(0xa8000000)
    total, most, head, counts, functions = (counter() for _ in range(5))
    print(f"summary: total {total}, greatest {most}, counts {counts}, "
          f"functions {functions}")
    for _ in range(counter()):
        u32(), counter(), counter()
tag(0xaa000000)
u32()
files = [string(version) for _ in range(u32())] if version == 3 else []
names = []
for _ in range(u32()):
    name = string(version)
    number = u32() if version == 3 else 0xffffffff
    names.append((name, files[number] if number < len(files) else None))
tag(0xac000000)
u32()
for _ in range(u32()):
    head = counter()
    time = counter() if version == 3 else None
    body = instance(names, "", 0)
    next(body)
    print(f" head {head}" + (f" time {time}" if time is not None else ""))
    for _ in body:
        pass
tag(0xae000000)
if (u32(), u32()) != (0, 0):
    sys.exit(f"offset {at}: modules")
