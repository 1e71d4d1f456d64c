# Programs to compile and run: what one is, and running it within limits.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import resource
import subprocess
from typing import NamedTuple


class Program(NamedTuple):
    """A program whose exit status and output do not depend on how it was
    compiled."""
    name: str
    suite: str
    language: str           # c or c++
    sources: tuple          # paths, absolute or below the working folder
    flags: tuple = ()
    arguments: tuple = ()
    # Makes the sources in the folder that it is given; None: they are there.
    make: object = None
    # Whether exit status 0 alone shows that it ran as it should.
    checks_itself: bool = False
    # Options that are under test together with the plugin, and what the error
    # says of them: mode -> text.  Profiles are made without those.
    extra: tuple = ()
    refused: dict = {}


class Result(NamedTuple):
    """What a command did."""
    status: int             # negative: the signal that ended it
    output: str
    errors: str


class Runner:
    """Runs the commands of one case in its folder and writes them down in the
    file `commands' there."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, command, cpu_s, environment=None):
        """Run COMMAND, a list, which may use CPU_S seconds.  The limit is one
        of CPU time: a program that stands still on a busy machine is not slow.
        """
        with open(os.path.join(self.folder, 'commands'), 'a',
                  encoding='utf-8') as file:
            words = [f'{key}={value}'
                     for key, value in (environment or {}).items()]
            file.write(' '.join(words + command) + '\n')

        def limit():
            limit_s = int(cpu_s) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        try:
            done = subprocess.run(
                command, cwd=self.folder, stdin=subprocess.DEVNULL,
                capture_output=True, check=False, preexec_fn=limit,
                timeout=60 * (cpu_s + 10),
                env={**os.environ, **(environment or {})})
        except subprocess.TimeoutExpired as error:
            return Result(-9, text(error.stdout), text(error.stderr))
        return Result(done.returncode, text(done.stdout), text(done.stderr))


def text(octets):
    return (octets or b'').decode('utf-8', 'replace')


def language_of(path):
    return 'c' if path.endswith('.c') else 'c++'
