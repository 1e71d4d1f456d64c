# Generate a large C++ unit and heap profiles of its functions.
# SPDX-License-Identifier: GPL-3.0-or-later

COLD, NOT_COLD = (1000, 1), (1000, 1000)    # lifetime in ms, density

# The source of a group of functions, with N for its number: allocations that two
# functions share, and work that uses them.
GROUP = '''struct node_N { node_N *next; unsigned key; char *text; };
static node_N *
make_N (unsigned key)
{
  node_N *node = new node_N;
  node->key = key * Nu + 1;
  node->text = (char *) malloc (key % 64 + 2);
  for (unsigned i = 0; i <= key % 64; i++)
    node->text[i] = 'a' + (i * node->key) % 26;
  node->text[key % 64 + 1] = 0;
  return node;
}
static node_N *
build_N (unsigned n)
{
  node_N *list = 0;
  for (unsigned i = 0; i < n; i++)
    {
      node_N *node = make_N (i);
      node->next = list;
      list = node;
    }
  return list;
}
static void
extend_N (node_N *list)
{
  for (; list; list = list->next)
    if (list->key % 3 == 0)
      {
	node_N *node = make_N (list->key);
	node->next = list->next;
	list->next = node;
	list = node;
      }
}
unsigned
work_N (unsigned n)
{
  node_N *list = build_N (n);
  unsigned sum = 0, table[64] = { 0 };
  extend_N (list);
  for (node_N *node = list; node; node = node->next)
    {
      table[node->key % 64] += strlen (node->text);
      if (node->next && node->next->key > node->key)
	{
	  unsigned key = node->key;
	  node->key = node->next->key;
	  node->next->key = key;
	}
    }
  while (list)
    {
      node_N *next = list->next;
      sum = sum * 31 + list->key + list->text[0];
      free (list->text);
      delete list;
      list = next;
    }
  for (unsigned i = 0; i < 64; i++)
    sum ^= table[i] << i % 16;
  return sum;
}
'''
HEAD = '#include <stdlib.h>\n#include <string.h>\n'


def source(groups):
    return HEAD + ''.join(GROUP.replace('N', str(number))
                          for number in range(groups))


def offset(function, text):
    """The line of TEXT in GROUP, relative to the name of FUNCTION."""
    lines = GROUP.split('\n')
    first = next(i for i, line in enumerate(lines)
                 if line.startswith(f'{function}_N ('))
    return next(i for i, line in enumerate(lines[first:]) if text in line)


def frame(function, line):
    return (f'{{ Function: {function}, LineOffset: {line}, Column: 0, '
            'IsInlineFrame: false }')


def context(frames, mib):
    lifetime, density = mib
    callstack = ''.join(f'          - {each}\n' for each in frames)
    return (f'      - Callstack:\n{callstack}        MemInfoBlock: {{ '
            f'AllocCount: 1, TotalSize: 24, TotalLifetime: {lifetime}, '
            f'TotalLifetimeAccessDensity: {density} }}\n')


def record(function, contexts, calls):
    allocations = ''.join(contexts)
    sites = ''.join(f'      - Frames:\n          - {call}\n' for call in calls)
    return (f'  - GUID: {function}\n    AllocSites:'
            + (f'\n{allocations}' if allocations else ' []\n')
            + '    CallSites:' + (f'\n{sites}' if sites else ' []\n'))


def group_records(number, disagree, named=lambda name: name):
    """The records of group NUMBER, with function names made by NAMED."""
    make, build = (named(f'_ZL{len(f"{name}_{number}")}{name}_{number}j')
                   for name in ('make', 'build'))
    extend = f'extend_{number}'
    extend = named(f'_ZL{len(extend)}{extend}P{len(f"node_{number}")}'
                   f'node_{number}')
    work = f'work_{number}'
    work = named(f'_Z{len(work)}{work}j')
    above = {name: (frame(mangled, offset(name, 'make_N')),
                    frame(work, offset('work', f'{name}_N (')))
             for name, mangled in (('build', build), ('extend', extend))}
    contexts = [context((frame(make, offset('make', text)), *above[name]),
                        NOT_COLD if name == 'extend' and disagree else COLD)
                for text in ('new ', 'malloc') for name in above]
    return (record(make, contexts, ())
            + record(build, (), above['build'][:1])
            + record(extend, (), above['extend'][:1])
            + record(work, (), (above['build'][1], above['extend'][1])))


RECORDS_PER_GROUP = 4


def profile(groups, functions, disagree_every):
    """A heap profile of FUNCTIONS functions as YAML: those of a unit with
    GROUPS groups, and others.  In every DISAGREE_EVERYth group (0: none), the
    contexts of an allocation belong to two classes."""
    parts = ['---\nHeapProfileRecords:\n']
    for number in range(groups):
        parts.append(group_records(number, disagree_every != 0
                                   and number % disagree_every == 0))
    for number in range(groups, functions // RECORDS_PER_GROUP):
        parts.append(group_records(number, False, lambda name: name + 'x'))
    parts.append('...\n')
    return ''.join(parts)
