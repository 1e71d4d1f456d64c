# Results as tables and as JSON.
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import math

HEADINGS = ('program', 'variant', 'CPU s', 'CPU ratio', 'peak MB',
            'peak ratio', 'raw file', 'processing s')


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def number(value, digits=2):
    return '-' if value is None else f'{value:.{digits}f}'


def size(count):
    """COUNT bytes, for people to read."""
    if not count:
        return '-'
    for unit in ('B', 'KB', 'MB'):
        if count < 1000:
            return f'{count:.0f} {unit}' if unit == 'B' or count >= 100 \
                else f'{count:.1f} {unit}'
        count /= 1000
    return f'{count:.2f} GB'


def row(result):
    if result.cpu_s is None:
        return (result.program, result.variant) + ('-',) * 6
    return (result.program, result.variant, number(result.cpu_s, 3),
            number(result.cpu_ratio), number(result.peak_kb / 1024, 1),
            number(result.peak_ratio), size(result.raw_bytes),
            number(result.processing_s))


def mean_rows(results):
    """The geometric means of each variant that is not the base."""
    rows = []
    for variant in dict.fromkeys(result.variant for result in results):
        measured = [result for result in results
                    if result.variant == variant and result.cpu_s is not None]
        if variant != 'plain' and measured:
            rows.append((
                f'mean of {len(measured)}', variant, '',
                number(geometric_mean([r.cpu_ratio for r in measured])), '',
                number(geometric_mean([r.peak_ratio for r in measured])),
                '', ''))
    return rows


def notes(results):
    """Why results are missing, a line for each reason."""
    reasons = {}
    for result in results:
        if result.absent:
            reasons.setdefault((result.variant, result.absent),
                               []).append(result.program)
    return [f'{variant} of {", ".join(programs)}: {why}'
            for (variant, why), programs in reasons.items()]


def columns(headings, rows, left=2):
    """A plain table; the first LEFT columns are text."""
    table = [headings] + rows
    widths = [max(len(line[i]) for line in table)
              for i in range(len(headings))]
    return '\n'.join('  '.join(cell.ljust(width) if i < left
                               else cell.rjust(width)
                               for i, (cell, width)
                               in enumerate(zip(line, widths))).rstrip()
                     for line in table)


def markdown_columns(headings, rows, left=2):
    table_lines = [headings, ['---' if i < left else '---:'
                              for i in range(len(headings))]] + rows
    return '\n'.join('| ' + ' | '.join(line) + ' |' for line in table_lines)


def table(headings, rows, markdown, left=2):
    return (markdown_columns if markdown else columns)(headings, rows, left)


def lines(texts, markdown):
    """TEXTS as separate lines, also in Markdown."""
    return ('  \n' if markdown else '\n').join(texts)


def text(results, heading, markdown):
    """The whole report: HEADING's lines, the table, and notes."""
    rows = [row(result) for result in results] + mean_rows(results)
    parts = [lines(heading, markdown), table(HEADINGS, rows, markdown),
             lines(notes(results), markdown)]
    return '\n\n'.join(filter(None, parts)) + '\n'


def as_json(results, heading):
    return json.dumps({'measured': heading,
                       'results': [result._asdict() for result in results]},
                      indent=1) + '\n'
