# Programs to compile and run, and how to run them within limits.
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os
import resource
import select
import signal
import subprocess
import tempfile
from typing import NamedTuple


# Interval of checks whether a program is blocked.
LOOK_S = 2
# CPU seconds for plain programs.
RUN_S = 5


class Program(NamedTuple):
    """A program whose exit status and output do not depend on how it was
    compiled."""
    name: str
    suite: str
    language: str           # c or c++
    sources: tuple          # paths, absolute or below the working folder
    flags: tuple = ()
    arguments: tuple = ()
    # Makes the sources in the folder given; None if they exist.
    make: object = None
    # Whether exit status 0 is enough to show that it ran correctly.
    checks_itself: bool = False
    # Options under test together with the plugin, and the expected error:
    # {mode: text}.  Profiles are made without these options.
    extra: tuple = ()
    refused: dict = {}
    # CPU seconds after which the plain program is left out, as it may not end.
    plain_s: int = RUN_S


class Result(NamedTuple):
    """The result of a command."""
    status: int             # negative: the signal that ended it
    output: str
    errors: str


class Runner:
    """Runs commands in FOLDER, which also has their temporary files, and logs them
    in the file LOG (default: `commands' in that folder)."""

    def __init__(self, folder, log=None):
        self.folder = folder
        self.log = log or os.path.join(folder, 'commands')

    def run(self, command, cpu_s, environment=None, wall_s=None):
        """Run COMMAND, a list, for at most CPU_S seconds of CPU time, which do
        not depend on how busy the machine is.  Also kill it after WALL_S seconds
        in which it was blocked.  Kill processes that it leaves running.
        """
        with open(self.log, 'a', encoding='utf-8') as file:
            words = [f'{key}={value}'
                     for key, value in (environment or {}).items()]
            file.write(f'{" ".join(words + command)}\n')
        limit_s = int(cpu_s) + 1
        # Files, not pipes, which background processes would keep open.
        with tempfile.TemporaryFile() as output, \
                tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                command, cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=output, stderr=errors, start_new_session=True,
                env={**os.environ, 'TMPDIR': self.folder,
                     **(environment or {})})
            try:
                # Not by preexec_fn, which would have to copy this process.
                limit(process.pid, resource.RLIMIT_CPU, (limit_s, limit_s + 1))
                limit(process.pid, resource.RLIMIT_CORE, (0, 0))
                status = wait(process, wall_s or 60 * (cpu_s + 10))
            finally:
                kill_all(process)
            return Result(status, read(output), read(errors))


def limit(pid, kind, limits):
    try:
        resource.prlimit(pid, kind, limits)
    except (ProcessLookupError, PermissionError):
        pass


def wait(process, wall_s):
    """The status of PROCESS; -9 if it was blocked for WALL_S seconds."""
    handle = os.pidfd_open(process.pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        still_s = 0
        while not poll.poll(LOOK_S * 1000):
            still_s += 0 if is_busy(process.pid) else LOOK_S
            if still_s >= wall_s:
                return -signal.SIGKILL
    finally:
        os.close(handle)
    return process.wait()


def is_busy(pid):
    """Whether a thread of PID runs or waits for a processor or a disk."""
    for path in glob.glob(f'/proc/{pid}/task/*/stat'):
        try:
            with open(path, encoding='latin-1') as file:
                if file.read().rpartition(')')[2].split()[0] in 'RD':
                    return True
        except OSError:
            pass
    return False


def kill_all(process):
    """Kill the rest of PROCESS's group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()


def read(file):
    file.seek(0)
    return text(file.read())


def text(octets):
    return (octets or b'').decode('utf-8', 'replace')


def language_of(path):
    return 'c' if path.endswith('.c') else 'c++'
