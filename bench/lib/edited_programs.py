# Programs whose sources are edited, and the shares of counts found again.
# SPDX-License-Identifier: GPL-3.0-or-later
"""match-edits.json describes the programs, what they run, and their edits
(source_edits.py)."""

import glob
import json
import os
import shutil

from process import Failure, check
from programs import BENCH

KINDS = ('inserted', 'removed', 'renamed', 'moved', 'split', 'merged', 'mixed')


def add_options(parser):
    parser.add_argument('--sources', action='append', default=[],
                        metavar='PROGRAM=FOLDER', help='the sources of a'
                        ' program; may be repeated')
    parser.add_argument('--edits', metavar='FILE', default=os.path.join(
        BENCH, 'match-edits.json'), help='the programs and their edits'
        ' (default: match-edits.json)')
    parser.add_argument('--edit', metavar='NAME', action='append',
                        help='only the edit NAME; may be repeated')
    parser.add_argument('--list', action='store_true',
                        help='show the result of each edit, too')


def choose_programs(options):
    """Pairs of each described program and the folder of its sources."""
    with open(options.edits, encoding='ascii') as file:
        known = {program['name']: program
                 for program in json.load(file)['programs']}
    chosen = []
    for text in options.sources:
        name, _, folder = text.partition('=')
        if name not in known:
            raise Failure(f'unknown program {name} (known: '
                          f'{", ".join(known)})')
        chosen.append((known[name], folder))
    if not chosen:
        raise Failure('no sources given: use --sources=PROGRAM=FOLDER')
    return chosen


def prepare(program, source, folder):
    """Copy the sources of PROGRAM to FOLDER."""
    base = os.path.join(folder, 'base')
    shutil.rmtree(base, ignore_errors=True)
    shutil.copytree(source, base)
    if 'prepare' in program:
        check(['sh', '-c', f'cd {base} && {program["prepare"]}'],
              f'preparing {program["name"]}')
    return base


def sources_of(program, folder):
    """The source files of PROGRAM in FOLDER."""
    omitted = program.get('omit', [])
    return [path for path in sorted(glob.glob(os.path.join(folder, '*.c')))
            if os.path.basename(path) not in omitted]


def write_files(program, folder):
    """Make FOLDER, with the files that PROGRAM reads."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, text in program.get('files', {}).items():
        with open(os.path.join(folder, name), 'w', encoding='ascii') as file:
            file.write(text * program.get('repeat', {}).get(name, 1))


def chosen_edits(program, options):
    return [edit for edit in program['edits']
            if not options.edit or edit['name'] in options.edit]


def mean(values):
    return sum(values) / len(values) if values and None not in values else None


def least(values):
    return min(values) if values and None not in values else None


def rows_of(results, row):
    """ROW (kind, program, results) for each kind and program, and for all."""
    rows = []
    for kind in KINDS:
        of_kind = [result for result in results if result.kind == kind]
        for program in dict.fromkeys(result.program for result in of_kind):
            rows.append(row(kind, program, [result for result in of_kind
                                            if result.program == program]))
    return rows + [row('all', '', results)]


def names_of(programs):
    """The names and versions of PROGRAMS, as choose_programs returns them."""
    return ', '.join(f'{program["name"]} {program["version"]}'
                     for program, _ in programs)
