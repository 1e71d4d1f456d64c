#!/usr/bin/env python3
# Run a command in the foreground of a terminal, as a shell with job control does.
# SPDX-License-Identifier: GPL-3.0-or-later
"""run-terminal.py STEP... -- COMMAND

Run COMMAND as the foreground job of a new terminal, and follow the STEPs:
  see=TEXT    wait until TEXT was written to the terminal
  type=TEXT   type TEXT; ^C and ^Z stand for these keys
  stops       wait until the job stops; print by which signal
  continue    continue it in the foreground
  ends        wait until it ends; print how
Then print what was written, and whether the terminal's settings changed."""

import os
import pty
import select
import signal
import sys
import termios
import time

LIMIT_S = 60


class Terminal:
    """The terminal and the job in its foreground."""

    def __init__(self, command):
        self.master, self.slave = pty.openpty()
        self.settings = termios.tcgetattr(self.slave)
        self.written = b''
        self.job = os.fork()
        if self.job == 0:
            self.start(command)

    def start(self, command):
        """In the new process: be a session leader, so as to own the terminal,
        and start the job, in a group of its own."""
        os.setsid()
        os.close(os.open(os.ttyname(self.slave), os.O_RDWR))
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        self.lead(command)

    def lead(self, command):
        """Be the shell: report to standard output what happens to the job."""
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(self.slave, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            for number in 0, 1, 2:
                os.dup2(self.slave, number)
            os.execvp(command[0], command)
        try:
            os.setpgid(job, job)
        except OSError:
            pass

        def go_on(*_):
            os.tcsetpgrp(self.slave, job)
            os.killpg(job, signal.SIGCONT)
            print('continued', flush=True)

        signal.signal(signal.SIGUSR1, go_on)
        while True:
            _, status = os.waitpid(job, os.WUNTRACED)
            if os.WIFSTOPPED(status):
                os.tcsetpgrp(self.slave, os.getpid())
                print('stopped', os.WSTOPSIG(status), flush=True)
            elif os.WIFSIGNALED(status):
                print('killed', os.WTERMSIG(status), flush=True)
                os._exit(0)
            else:
                print('exited', os.WEXITSTATUS(status), flush=True)
                os._exit(0)

    def read(self, seconds):
        """Take what the job writes, for SECONDS."""
        if select.select([self.master], [], [], seconds)[0]:
            self.written += os.read(self.master, 65536)


class Follower:
    """Follows the steps."""

    def __init__(self, command):
        self.reports, writer = os.pipe()
        output = os.dup(1)
        os.dup2(writer, 1)
        self.terminal = Terminal(command)
        os.dup2(output, 1)
        os.close(writer)
        self.lines = b''
        self.seen = 0

    def wait_for(self, condition, what):
        """Wait until CONDITION holds."""
        end = time.monotonic() + LIMIT_S
        while not condition():
            self.terminal.read(0.05)
            if time.monotonic() > end:
                print('timeout:', what)
                os.kill(self.terminal.job, signal.SIGKILL)
                sys.exit(99)

    def has_line(self):
        """True if there is a complete report."""
        if select.select([self.reports], [], [], 0)[0]:
            self.lines += os.read(self.reports, 100)
        return b'\n' in self.lines

    def follow(self, step):
        """Do STEP."""
        name, _, value = step.partition('=')
        if name == 'see':
            text = value.encode()
            self.wait_for(
                lambda: self.terminal.written.find(text, self.seen) >= 0, step)
            self.seen = self.terminal.written.find(text, self.seen) + len(text)
        elif name == 'type':
            value = value.replace('^C', '\x03').replace('^Z', '\x1a')
            os.write(self.terminal.master, value.encode())
        else:
            if name == 'continue':
                os.kill(self.terminal.job, signal.SIGUSR1)
            self.wait_for(self.has_line, step)
            line, _, self.lines = self.lines.partition(b'\n')
            print(line.decode())


def main():
    split = sys.argv.index('--')
    follower = Follower(sys.argv[split + 1:])
    for step in sys.argv[1:split]:
        follower.follow(step)
    terminal = follower.terminal
    terminal.read(0.1)
    settings = termios.tcgetattr(terminal.slave)
    print('settings', 'kept' if settings == terminal.settings else 'changed')
    print(terminal.written.decode(errors='replace').replace('\r\n', '\n'),
          end='')


if __name__ == '__main__':
    main()
