# Results that are stored at once, so that an interrupted command can continue.
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os

import harness
from process import Failure, read


class Results:
    """What the command NAME found with the options BEGUN: a dict, which is also in
    the file PATH if that is not None."""

    def __init__(self, name, path, begun):
        self.name = name
        self.path = path
        self.begun = begun
        self.found = {}
        if path and os.path.exists(path):
            self.read()

    def read(self):
        try:
            stored = json.loads(read(self.path))
            begun, self.found = stored['options'], stored['results']
        except (ValueError, KeyError, TypeError) as error:
            raise Failure(f'{self.path}: not written by {self.name}') from error
        if begun != self.begun:
            raise Failure(f'{self.path}: begun with other options: {begun}')

    def add(self, key, numbers):
        self.found[key] = numbers
        if self.path:
            harness.write(json.dumps({'options': self.begun,
                                      'results': self.found}, indent=1) + '\n',
                          self.path)
