# The programs for measuring machine-level profiles, and how to compile them.
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs for bench/run-mip and bench/run-mip-order: the workload json, or the
programs in a file given by the user, a JSON list of objects with the fields of
Program."""

import json
import os
import platform
from typing import NamedTuple

from process import Failure, check

TOP = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


class Program(NamedTuple):
    """What to compile, and the arguments for a short run."""
    name: str
    sources: tuple          # all C, or all C++
    flags: tuple = ()
    libraries: tuple = ()
    arguments: tuple = ()


def own_program():
    """A workload of the bench, in C++ with a template library."""
    folder = os.path.join(TOP, 'bench', 'workloads')
    return Program('json', (os.path.join(folder, 'json.cc'),),
                   ('-std=c++17', '-I' + folder), (), ('60', '1'))


def programs(path):
    """The programs in the file PATH; if it is None, our own."""
    if path is None:
        return [own_program()]
    try:
        with open(path, encoding='utf-8') as file:
            return [Program(**{name: value if name == 'name' else tuple(value)
                               for name, value in entry.items()})
                    for entry in json.load(file)]
    except (OSError, TypeError, ValueError) as error:
        raise Failure(f'{path}: {error}') from error


def is_cxx(program):
    return program.sources[0].endswith(('.cc', '.cpp', '.cxx'))


def compiler_of(program, compiler):
    """The C or C++ variant of COMPILER, gcc or clang, for PROGRAM."""
    if not is_cxx(program):
        return compiler
    return compiler.replace('gcc', 'g++').replace('clang', 'clang++')


def plugin_folder(build, gcc):
    """The folder with the plugin for GCC in the build folder BUILD; a compiler for
    another machine has its machine in the folder's name."""
    major = check([gcc, '-dumpversion'], gcc).strip().split('.')[0]
    machine = check([gcc, '-dumpmachine'], gcc).strip()
    is_own = machine.split('-')[0] == platform.machine()
    return os.path.join(build, 'gcc-plugin',
                        major if is_own else f'{machine}-{major}')


def plugin_flags(build, gcc, flags):
    """The options for GCC to use the plugin in the build folder BUILD with
    FLAGS."""
    plugin = os.path.join(plugin_folder(build, gcc), 'heapprof.so')
    return ['-fplugin=' + plugin,
            *('-fplugin-arg-heapprof-' + flag for flag in flags)]


def compile_program(program, command, folder):
    """Compile the sources of PROGRAM by COMMAND into FOLDER; return the
    objects."""
    objects = []
    for number, source in enumerate(program.sources):
        objects.append(os.path.join(
            folder, f'{number}-{os.path.basename(source)}.o'))
        check([*command, *program.flags, '-c', source, '-o', objects[-1]],
              f'{program.name}: {source}')
    return objects


def link_program(program, command, objects, output):
    """Link OBJECTS of PROGRAM by COMMAND to OUTPUT."""
    check([*command[:1], *objects, *command[1:], *program.libraries,
           '-Wl,--build-id', '-o', output], f'{program.name}: link')
    return output
