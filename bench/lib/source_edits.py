# Edits of C programs, described as data.
# SPDX-License-Identifier: GPL-3.0-or-later
"""An edit is an object with the member `op':

insert   lines LINES into the function IN of FILE, after the line AFTER
rename   the function FROM to TO, in all files
move     the function IN of FILE to the end of TO, with a declaration at its old
         place
split    COUNT lines of the function IN of FILE, from the line FROM on, become
         a new function: HEAD is its declaration, LOCALS are its variables,
         RESULT is its end, CALL replaces the lines

Lines are compared without the spaces around them.  A function starts in the
first column, and ends with a brace there."""

import glob
import os
import re

from process import Failure


def text_of(path):
    with open(path, encoding='latin-1') as file:
        return file.read()


def write(path, lines):
    with open(path, 'w', encoding='latin-1') as file:
        file.write('\n'.join(lines))


def lines_of(path):
    return text_of(path).split('\n')


def is_definition(lines, i, name):
    """True if line I begins the parameters of the definition of NAME."""
    if not re.match(r'[A-Za-z](?!.*;\s*$).*?\b' + re.escape(name) + r'\s*\(|'
                    + re.escape(name) + r'\s*\((?!.*;\s*$)', lines[i]):
        return False
    for line in lines[i:i + 12]:
        if line.startswith('{') or line.rstrip().endswith('{'):
            return True
        if line.rstrip().endswith(';'):
            return False
    return False


def find_function(lines, name, path):
    """The first and last line of the definition of NAME."""
    for i in range(len(lines)):
        if not is_definition(lines, i, name):
            continue
        start = i
        while start > 0 and re.match(r'[A-Za-z_][\w *]*$', lines[start - 1]):
            start -= 1
        for end in range(i, len(lines)):
            if lines[end].rstrip() == '}':
                return start, end
    raise Failure(f'{path}: no function {name}')


def find_line(lines, text, first, last, path):
    for i in range(first, last + 1):
        if lines[i].strip() == text.strip():
            return i
    raise Failure(f'{path}: no line {text!r}')


def insert(folder, edit):
    path = os.path.join(folder, edit['file'])
    lines = lines_of(path)
    start, end = find_function(lines, edit['in'], path)
    at = find_line(lines, edit['after'], start, end, path) + 1
    lines[at:at] = edit['lines']
    write(path, lines)


def rename(folder, edit):
    for path in glob.glob(os.path.join(folder, '*.[ch]')):
        text = text_of(path)
        changed = re.sub(r'\b' + edit['from'] + r'\b(?!\.h")', edit['to'], text)
        if changed != text:
            write(path, changed.split('\n'))


def declaration(lines):
    """The declaration of the function that is defined by LINES."""
    head = []
    for line in lines:
        before, brace, _ = line.partition('{')
        head.append(before)
        if brace:
            break
    return (' '.join(head).rstrip() + ';').split('\n')


def move(folder, edit):
    path = os.path.join(folder, edit['file'])
    lines = lines_of(path)
    start, end = find_function(lines, edit['in'], path)
    moved = lines[start:end + 1]
    if edit['to'] == edit['file']:
        lines[start:end + 1] = declaration(moved)
        write(path, lines + [''] + moved + [''])
        return
    lines[start:end + 1] = []
    write(path, lines)
    target = os.path.join(folder, edit['to'])
    write(target, lines_of(target) + [''] + moved + [''])


def split(folder, edit):
    path = os.path.join(folder, edit['file'])
    lines = lines_of(path)
    start, end = find_function(lines, edit['in'], path)
    first = find_line(lines, edit['from'], start, end, path)
    last = first + edit['count'] - 1
    part = [edit['head'], '{', *edit.get('locals', []), *lines[first:last + 1],
            *edit.get('result', []), '}', '']
    lines[first:last + 1] = edit['call']
    lines[start:start] = part
    write(path, lines)


OPERATIONS = {'insert': insert, 'rename': rename, 'move': move, 'split': split}


def apply(folder, edits):
    """Apply EDITS, a list, to the sources in FOLDER."""
    for edit in edits:
        OPERATIONS[edit['op']](folder, edit)
