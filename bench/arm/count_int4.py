#!/usr/bin/env python3
"""Executed instructions a weight and row of the loops of int8 and of int4 by int8 on AArch64: a page in Markdown.

    count_int4.py --plugin libcount_instructions.so build-aarch64/bin/arm_int4_loops

Counts are the same in every run. Unpacking and the scales of groups are counted; quantizing rows is not.
"""

import argparse
import os
import subprocess
import sys
import tempfile


def count(plugin, program):
    """(micro-kernel, group, rows) -> instructions a weight and row, in the program's order."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, 'marks')
        command = ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', '-cpu', 'max,sve=off', '-plugin', plugin, '-d', 'plugin',
                   '-D', log, program]
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        with open(log) as f:
            marks = [int(line.split()[1]) for line in f if line.startswith('mark ')]
    if len(marks) != 2 * len(lines):
        sys.exit(f'count_int4.py: error: {len(marks)} marks for {len(lines)} loops; does this QEMU have plugins?')
    counts = {}
    for i, line in enumerate(lines):
        kernel, group, rows, products = line.split('\t')
        counts[kernel, int(group), int(rows)] = (marks[2 * i + 1] - marks[2 * i]) / int(products)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--plugin', required=True)
    parser.add_argument('program')
    arguments = parser.parse_args()
    counts = count(arguments.plugin, arguments.program)
    rows = list(dict.fromkeys(n for _, _, n in counts))
    print('| loop | ' + ' | '.join(f'{n} rows' if n > 1 else 'one row' for n in rows) + ' |\n' + '| --- ' * (len(rows) + 1) + '|')
    for kernel, group in dict.fromkeys((k, g) for k, g, _ in counts):
        name = f'int4 in groups of {group}, `{kernel}`' if group else f'int8, `{kernel}`'
        print(f'| {name} | ' + ' | '.join(f'{counts[kernel, group, n]:.3f}' for n in rows) + ' |')


main()
