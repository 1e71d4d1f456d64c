# Read the directives in GCC's tests: dg-options, dg-do and so on.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# GCC's test drivers are written in Tcl, and so are these directives.  Only those
# for compiling and running programs on x86-64 GNU/Linux are read; if a test is not
# for this machine, it fails without the plugin, too.

import fnmatch
import re
from typing import NamedTuple

TRIPLET = 'x86_64-pc-linux-gnu'
DIRECTIVE = re.compile(r'\{[ \t]+(dg-[-a-z]+)[ \t]+(.*)[ \t]+\}')
# Effective targets that are false: other machines, other systems, other ways to
# configure GCC.  All others are assumed to be true.
ABSENT = re.compile(
    r'(aarch64|arm|alpha|avr_|coldfire|csky|hppa|mips|msp430|nvptx|powerpc|ppc'
    r'|rs6000|riscv|s390|sparc|vmx|vsx|epiphany|tic6x|offload|amdgcn|newlib'
    r'|vxworks|darwin|mingw|tune_cortex)\w*'
    r'|ia32|ilp32|llp64|x32|int16|short_eq_int|ptr_eq_short|default_packed'
    r'|freestanding|uclibc|nonpic|hwaddress_exec|run_expensive_tests'
    r'|fixed_point|tls_emulated|openacc_\w*_accel\w*')
# Options that only write additional files, or that compile twice.
UNWANTED = re.compile(r'-(fdump.*|save-temps.*|fopt-info.*|fcompare-debug.*'
                      r'|dumpbase|d[apPA]|fdiagnostics-(format|color|urls).*)$')
DIALECT = re.compile(r'\bc\+\+(\d[\da-z])(_only|_down)?\b')
NOT_DIALECT = re.compile(r'!\s*c\+\+(\d[\da-z])')
NOT_BOUND = re.compile(r'!\s*c\+\+\d[\da-z]_\w+')
OTHER_NAMES = {'2a': 20, '2b': 23}
# The default of g++.
DEFAULT_DIALECT = 17
YEARS = (98, 11, 14, 17, 20, 23, 26)
SPELLED = ('98', '11', '14', '17', '20', '2b', '26')


class Directives(NamedTuple):
    """The directives of one test."""
    run: bool               # has dg-do run
    compile_only: bool      # has dg-do with another action
    flags: tuple            # dg-options, dg-additional-options
    has_options: bool       # has dg-options
    sources: tuple          # dg-additional-sources and auxiliary modules
    modules: tuple
    fails: bool             # dg-shouldfail
    environment: dict
    dialect: str            # an option for the dialect of C++, or ''


def words_of(text):
    """The elements of the Tcl list TEXT."""
    words = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
        elif text[place] == '{':
            end = closing_brace(text, place)
            words.append(text[place + 1:end])
            place = end + 1
        elif text[place] == '"':
            end = place + 1
            while end < len(text) and text[end] != '"':
                end += 2 if text[end] == '\\' else 1
            words.append(re.sub(r'\\(.)', r'\1', text[place + 1:end]))
            place = end + 1
        else:
            end = place
            while end < len(text) and not text[end].isspace():
                end += 1
            words.append(text[place:end])
            place = end
    return words


def closing_brace(text, place):
    depth = 0
    while place < len(text):
        if text[place] == '\\':
            place += 1
        elif text[place] == '{':
            depth += 1
        elif text[place] == '}':
            depth -= 1
            if depth == 0:
                return place
        place += 1
    return len(text)


def holds(selector):
    """Whether SELECTOR, the words of a target or xfail, matches this machine."""
    if len(selector) == 1:
        inner = words_of(selector[0])
        return holds(inner) if len(inner) != 1 or inner != selector \
            else holds_word(selector[0])
    if selector and selector[0] == '!':
        return not holds(selector[1:])
    for operator, both in (('||', any), ('&&', all)):
        if operator in selector:
            place = selector.index(operator)
            return both((holds(selector[:place]), holds(selector[place + 1:])))
    return any(holds([word]) for word in selector)


def holds_word(word):
    if word.count('-') >= 2 or '*' in word:
        return fnmatch.fnmatchcase(TRIPLET, word)
    return ABSENT.fullmatch(word) is None


def applies(words):
    """Whether a directive that ends in WORDS, `target' and a selector or
    nothing, applies to this machine."""
    if words[:1] in (['target'], ['xfail']):
        return words[0] == 'target' and holds(words[1:])
    return True


def selected(words):
    """The same for words that may be in braces."""
    return all(applies(words_of(word)) for word in words)


def wanted(flags):
    return [flag for flag in flags.split() if not UNWANTED.match(flag)]


def dialect_option(text):
    """The option for the dialect that the selector TEXT of a test requires."""
    # Any other requirement is met by the default.
    text = NOT_BOUND.sub('', text)
    found = DIALECT.findall(text)
    if not found:
        return ''
    negated = NOT_DIALECT.search(text)
    name, bound = (negated[1], '') if negated else found[0]
    year = OTHER_NAMES.get(name) or int(name)
    place = YEARS.index(year) if year in YEARS else len(YEARS) - 1
    if negated:
        # An earlier dialect.
        return f'-std=gnu++{SPELLED[max(place - 1, 0)]}'
    if bound or place > YEARS.index(DEFAULT_DIALECT):
        return f'-std=gnu++{SPELLED[place]}'
    return ''


def read(text):
    """The Directives in the source TEXT."""
    run = compile_only = fails = has_options = False
    flags, more, sources, modules = [], [], [], []
    environment = {}
    dialect = ''
    for line in text.splitlines():
        found = DIRECTIVE.search(line) if 'dg-' in line else None
        if not found:
            continue
        name, words = found[1], words_of(found[2])
        if name == 'dg-do' and words:
            # If the selector does not match, earlier directives remain.
            dialect = dialect_option(found[2]) or dialect
            run = run or words[0] == 'run'
            compile_only = words[0] != 'run'
        elif name == 'dg-options' and words and selected(words[1:]):
            flags, has_options = wanted(words[0]), True
        elif name == 'dg-additional-options' and words \
                and selected(words[1:]):
            more += wanted(words[0])
        elif name == 'dg-additional-sources' and words:
            sources += words[0].split()
        elif name == 'dg-compile-aux-modules' and words:
            modules += words[0].split()
        elif name == 'dg-shouldfail':
            fails = fails or selected(words[1:])
        elif name == 'dg-set-target-env-var' and len(words) >= 2:
            environment[words[0]] = words[1]
        elif name == 'dg-require-effective-target':
            dialect = dialect_option(found[2]) or dialect
    return Directives(run, compile_only, tuple(flags + more), has_options,
                      tuple(sources), tuple(modules), fails, environment,
                      dialect)
