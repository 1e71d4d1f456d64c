# Run commands and measure the resources that they use.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import signal
import subprocess
from typing import NamedTuple


class Failure(Exception):
    """An error, as one line for the user."""


class Incomplete(Failure):
    """A part failed; TEXT is the result of the rest."""

    def __init__(self, text, failures):
        super().__init__('\n'.join(failures))
        self.text = text


class Usage(NamedTuple):
    """Resources used by one run of a command."""
    cpu_s: float            # user and system time
    peak_kb: int            # largest resident memory of one process
    status: int             # as in the shell's $?
    output: str             # standard output
    elapsed_s: float        # from start to end


def failed(what, status, errors):
    """One line: WHAT, its STATUS, and the last line of its ERRORS."""
    return ': '.join([what, f'status {status}',
                      *errors.strip().splitlines()[-1:]])


def check(command, what, environment=None, folder=None):
    """Run COMMAND, a list, in FOLDER, and return its output.  An error message
    starts with WHAT."""
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              errors='replace', check=False, env=environment,
                              cwd=folder)
    except OSError as error:
        raise Failure(f'{what}: {error.strerror}: {command[0]}') from error
    if done.returncode != 0:
        raise Failure(failed(what, done.returncode, done.stderr))
    return done.stdout


class Measure:
    """Starts commands under the program `measure' (measure.c)."""

    def __init__(self, program, timeout):
        self.program = program
        self.timeout = timeout

    def start(self, text, folder, name, environment=None):
        """Start the shell command TEXT in FOLDER.  NAME is the stem of its
        report and output files there."""
        report = os.path.join(folder, name + '.usage')
        files = {stream: open(os.path.join(folder, f'{name}.{stream}'), 'wb')
                 for stream in ('stdout', 'stderr')}
        try:
            process = subprocess.Popen(
                [self.program, report, 'sh', '-c', text], cwd=folder,
                stdin=subprocess.DEVNULL, env=environment,
                start_new_session=True, **files)
        finally:
            for file in files.values():
                file.close()
        return process, os.path.join(folder, name), text

    def finish(self, started):
        """Wait for STARTED, returned by start; return its Usage."""
        process, path, text = started
        try:
            process.wait(self.timeout)
        except subprocess.TimeoutExpired as error:
            stop(process)
            raise Failure(f'{text}: stopped after {self.timeout} s') from error
        except BaseException:       # interrupted: leave nothing running
            stop(process)
            raise
        user, system, elapsed, peak_kb, status \
            = map(int, read(path + '.usage').split())
        if status != 0:
            raise Failure(failed(text, status, read(path + '.stderr')))
        return Usage((user + system) / 1e6, peak_kb, status,
                     read(path + '.stdout'), elapsed / 1e6)

    def run(self, text, folder, name, environment=None):
        return self.finish(self.start(text, folder, name, environment))


def stop(process):
    """Kill PROCESS and its children, which are in a separate session."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()
