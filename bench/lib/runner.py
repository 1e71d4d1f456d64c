# Run the variants of a program interleaved and collect their resource usage.
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import shlex
import shutil
import time
from statistics import median
from typing import NamedTuple, Optional

from process import Failure
from programs import executable, with_prefix


class Result(NamedTuple):
    """Medians over the runs of one variant of one program."""
    program: str
    variant: str
    cpu_s: Optional[float] = None
    cpu_ratio: Optional[float] = None
    peak_kb: Optional[float] = None
    peak_ratio: Optional[float] = None
    raw_bytes: Optional[float] = None
    processing_s: Optional[float] = None
    absent: Optional[str] = None
    samples: tuple = ()     # (cpu_s, peak_kb, raw_bytes) of each run
    checksum: Optional[str] = None      # printed by one of our workloads


class Run(NamedTuple):
    """One run of one variant."""
    usage: tuple
    helper: Optional[tuple]     # usage of the helper process
    raw_bytes: int


class Runner:
    """Runs programs in scratch folders below FOLDER.  Errors of variants other
    than plain are added to FAILURES, and the others continue."""

    def __init__(self, measure, folder, say):
        self.measure = measure
        self.folder = folder
        self.say = say
        self.failures = []

    def run_once(self, variant, command, folder):
        """Run COMMAND as VARIANT in the new FOLDER, where raw files remain."""
        raw = os.path.join(folder, 'raw')
        os.makedirs(raw)
        environment = {**os.environ, **variant.environment(raw)}
        environment.pop('LD_PRELOAD', None)
        text = with_prefix(variant.prefix(raw), command)
        helper = None
        if hasattr(variant, 'helper'):
            os.mkfifo(variant.pipe(raw))
            helper = self.measure.start(variant.helper(raw), folder, 'helper')
        try:
            usage = self.measure.run(text, folder, 'program', environment)
        finally:
            if helper:
                end_reader(helper[0], variant.pipe(raw), self.measure.timeout)
        return Run(usage, helper and self.measure.finish(helper),
                   sum(os.path.getsize(file) for file in files_in(raw)))

    def process(self, variant, command, folder):
        """CPU seconds to process the raw files of a run."""
        files = files_in(os.path.join(folder, 'raw'))
        if not files:
            return None
        words = variant.processing(executable(command), files,
                                   os.path.join(folder, 'processed'))
        if words is None:
            return None
        text = ' '.join(map(shlex.quote, words))
        return self.measure.run(text, folder, 'processing').cpu_s

    def run_program(self, program, variants, runs):
        """Results of PROGRAM: a warm-up and RUNS runs of each variant,
        interleaved."""
        collected = {variant.name: [] for variant in variants
                     if variant.name in program.commands}
        processing = {}
        for turn in range(-1, runs):
            for variant in variants:
                if variant.name not in collected:
                    continue
                self.say(f'{program.name}: {variant.name}: '
                         + ('warm-up' if turn < 0 else f'run {turn + 1}'))
                try:
                    run, processing[variant.name] = self.run_variant(
                        variant, program.commands[variant.name],
                        turn == runs - 1)
                except Failure as failure:
                    if variant is variants[0]:
                        raise
                    del collected[variant.name]
                    program.absent[variant.name] = str(failure)
                    self.failures.append(f'{program.name}: {variant.name}: '
                                         f'{failure}')
                    continue
                if turn >= 0:
                    collected[variant.name].append(run)
        if program.is_own:
            check_outputs(program, collected)
        return results_of(program, variants, collected, processing)

    def run_variant(self, variant, command, is_last):
        """A Run and, if it IS_LAST, the time to process its raw files."""
        folder = os.path.join(self.folder, 'scratch')
        shutil.rmtree(folder, ignore_errors=True)
        try:
            run = self.run_once(variant, command, folder)
            return run, self.process(variant, command, folder) if is_last \
                else None
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def end_reader(process, path, timeout):
    """Wait until PROCESS has read the pipe PATH to its end, even if no process
    ever wrote to it: opening it releases a reader that waits for a writer."""
    deadline = time.monotonic() + timeout
    while process.poll() is None and time.monotonic() < deadline:
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            pass        # not open for reading yet, or closed already
        time.sleep(0.01)


def files_in(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


def check_outputs(program, collected):
    """Fail unless all variants and runs of PROGRAM printed the same result."""
    outputs = {}
    for variant, runs in collected.items():
        for run in runs:
            outputs.setdefault(run.usage.output, variant)
    if len(outputs) > 1:
        raise Failure(f'{program.name}: {" and ".join(outputs.values())} '
                      'print different checksums')


def result_of(program, variant, triples, base, processing_s=None):
    """Medians of TRIPLES: (CPU seconds, peak KB, raw bytes) of each run."""
    cpu_s, peak_kb, raw_bytes = (median(column) for column in zip(*triples))
    return Result(program, variant, cpu_s,
                  cpu_s / base.cpu_s if base else 1.0, peak_kb,
                  peak_kb / base.peak_kb if base else 1.0, raw_bytes,
                  processing_s, samples=tuple(triples))


def results_of(program, variants, collected, processing):
    results = []
    base = None
    for variant in variants:
        name = variant.name
        if name not in collected:
            results.append(Result(program.name, name,
                                  absent=program.absent.get(name)))
            continue
        runs = collected[name]
        result = result_of(program.name, name,
                           [(run.usage.cpu_s, run.usage.peak_kb, run.raw_bytes)
                            for run in runs], base, processing.get(name))
        base = base or result
        if program.is_own:
            result = result._replace(checksum=runs[0].usage.output.strip())
        results.append(result)
        if runs[0].helper:
            results.append(result_of(program.name, name + ' interpreter',
                                     [(run.helper.cpu_s, run.helper.peak_kb, 0)
                                      for run in runs], base))
    return results
