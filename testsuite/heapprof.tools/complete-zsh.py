#!/usr/bin/python3
# Complete lines in an interactive zsh, and print what it makes of them.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: complete-zsh.py START LINE...
#
# START is a command for zsh that makes completions known.

import os
import pty
import re
import select
import sys

LIMIT_SECONDS = 30

# A key that prints the line between angle brackets and empties it.
SHOW = r'''PS1=; unsetopt prompt_sp
show () { print -r -- "<$BUFFER>"; BUFFER=; }
zle -N show; bindkey '^X' show; print "rea""dy"
'''

def read_until (terminal, pattern):
    text = ''
    while select.select ([terminal], [], [], LIMIT_SECONDS)[0]:
        text += os.read (terminal, 65536).decode (errors='replace')
        found = re.search (pattern, text)
        if found:
            return found.group (1)
    sys.exit ('zsh does not answer: ' + ascii (text))

def main ():
    process, terminal = pty.fork ()
    if process == 0:
        os.environ['TERM'] = 'xterm'
        os.execvp ('zsh', ['zsh', '-f', '-i'])
    os.write (terminal, (sys.argv[1] + '\n' + SHOW).encode ())
    read_until (terminal, '(\nready)')
    for line in sys.argv[2:]:
        os.write (terminal, (line + '\t\x18').encode ())
        print (read_until (terminal, '<(heapprof-gcov [^>"$]*)>').strip ())
    os.close (terminal)

main ()
