#!/usr/bin/python3
# Check the JSON of all commands by the schemas that are installed.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: check-schemas.py HEAPPROF-GCOV SCHEMAS PROFILE...
#
# Pass each PROFILE to each command that prints JSON.  Members that a schema does not
# know are faults here, although readers must accept them.  Prints a line `PASS: NAME'
# or `FAIL: NAME: WHY' for each schema.

import json
import os
import subprocess
import sys
import jsonschema

# By schema: the command, in which `-' stands for the profile.
COMMANDS = {
    'show': ['show --json -', 'show --json --at=peak -', 'export --format=json -'],
    'annotate': ['annotate --json x.c -', 'annotate --json main.c -',
                 'annotate --json app.cc -'],
    'overlap': ['overlap --json - -', 'overlap --json FIRST -'],
    'diff': ['diff --json - -', 'diff --json FIRST -', 'diff --format=json - FIRST'],
    'trend': ['trend --json FIRST -', 'trend --json --value=accesses -'],
    'matching': ['matching --json - REMARKS'],
    'advise': ['advise --json --limit=0 --min-share=0 --remarks=REMARKS -',
               'advise --format=json -'],
    'doctor': ['doctor --json -'],
    'prove': ['prove --json --rounds=1 --no-pages -- true',
              'prove --json --rounds=6 --no-pages --no-compare-output -- true'],
    'mip-show': ['mip show --json -', 'mip show --json --blocks -',
                 'mip show --json --inlined -'],
    'mip-edges': ['mip edges --json -'],
    'mip-order': ['mip order --format=json -'],
}
REMARKS = {'unit': 'x.c', 'function': 'f', 'file': 'x.c', 'line': 3, 'column': 1,
           'allocator': 'malloc', 'outcome': 'lost', 'contexts': 1, 'count': 1,
           'bytes': 8, 'reason': 'no call at this line and column'}

def make_strict (schema):
    if isinstance (schema, dict):
        if 'properties' in schema:
            schema.setdefault ('additionalProperties', False)
        schema = schema.values ()
    elif not isinstance (schema, list):
        return
    for part in schema:
        make_strict (part)

def outputs (tool, command, profiles):
    words = [{'FIRST': profiles[0], 'REMARKS': 'REMARKS'}.get (w, w)
             for w in command.split ()]
    for profile in profiles if '-' in words else ['']:
        done = subprocess.run ([tool, *(profile if w == '-' else w for w in words)],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, timeout=100)
        # Not every file has every kind of data; `doctor' finds faults.
        if done.returncode == 0 or words[0] == 'doctor':
            yield profile, json.loads (done.stdout)

def check (tool, folder, name, profiles):
    with open (os.path.join (folder, name + '.schema.json')) as file:
        schema = json.load (file)
    kind = jsonschema.validators.validator_for (schema)
    kind.check_schema (schema)
    make_strict (schema)
    validator = kind (schema)
    counts = []
    for command in COMMANDS[name]:
        count = 0
        for profile, data in outputs (tool, command, profiles):
            count += 1
            for fault in validator.iter_errors (data):
                return '%s: %s: /%s: %s' % (command, profile, '/'.join (
                    map (str, fault.absolute_path)), fault.message[:300])
        counts.append (count)
    return '' if max (counts) > 0 else 'no output'

def main ():
    tool, folder, *profiles = sys.argv[1:]
    with open ('REMARKS', 'w') as file:
        json.dump (REMARKS, file)
    # mip-lines.exp checks that of lines, which needs the program.
    found = sorted (name.replace ('.schema.json', '') for name in os.listdir (folder)
                    if name != 'mip-lines.schema.json')
    print ('%s: all schemas are tried' % ('PASS' if found == sorted (COMMANDS)
                                         else 'FAIL'))
    for name in sorted (COMMANDS):
        why = check (tool, folder, name, profiles)
        print ('FAIL: %s: %s' % (name, why) if why else 'PASS: ' + name)

main ()
