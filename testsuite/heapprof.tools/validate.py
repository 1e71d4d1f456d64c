#!/usr/bin/python3
# Check JSON files by a JSON schema.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: validate.py SCHEMA FILE...
#        validate.py --check
#
# Prints a line for each fault.  --check only tries whether the library that does the
# work is installed.

import json
import sys
import jsonschema

if sys.argv[1] == '--check':
    sys.exit ()
with open (sys.argv[1]) as file:
    schema = json.load (file)
kind = jsonschema.validators.validator_for (schema)
kind.check_schema (schema)
validator = kind (schema, format_checker=jsonschema.FormatChecker ())
status = 0
for path in sys.argv[2:]:
    with open (path, encoding='utf-8') as file:
        data = json.load (file)
    for fault in validator.iter_errors (data):
        print ('%s: /%s: %s' % (path, '/'.join (map (str, fault.absolute_path)),
                                fault.message[:300]))
        status = 1
sys.exit (status)
