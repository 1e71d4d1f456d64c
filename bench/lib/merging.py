# Common parts of the merge benches: run commands interleaved, compute medians.
# SPDX-License-Identifier: GPL-3.0-or-later

import statistics
from typing import NamedTuple

from process import check


class Merging(NamedTuple):
    """One run of a tool, or the medians of several."""
    elapsed_s: float
    cpu_s: float
    peak_kb: int


def run_all(commands, runs, measure, folder, say):
    """Run COMMANDS, {key: shell command}, in FOLDER, interleaved, RUNS times
    after a warm-up; return {key: Merging with the medians}."""
    found = {key: [] for key in commands}
    for turn in range(runs + 1):
        for key, command in commands.items():
            say(f'{" ".join(key)}: '
                + (f'run {turn}' if turn > 0 else 'warm-up'))
            usage = measure.run('exec ' + command, folder, 'merge')
            if turn > 0:
                found[key].append(Merging(usage.elapsed_s, usage.cpu_s,
                                          usage.peak_kb))
    return {key: Merging(*map(statistics.median, zip(*rows)))
            for key, rows in found.items()}


def llvm_version(tools):
    """The heading line for llvm-profdata, in a list; [] if not installed."""
    if not tools.llvm_profdata:
        return []
    shown = check([tools.llvm_profdata, 'merge', '--version'], 'llvm-profdata')
    return ['llvm-profdata: ' + shown.splitlines()[0].strip()]
