# Allocate blocks of sizes that nothing else has, and write which frames of Python
# code each block is from: as sys._getframe shows them on the same line.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: python-frames.py TRUTH PART...
import asyncio
import ctypes
import gc
import os
import sys
import threading
import weakref

truth = []
kept = []
lock = threading.Lock()

# Through these, a block is allocated with and without the interpreter's lock.
unlocked = ctypes.CDLL(None)
locked = ctypes.PyDLL(None)
for library in unlocked, locked:
    library.malloc.restype = ctypes.c_void_p
    library.malloc.argtypes = [ctypes.c_size_t]


def note(size, most=256):
    """A block of SIZE bytes is allocated by the line that calls this."""
    chain = []
    frame = sys._getframe(1)
    while frame is not None and len(chain) < most:
        code = frame.f_code
        chain.append([code.co_qualname, code.co_filename, frame.f_lineno])
        frame = frame.f_back
    with lock:
        truth.append([size, chain])
    return size


def block(size):
    """Memory of SIZE bytes: an array has one more."""
    return size - 1


def leaf(size):
    kept.append(bytearray(block(note(size))))


class Box:
    def fill(self, size):
        leaf(size)
        return [leaf(size + i) for i in range(1, 4)]

    class Inner:
        @staticmethod
        def fill(size):
            (lambda: kept.append(bytearray(block(note(size)))))()

    def __del__(self):
        kept.append(bytearray(block(note(self.size))))


def generate(size):
    for i in range(3):
        yield bytearray(block(note(size + i)))
    try:
        yield
    finally:
        kept.append(bytearray(block(note(size + 3))))


def delegate(size):
    yield from generate(size)


def recurse(depth, size):
    if depth == 0:
        kept.append(bytearray(block(note(size))))
    else:
        recurse(depth - 1, size)


def recurse_in_c(depth, size):
    if depth == 0:
        kept.append(bytearray(block(note(size))))
    else:
        list(map(lambda _: recurse_in_c(depth - 1, size), [0]))


def part_calls():
    box = Box()
    box.fill(1000001)
    Box.Inner.fill(1000011)
    kept.extend(map(lambda i: bytearray(block(note(1000021 + i))), range(3)))
    sorted([3, 1, 2], key=lambda i: kept.append(bytearray(block(note(1000031 + i)))) or i)
    box.size = 1000041
    del box
    for item in delegate(1000051):
        kept.append(item)
    generator = generate(1000061)
    next(generator)
    generator.close()
    try:
        raise ValueError
    except ValueError:
        leaf(1000071)
    box = Box()
    box.size = 1000081
    box.self = box
    weakref.finalize(box, lambda: kept.append(bytearray(block(note(1000082)))))
    del box
    gc.collect()
    # A call over several lines.
    kept.append(
        bytearray(block(note(1000091))))
    exec("kept.append(bytearray(block(note(1000101))))")
    kept.extend([bytearray(block(note(1000111 + i))) for i in range(3)])
    kept.append({i: bytearray(block(note(1000121 + i))) for i in range(3)})


def part_depth():
    recurse(200, 1100001)
    recurse_in_c(40, 1100011)
    sys.setrecursionlimit(100000)
    recurse(5000, 1100021)


def part_code():
    """Code objects at addresses that others had."""
    addresses = set()
    for i in range(3000):
        size = 1200001 + i
        source = "\n" * (i % 7) + f"def f{i % 5}():\n  kept.append(bytearray(block(note({size}))))\nf{i % 5}()\nkept.pop()\n"
        code = compile(source, f"<generated {i}>", "exec")
        addresses.add(id(code))
        exec(code, globals())
    assert len(addresses) < 1000, addresses
    # The same one at different lines, and after its lines were changed.
    scope = {"kept": kept, "block": block, "note": note}
    exec("def g(n):\n  kept.append(bytearray(block(note(n))))\n", scope)
    scope["g"](1210001)
    scope["g"].__code__ = scope["g"].__code__.replace(
        co_firstlineno=100, co_name="changed", co_qualname="changed")
    scope["g"](1210002)
    scope["g"].__code__ = scope["g"].__code__.replace(
        co_name="名前", co_qualname="Klasse.größe", co_filename="/tmp/\udce9.py")
    scope["g"](1210003)


def part_threads():
    def work(number):
        for i in range(100):
            size = 1300001 + 1000 * number + i
            leaf(size)
            kept.pop()
            unlocked.free(ctypes.c_void_p(unlocked.malloc(note(size + 200))))
            locked.free(ctypes.c_void_p(locked.malloc(note(size + 400))))

    def nested(number):
        list(map(work, [number]))

    threads = [threading.Thread(target=nested, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def part_async():
    async def inner(size):
        await asyncio.sleep(0)
        leaf(size)
        return bytearray(block(note(size + 1)))

    async def outer():
        for result in await asyncio.gather(*(inner(1400001 + 10 * i) for i in range(5))):
            kept.append(result)

    asyncio.run(outer())


def part_callback():
    """C code calls Python code without the lock, from a sort in the C library."""
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    count = 0

    def order(a, b):
        nonlocal count
        count += 1
        kept.append(bytearray(block(note(1500001 + count))))
        return 0

    array = (ctypes.c_int * 4)(4, 3, 2, 1)
    unlocked.qsort(array, 4, ctypes.sizeof(ctypes.c_int), compare(order))


def part_fork():
    leaf(1600001)
    child = os.fork()
    if child == 0:
        leaf(1600002)
        exec("def in_child():\n  leaf(1600003)\nin_child()", globals())
        write(sys.argv[1] + ".child")
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0


def part_end():
    """Daemon threads, in C code and in Python code, when the interpreter ends."""
    def in_c():
        while True:
            unlocked.free(ctypes.c_void_p(unlocked.malloc(1700001)))

    def in_python():
        while True:
            bytearray(1700000)

    for _ in range(4):
        threading.Thread(target=in_c, daemon=True).start()
        threading.Thread(target=in_python, daemon=True).start()
    leaf(1700011)


def write(path):
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as out:
        for size, chain in truth:
            out.write(repr([size, chain]) + "\n")


for part in sys.argv[2:]:
    globals()["part_" + part]()
write(sys.argv[1])
