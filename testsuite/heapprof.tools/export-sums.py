"""Read an exported profile and print the sum of each of its numbers.
SPDX-License-Identifier: GPL-3.0-or-later

Usage: export-sums.py FORMAT FILE

Each line printed is `NAME SUM', then `stack FUNCTION;... NUMBERS' for each
calling context, outermost function first.  Assertions check the format's rules."""

import csv
import gzip
import json
import sys


def print_result(names, samples):
    for i, name in enumerate(names):
        print(name, sum(values[i] for stack, values in samples))
    for stack, values in sorted(samples):
        print("stack", ";".join(stack), *values)


def folded(file):
    samples = []
    with open(file) as lines:
        for line in lines:
            stack, value = line.rstrip("\n").rsplit(" ", 1)
            samples.append((stack.split(";"), [int(value)]))
    return ["value"], samples


def speedscope(file):
    data = json.load(open(file))
    assert data["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = data["shared"]["frames"]
    profile, = data["profiles"]
    assert profile["type"] == "sampled" and profile["startValue"] == 0
    assert profile["unit"] in ("bytes", "nanoseconds", "none")
    assert len(profile["samples"]) == len(profile["weights"])
    assert profile["endValue"] == sum(profile["weights"])
    return [profile["name"]], [
        ([frames[i]["name"] for i in stack], [weight])
        for stack, weight in zip(profile["samples"], profile["weights"])]


def dhat(file):
    data = json.load(open(file))
    assert data["dhatFileVersion"] == 2
    # Keys that dh_view.js requires; no lifetimes and accesses in DHAT's sense.
    for key in "mode", "verb", "tu", "Mtu", "cmd", "pid", "te":
        assert key in data, key
    assert not data["bklt"] and not data["bkacc"]
    assert data["ftbl"][0] == "[root]"
    keys = ["tb", "tbk"]
    return keys, [
        ([data["ftbl"][i].split(" (")[0] for i in reversed(point["fs"])],
         [point[key] for key in keys]) for point in data["pps"]]


def table(file):
    keys = ["bytes", "allocations", "accesses", "lifetime", "live_bytes",
            "live_blocks"]
    samples = []
    with open(file, newline="") as lines:
        for row in csv.DictReader(lines, strict=True):
            assert None not in row and None not in row.values()
            samples.append((row["context"].split(" < ")[::-1],
                            [int(row[key] or 0) for key in keys]))
    return keys, samples


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """The fields of a protobuf message: number -> list of values."""
    found = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        else:
            value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        else:
            assert key & 7 in (0, 1), key
        found.setdefault(key >> 3, []).append(value)
    assert at == len(data)
    return found


def numbers(data):
    found = []
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found


def pprof(file):
    profile = fields(gzip.open(file).read())
    strings = [text.decode() for text in profile[6]]
    assert strings[0] == ""
    functions = {f[1][0]: f for f in map(fields, profile[5])}
    locations = {f[1][0]: f for f in map(fields, profile[4])}
    mappings = {f[1][0]: f for f in map(fields, profile.get(3, []))}
    assert len(functions) == len(profile[5]) and 0 not in functions
    assert len(locations) == len(profile[4]) and 0 not in locations
    for location in locations.values():
        assert 2 not in location or location[2][0] in mappings
    types = [[strings[f[i][0]] for i in (1, 2)] for f in map(fields, profile[1])]
    assert strings[profile[14][0]] in [name for name, unit in types]
    samples = []
    for sample in map(fields, profile[2]):
        stack = []
        for number in numbers(sample[1][0]):
            line = fields(locations[number][4][0])
            stack.insert(0, strings[functions[line[1][0]][2][0]].split("(")[0])
        values = numbers(sample[2][0])
        assert len(values) == len(types)
        samples.append((stack, values))
    return [name for name, unit in types], samples


def number(message, field):
    return message.get(field, [0])[0]


def read_otlp(file):
    """The profiles and the tables of an OTLP file, checked by the rules of the
    protocol's conformance checker: tables start with an empty entry, places are in
    their tables, nothing is there twice or without being referred to."""
    data = fields(open(file, "rb").read())
    (resource,), (dictionary,) = data[1], data[2]
    resource, dictionary = fields(resource), fields(dictionary)
    assert sorted(data) == [1, 2] and sorted(resource) == [1, 2]
    tables = {table: list(map(fields, dictionary[table]))
              for table in (1, 2, 3, 4, 6, 7)}
    strings = tables[5] = [text.decode() for text in dictionary[5]]
    assert strings[0] == "" and len(set(strings)) == len(strings)
    used = {table: {0} for table in tables}

    def place(message, field, table):
        index = number(message, field)
        assert index < len(tables[table]), (index, table)
        used[table].add(index)
        return tables[table][index]

    def places(message, field, table):
        indices = numbers(message[field][0]) if field in message else []
        assert len(set(indices)) == len(indices) or table == 2
        return [place({0: [index]}, 0, table) for index in indices]

    for table in (1, 2, 3, 4, 6, 7):
        assert tables[table][0] == {}
    profiles = [fields(profile) for profile in fields(resource[2][0])[2]]
    for profile in profiles:
        kind = fields(profile[1][0])
        profile["name"] = place(kind, 1, 5)
        assert place(kind, 2, 5) in ("bytes", "count", "nanoseconds")
        assert len(profile[7][0]) == 16
        profile["stacks"] = []
        for sample in map(fields, profile.get(2, [])):
            value, = numbers(sample[4][0])
            functions = [
                place(function, 1, 5) for location in places(
                    place(sample, 1, 7), 1, 2)
                for function in [place(fields(location[3][0]), 1, 3)]]
            profile["stacks"].append((tuple(functions[::-1]), value))
    attributes = []
    for location in tables[2]:
        place(location, 1, 1)
        attributes += places(location, 4, 6)
    for mapping in tables[1]:
        place(mapping, 4, 5)
        assert number(mapping, 1) == number(mapping, 2) or (
            number(mapping, 1) < number(mapping, 2))
        attributes += places(mapping, 5, 6)
    for attribute in attributes:
        place(attribute, 1, 5)
    for function in tables[3]:
        for field in 1, 2, 3:
            place(function, field, 5)
    for table in used:
        assert used[table] == set(range(len(tables[table]))), table
    return resource, profiles, tables


def otlp(file):
    resource, profiles, tables = read_otlp(file)
    stacks = {}
    for i, profile in enumerate(profiles):
        for stack, value in profile["stacks"]:
            values = stacks.setdefault(stack, [0] * len(profiles))
            assert values[i] == 0 and value != 0
            values[i] = value
    return [profile["name"] for profile in profiles], [
        ([name.split("(")[0] for name in stack], values)
        for stack, values in stacks.items()]


def otlp_facts(file):
    """What is not in the samples: the resource, times, mappings."""
    resource, profiles, tables = read_otlp(file)
    service = fields(fields(resource[1][0])[1][0])
    print(service[1][0].decode(), fields(service[2][0])[1][0].decode())
    start, duration = (
        {number(profile, field) for profile in profiles} for field in (3, 4))
    print("start", *start, "duration", *duration)
    print("ids", len({profile[7][0] for profile in profiles}) == len(profiles))
    for mapping in tables[1][1:]:
        print("mapping", tables[5][number(mapping, 4)], *(
            fields(tables[6][index][2][0])[1][0].decode()
            for index in (numbers(mapping[5][0]) if 5 in mapping else [])))
    return [], []


def mappings(file):
    """The names of pprof's mappings, in order."""
    profile = fields(gzip.open(file).read())
    strings = [text.decode() for text in profile[6]]
    for mapping in map(fields, profile.get(3, [])):
        print("mapping", strings[mapping[5][0]])
    return [], []


def callgrind(file):
    """The self costs of functions, which must add up to the summary."""
    names, summary, samples, is_call = [], [], [], False
    with open(file) as lines:
        for line in lines:
            key, separator, rest = line.rstrip("\n").partition(":")
            if separator and key == "events":
                names = rest.split()
            elif separator and key == "summary":
                summary = [int(number) for number in rest.split()]
            elif line[:1].isdigit():
                place, *values = map(int, line.split())
                if not is_call:
                    samples.append((["line %d" % place], values))
            is_call = line.startswith("calls=")
    assert summary == [sum(column) for column in zip(*(v for s, v in samples))]
    return names, samples


def shown(file):
    """The output of show --json, whose contexts must add up to its totals."""
    data = json.load(open(file))
    keys = {"bytes": ("total_size", "unfinished_bytes"),
            "allocations": ("alloc_count", "unfinished_count"),
            "accesses": ("total_access_count",),
            "lifetime": ("total_lifetime_ns",),
            "live_bytes": ("live_bytes",), "live_blocks": ("live_count",)}
    values = lambda info: [sum(info[key] for key in group)
                           for group in keys.values()]
    samples = [([frame["function"] for frame in reversed(context["frames"])],
                values(context["info"])) for context in data["contexts"]]
    assert (values(data["totals"]["info"])
            == [sum(column) for column in zip(*(v for s, v in samples))])
    return list(keys), samples


READERS = {"folded": folded, "speedscope": speedscope, "dhat": dhat,
           "csv": table, "pprof-mappings": mappings, "pprof": pprof,
           "otlp": otlp, "otlp-facts": otlp_facts, "callgrind": callgrind, "json": shown}
print_result(*READERS[sys.argv[1]](sys.argv[2]))
