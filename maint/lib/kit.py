# A copy of what heapprof's build folder has, for programs of a long run.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Stripped as it is when installed, which halves the time of linking, and left
# alone by a build that goes on meanwhile.

import hashlib
import os
import shutil
import subprocess

import modes

SAMPLES = 'main:10:1\n 1: 5\n'
LIBRARIES = ('libheapprof.a', 'libheapprof.so.1', 'libheaphint.a',
             'libheaphint.so.1')


class Kit:
    """The plugins, libraries and tools of the build folder HEAPPROF for the
    compilers MAJORS, in FOLDER."""

    def __init__(self, heapprof, majors, folder):
        self.folder = folder
        self.specs = {}
        self.plugins = {}
        self.identity = {}
        os.makedirs(folder)
        self.gcov = self.copy(os.path.join(heapprof, 'heapprof-gcov'))
        built = os.path.join(heapprof, '.libs')
        common = [self.gcov, self.copy(os.path.join(heapprof,
                                                    'libheapprof-mip.a'))]
        for name in LIBRARIES:
            common.append(self.copy(os.path.join(built, name)))
        for name in ('libheapprof', 'libheaphint'):
            os.symlink(name + '.so.1', os.path.join(folder, name + '.so'))
        for major in majors:
            self.add_compiler(heapprof, built, major)
            self.identity[major] = digest(
                [*common, self.plugins[major],
                 os.path.join(heapprof, 'wrappers', 'specs', major, 'install',
                              'heapprof.specs')])
        self.hint = [f'-L{folder}', f'-Wl,-rpath,{folder}',
                     '-Wl,--push-state,--as-needed', '-lheaphint',
                     '-Wl,--pop-state']
        self.mip = [f'-L{folder}', '-lheapprof-mip']
        self.foreign = self.make_foreign()
        self.samples = self.write('samples.prof', SAMPLES)

    def copy(self, path, name=None):
        """PATH without debug information, as NAME in the kit."""
        target = os.path.join(self.folder, name or os.path.basename(path))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(path, target)
        shutil.copymode(path, target)
        # Build IDs are made of debug information, too.
        subprocess.run(['strip', '-g', '-R', '.note.gnu.build-id', target],
                       check=True)
        return target

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    def add_compiler(self, heapprof, built, major):
        plugin = os.path.join(heapprof, 'gcc-plugin', major, 'heapprof.so')
        self.plugins[major] = self.copy(plugin, f'{major}/heapprof.so')
        with open(os.path.join(heapprof, 'wrappers', 'specs', major, 'build',
                               'heapprof.specs'), encoding='utf-8') as file:
            specs = file.read()
        self.specs[major] = self.write(
            f'{major}/heapprof.specs',
            specs.replace(plugin, self.plugins[major])
            .replace(built, self.folder)
            .replace(os.path.join(heapprof, 'libheapprof-mip.a'),
                     os.path.join(self.folder, 'libheapprof-mip.a')))

    def make_foreign(self):
        yaml = self.write('foreign.yaml',
                          modes.FOREIGN.replace('elsewhere', 'main'))
        path = os.path.join(self.folder, 'foreign.profdata')
        subprocess.run([self.gcov, 'merge', '-o', path, yaml], check=True)
        return path


def digest(paths):
    """What the files PATHS are known by together."""
    found = hashlib.sha256()
    for path in paths:
        with open(path, 'rb') as file:
            found.update(hashlib.sha256(file.read()).digest())
    return found.hexdigest()[:12]
