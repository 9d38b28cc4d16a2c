#!/usr/bin/python3
"""The figures of kernel_bench as a page in Markdown.

usage: table.py KERNELS.json ... > docs/measurements/kernel-variants.md

KERNELS.json: what `kernel_bench --benchmark_out=KERNELS.json --benchmark_out_format=json` wrote. Of all repetitions of a row the
fastest counts: other programs on the machine only slow it down.
"""
import collections
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'networks'))
from report import cpu_name, table  # noqa: E402

INSTRUCTION_SETS = ['scalar', 'sse41', 'avx2', 'avxvnni', 'avx512', 'avx512vnni', 'neon', 'dotprod', 'i8mm']

INTRODUCTION = """# Kernel variants

Written by `./dev bench kernels`. One thread; the fastest of interleaved repetitions, by the processor time of the program. A name is
that of the kernel registry in `kernels/` without its instruction set, and of what was measured; `product_…` are whole matrix
products of M x N x K by implicit GEMM. Their weights are floats or int8, or, `by` narrow ones, floats packed ahead and weights
dequantized as they are multiplied. An empty field has no variant of its own: the nearest one to the left runs. Where an
instruction set has several micro-kernels, each has its tile before its figure. A test checks that every variant has such a
benchmark.

Variants for ARM have no times: there was no such machine. The page on ARM has the counts of an emulator.

"""

# A registry may hold several functions, whose names stand before the instruction set; tiles stand behind it.
NAME = re.compile(r'(?:(?P<function>\w+)_)?(?P<isa>' + '|'.join(INSTRUCTION_SETS) + r')(?:_(?P<tile>\w+))?$')


class Row:
    def __init__(self, name):
        family, kernel, *rest = name.split('/')
        match = NAME.match(kernel)
        self.isa = match and match.group('isa')
        self.tile = match and match.group('tile')
        function = match and match.group('function')
        self.label = '/'.join([family] + ([function] if function and function != family else []) + rest)
        # Shares are of the peak of floats.
        self.of_floats = 'f32' in family


def field(row, run, counter):
    share = f' ({100 * run["of_peak"]:.0f} %)' if row.of_floats and 'of_peak' in run else ''
    return f'{run[counter]:.1f}{share}'


def read(paths):
    """The day, and of every row that ran its name and fastest run."""
    fastest = {}
    for path in paths:
        with open(path, encoding='utf-8') as file:
            document = json.load(file)
        for run in document['benchmarks']:
            if run['run_type'] != 'iteration' or run.get('error_occurred'):
                continue
            best = fastest.setdefault(run['run_name'], run)
            if run['cpu_time'] < best['cpu_time']:
                fastest[run['run_name']] = run
    return document['context']['date'][:10], fastest


def in_order_of_numbers(label):
    return [(int(part), '') if part.isdigit() else (0, part) for part in re.split(r'(\d+)', label)]


def pivot(measured, counter):
    """A line for each label and a column for each instruction set."""
    fields = collections.defaultdict(lambda: collections.defaultdict(list))
    for name, run in measured.items():
        row = Row(name)
        if row.isa and counter in run:
            fields[row.label][row.isa].append((row.tile, field(row, run, counter)))
    present = [isa for isa in INSTRUCTION_SETS if any(isa in of_label for of_label in fields.values())]

    def cell(entries):
        return ', '.join(text if len(entries) == 1 else f'{tile}: {text}' for tile, text in entries)
    return table(['variant', *present],
                 [[label, *(cell(fields[label][isa]) for isa in present)] for label in sorted(fields, key=in_order_of_numbers)])


def main(paths):
    day, measured = read(paths)
    print(INTRODUCTION + f'{day}, {cpu_name()}.\n')
    print('## Multiply-adds\n\nGFLOP/s, and GOP/s of int8; of floats, the share of the peak of fused multiply-adds of the same '
          'instruction set.\n')
    print(pivot(measured, 'GFLOP/s'))
    print('## Data\n\nGB/s read and written.\n')
    print(pivot(measured, 'GB/s'), end='')


if __name__ == '__main__':
    if len(sys.argv) < 2 or sys.argv[1] in ('-h', '--help'):
        sys.exit(__doc__)
    main(sys.argv[1:])
