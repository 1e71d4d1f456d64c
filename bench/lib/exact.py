# Compare a profile's sums with what the program itself counted.
# SPDX-License-Identifier: GPL-3.0-or-later

import json

from process import check

# The function of threads.c that allocates, and its sums: what the program calls
# them, and the profile.
FUNCTION = 'operate'
KEYS = {'blocks': 'alloc_count', 'bytes': 'total_size',
        'accesses': 'total_access_count'}


def expected_sums(output):
    """The sums that the program printed: names and numbers in turn."""
    words = output.split()
    return dict(zip(words[::2], map(int, words[1::2])))


def profiled_sums(gcov, files):
    """Sums over the contexts that allocate in FUNCTION."""
    shown = json.loads(check([gcov, 'show', '--json', *files],
                             'heapprof-gcov show'))
    sums = dict.fromkeys(KEYS, 0)
    for context in shown['contexts']:
        if any(frame['function'] == FUNCTION for frame in context['frames']):
            for name, key in KEYS.items():
                sums[name] += context['info'][key] or 0
    return sums
