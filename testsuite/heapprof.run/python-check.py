# Compare the frames of Python code in a profile with what python-frames.py wrote.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: python-check.py PROFILE.json TRUTH FIRST-SIZE END-SIZE
#
# Print how many blocks of these sizes there are, and each context that differs.
import ast
import collections
import json
import sys

PYTHON = "<python>"


def encoded(text):
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


# By chain of frames: number of blocks, and their bytes.
expected = collections.defaultdict(lambda: [0, 0])
found = collections.defaultdict(lambda: [0, 0])
first, end = int(sys.argv[3]), int(sys.argv[4])
with open(sys.argv[2], encoding="utf-8", errors="surrogateescape") as truth:
    for line in truth:
        size, chain = ast.literal_eval(line)
        if first <= size < end:
            chain = tuple((encoded(f), encoded(p), n) for f, p, n in chain)
            expected[chain][0] += 1
            expected[chain][1] += size

with open(sys.argv[1], encoding="utf-8", errors="backslashreplace") as profile:
    contexts = json.load(profile)["contexts"]
for context in contexts:
    info = context["info"]
    if first <= info["min_size"] and info["max_size"] < end:
        frames = context["frames"]
        chain = tuple((f["function"], f["file"], f["line"]) for f in frames
                      if f["module"] == PYTHON)
        found[chain][0] += info["alloc_count"]
        found[chain][1] += info["total_size"]

# A context has at most 256 frames, those of C code included.
for chain in list(expected):
    if chain not in found:
        cut = [other for other in found if 60 < len(other) and other not in expected
               and other == chain[:len(other)]]
        if len(cut) == 1:
            found[chain] = found.pop(cut[0])

differences = [f"{found.get(chain)}, not {expected.get(chain)}: {chain[:6]}"
               for chain in expected.keys() | found.keys()
               if found.get(chain) != expected.get(chain)]
print(f"{sum(count for count, _ in expected.values())} blocks", *sorted(differences)[:20],
      sep="\n")
