# Run commands and say what they used.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import signal
import subprocess
from typing import NamedTuple


class Failure(Exception):
    """What went wrong, in one line for the user."""


class Usage(NamedTuple):
    """What one run of a command used."""
    cpu_s: float            # user and system time
    peak_kb: int            # largest resident memory of one process
    status: int             # as the shell has it
    output: str             # standard output


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ''


def check(command, what, environment=None):
    """Run COMMAND, a list; its output.  WHAT stands in the error message."""
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              errors='replace', check=False, env=environment)
    except OSError as error:
        raise Failure(f'{what}: {error.strerror}: {command[0]}') from error
    if done.returncode != 0:
        raise Failure(f'{what}: status {done.returncode}: '
                      f'{last_line(done.stderr)}')
    return done.stdout


class Measure:
    """Starts commands under the program `measure' (measure.c)."""

    def __init__(self, program, timeout):
        self.program = program
        self.timeout = timeout

    def start(self, text, folder, name, environment=None):
        """Start the shell command TEXT in FOLDER.  NAME tells its report and
        output files from others there."""
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
        """Wait for what start returned; its Usage."""
        process, path, text = started
        try:
            process.wait(self.timeout)
        except subprocess.TimeoutExpired as error:
            stop(process)
            raise Failure(f'{text}: stopped after {self.timeout} s') from error
        except KeyboardInterrupt:
            stop(process)
            raise
        user, system, peak_kb, status = map(int, read(path + '.usage').split())
        if status != 0:
            raise Failure(f'{text}: status {status}: '
                          f'{last_line(read(path + ".stderr"))}')
        return Usage((user + system) / 1e6, peak_kb, status,
                     read(path + '.stdout'))

    def run(self, text, folder, name, environment=None):
        return self.finish(self.start(text, folder, name, environment))


def stop(process):
    """End PROCESS and what it started: they are a session of their own."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()
