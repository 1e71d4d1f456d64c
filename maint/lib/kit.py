# A copy of the plugins, libraries and tools of a build, for long runs.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The files are stripped as when installed, which halves link times.  A build that
# runs at the same time does not change them.

import os
import re
import shutil
import subprocess

import builds
import modes

SAMPLES = 'main:10:1\n 1: 5\n'
LIBRARIES = {'libheapprof': ('libheapprof.a', 'libheapprof.so.1'),
             'libheaphint': ('libheaphint.a', 'libheaphint.so.1')}
ARCHIVES = ('libheapprof-mip', 'libheapprof-absent')


class Kit:
    """A copy in FOLDER of the plugins, libraries and tools of the build folder
    HEAPPROF for the compilers MAJORS.  LINKER is the linker to use, or None."""

    def __init__(self, heapprof, majors, folder, linker=None):
        self.folder = folder
        self.heapprof = heapprof
        self.built = os.path.join(heapprof, '.libs')
        self.linker = linker
        self.specs = {}
        self.plugins = {}
        os.makedirs(folder)
        self.gcov = self.copy(os.path.join(heapprof, 'heapprof-gcov'))
        common = {'heapprof-gcov': builds.digest([self.gcov]),
                  'linker': linker or 'default', **self.copy_libraries()}
        # {major: {name of a part: its digest}}.
        self.parts = {major: {**common, **self.add_compiler(major)}
                      for major in majors}
        self.hint = [f'-L{folder}', f'-Wl,-rpath,{folder}',
                     '-Wl,--push-state,--as-needed', '-lheaphint',
                     '-Wl,--pop-state']
        self.mip = [f'-L{folder}', '-lheapprof-mip']
        self.foreign = self.make_foreign()
        self.samples = self.write('samples.prof', SAMPLES)

    def copy(self, path, name=None):
        """Copy PATH without debug information to NAME in the kit."""
        target = os.path.join(self.folder, name or os.path.basename(path))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(path, target)
        shutil.copymode(path, target)
        # Build IDs also depend on debug information.
        subprocess.run(['strip', '-g', '-R', '.note.gnu.build-id', target],
                       check=True)
        return target

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    def copy_libraries(self):
        """{name of a library: its digest}."""
        found = {}
        for name, files in LIBRARIES.items():
            found[name] = builds.digest([
                self.copy(os.path.join(self.built, file)) for file in files])
            os.symlink(name + '.so.1', os.path.join(self.folder, name + '.so'))
        for name in ARCHIVES:
            found[name] = builds.digest([
                self.copy(os.path.join(self.heapprof, name + '.a'))])
        return found

    def specs_file(self, major, kind):
        return os.path.join(self.heapprof, 'wrappers', 'specs', major, kind,
                            'heapprof.specs')

    def add_compiler(self, major):
        """{name of a part for MAJOR: its digest}."""
        plugin = os.path.join(self.heapprof, 'gcc-plugin', major, 'heapprof.so')
        self.plugins[major] = self.copy(plugin, f'{major}/heapprof.so')
        with open(self.specs_file(major, 'build'), encoding='utf-8') as file:
            specs = file.read()
        specs = specs.replace(plugin, self.plugins[major]) \
            .replace(self.built, self.folder)
        for name in ARCHIVES:
            specs = specs.replace(os.path.join(self.heapprof, name + '.a'),
                                  os.path.join(self.folder, name + '.a'))
        dynlist = re.search(r'--dynamic-list=([^\s}]+)', specs)[1]
        copied = os.path.join(self.folder, os.path.basename(dynlist))
        shutil.copyfile(dynlist, copied)
        self.specs[major] = self.write(f'{major}/heapprof.specs',
                                       specs.replace(dynlist, copied))
        # Paths of the build folder do not matter.
        return {'plugin': builds.digest([self.plugins[major]]),
                'specs': builds.digest([self.specs_file(major, 'install'),
                                        copied])}

    def make_foreign(self):
        yaml = self.write('foreign.yaml',
                          modes.FOREIGN.replace('elsewhere', 'main'))
        path = os.path.join(self.folder, 'foreign.profdata')
        subprocess.run([self.gcov, 'merge', '-o', path, yaml], check=True)
        return path
