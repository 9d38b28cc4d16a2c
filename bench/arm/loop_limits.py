#!/usr/bin/env python3
"""How near the inner loops of micro-kernels come to the limit of their products, by LLVM's models of cores: a page in Markdown.

    loop_limits.py [--mca llvm-mca-19] [--objdump aarch64-linux-gnu-objdump] OBJECT...

For each object the innermost loop with the most products is taken from the listing. The limit of a core is what its model says
of the loop's products alone; the rest is its share of the whole loop. Loads are taken to hit the first cache. The last column
counts cycles of a Cortex-A55 by published rules of what it issues together, without waiting for results (docs/measurements/arm.md).
"""

import argparse
import re
import subprocess

CORES = ['neoverse-n1', 'neoverse-n2', 'neoverse-v1', 'cortex-a55']
PRODUCT = re.compile(r'^(fmla|sdot|smmla|smlal2?|smull2?)\s')
BRANCH = re.compile(r'^(b\.\w+|cbn?z|tbn?z)\s.*?\b([0-9a-f]+) <')
ITERATIONS = 100


def functions(objdump, path):
    """Lists of (address, instruction) by function."""
    text = subprocess.run([objdump, '-d', '--no-show-raw-insn', path], check=True, stdout=subprocess.PIPE, text=True).stdout
    name, lines = None, []
    for line in text.splitlines():
        if match := re.match(r'^[0-9a-f]+ <(.*)>:$', line):
            if lines:
                yield name, lines
            name, lines = match[1], []
        elif match := re.match(r'^ *([0-9a-f]+):\t(.*?)(\s*//.*)?$', line):
            lines.append((int(match[1], 16), match[2].replace('\t', ' ').strip()))
    if lines:
        yield name, lines


def loops(lines):
    """The instructions of each loop that has no loop inside."""
    index = {address: i for i, (address, _) in enumerate(lines)}
    spans = []
    for i, (_, text) in enumerate(lines):
        match = BRANCH.match(text)
        if match and index.get(int(match[2], 16), i + 1) <= i:
            spans.append((index[int(match[2], 16)], i))
    for first, last in spans:
        if not any((a, b) != (first, last) and first <= a and b <= last for a, b in spans):
            yield [text for _, text in lines[first:last + 1]]


def products(loop):
    return [text for text in loop if PRODUCT.match(text)]


def cycles(mca, core, code):
    """Of one iteration."""
    # Where a branch goes does not matter.
    text = '\n'.join(re.sub(r'\b[0-9a-f]+ <.*', '.', line) for line in code) + '\n'
    command = [mca, '-mtriple=aarch64-linux-gnu', f'-mcpu={core}', '-mattr=+fullfp16,+dotprod,+i8mm',
               f'-iterations={ITERATIONS}', '-instruction-info=false', '-resource-pressure=false', '-']
    out = subprocess.run(command, check=True, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return int(re.search(r'Total Cycles:\s+(\d+)', out)[1]) / ITERATIONS


def in_order_cycles(loop):
    """Loads of 128 bits stop everything else; one vector instruction a cycle goes with one of another kind."""
    blocked = vectors = others = 0
    for text in loop:
        if match := re.match(r'^(ldp|ldr|ldur|stp|str|ld1)\s+\{?([qv])', text):
            blocked += 2 * (2 if match[1] == 'ldp' or match[1] == 'stp' else 1)
        elif re.match(r'^\w+\s+v\d', text):
            vectors += 1
        else:
            others += 1
    return blocked + max(vectors, others)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--mca', default='llvm-mca-19')
    parser.add_argument('--objdump', default='aarch64-linux-gnu-objdump')
    parser.add_argument('objects', nargs='+', metavar='OBJECT')
    arguments = parser.parse_args()
    print('| loop | products / instructions | ' + ' | '.join(CORES) + ' | in order, by rules |\n' +
          '| --- ' * (len(CORES) + 3) + '|')
    for path in arguments.objects:
        found = [loop for _, lines in functions(arguments.objdump, path) for loop in loops(lines)]
        loop = max(found, key=lambda code: len(products(code)))
        row = []
        for core in CORES:
            whole, limit = cycles(arguments.mca, core, loop), cycles(arguments.mca, core, products(loop))
            row.append(f'{limit:.1f} / {whole:.1f} = {limit / whole:.2f}')
        limit, whole = len(products(loop)), in_order_cycles(loop)
        row.append(f'{limit} / {whole} = {limit / whole:.2f}')
        name = re.sub(r'\.cpp\.o$', '', path.split('/')[-1])
        print(f'| `{name}` | {len(products(loop))} / {len(loop)} | ' + ' | '.join(row) + ' |')


main()
