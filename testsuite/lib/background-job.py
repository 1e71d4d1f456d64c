#!/usr/bin/env python3
# Run a command in the background of a terminal.
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run COMMAND as a background job of a new terminal that stops background jobs
when they write to it (`stty tostop').  Print what it wrote; end with its exit
status, or with 99 if it was stopped or killed by a signal."""

import os
import pty
import signal
import sys
import termios


def run_in_background(command):
    """The exit status of COMMAND."""
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.execvp(command[0], command)
    _, status = os.waitpid(job, os.WUNTRACED)
    if os.WIFEXITED(status):
        return os.WEXITSTATUS(status)
    if os.WIFSTOPPED(status):
        os.kill(job, signal.SIGKILL)
    return 99


def main():
    shell, terminal = pty.fork()
    if shell == 0:
        modes = termios.tcgetattr(2)
        modes[3] |= termios.TOSTOP
        termios.tcsetattr(2, termios.TCSANOW, modes)
        os._exit(run_in_background(sys.argv[1:]))
    written = b''
    try:
        while chunk := os.read(terminal, 4096):
            written += chunk
    except OSError:
        # All its users have ended.
        pass
    sys.stdout.write(written.decode().replace('\r\n', '\n'))
    return os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1])


if __name__ == '__main__':
    sys.exit(main())
