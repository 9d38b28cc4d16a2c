#!/usr/bin/env python3
"""Cycles of a network on a Cortex-M by ARM's table of the Cortex-M4, as rows of Markdown: flash, memory, stack, instructions, and from how
many to how many cycles a run takes in memory without wait states.

    count_cycles.py --plugin libcount_cycles.so --build build-cortex-m4 --machine mps2-an386 NAME=INPUT_BYTES=MACS...

BUILD was configured with MICRORT_DEVICE_MODELS (examples/cortex_m/README.md) and has bin/device_NAME. The input is zeros: the kernels
have no branches that values decide.
"""

import argparse
import os
import subprocess
import sys
import tempfile

# Cycles of an instruction beyond its first one, at least and at most. A branch that is taken refills the pipeline in 1 to 3 cycles; a
# single load or store takes 2, or 1 directly behind another one (the most assumes that none overlaps); several registers take one more
# each; a division takes 2 to 12.
BEYOND = {'single': (1, 1), 'pipelined': (-1, 0), 'registers': (1, 1), 'taken': (1, 3), 'divide': (1, 11), 'float_mac': (2, 2),
          'float_long': (13, 13)}


def cycles_of(counts):
    return tuple(counts['instructions'] + sum(counts[name] * beyond[end] for name, beyond in BEYOND.items()) for end in (0, 1))


def pairs(text):
    words = text.split()
    return {name: int(value) for name, value in zip(words[::2], words[1::2])}


# Address of the only function whose name without its parameters is this.
def address_of(program, name):
    lines = subprocess.run(['arm-none-eabi-nm', '-C', program], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    found = [line.split()[0] for line in lines if ' '.join(line.split()[2:]).split('(')[0] == name]
    if not found:
        sys.exit(f'count_cycles.py: error: {program} has no {name}')
    return int(found[0], 16)


# From the start of a run to the writing of its outputs: what the program tells, and counts of the plugin.
def run(plugin, machine, program, input_bytes):
    with tempfile.TemporaryDirectory() as folder:
        source, log = os.path.join(folder, 'in'), os.path.join(folder, 'log')
        with open(source, 'wb') as f:
            f.write(bytes(input_bytes))
        marks = f"begin={address_of(program, 'micrort::Interpreter::Run'):#x},end={address_of(program, 'semihosting::OutputFile::OutputFile'):#x}"
        told = subprocess.run(
            ['qemu-system-arm', '-M', machine, '-nographic', '-monitor', 'none', '-serial', 'none', '-semihosting-config',
             f'enable=on,target=native,arg=net,arg={source},arg={folder}/out', '-plugin', f'{plugin},{marks}', '-d', 'plugin', '-D', log,
             '-kernel', program], check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        with open(log) as f:
            counts = pairs(f.read())
    if not counts:
        sys.exit('count_cycles.py: error: the plugin wrote nothing; does this QEMU have plugins?')
    return pairs(told), counts


def row(name, macs, told, counts):
    least, most = cycles_of(counts)
    return (f"| {name} | {told['flash']:,} | {told['memory']:,} | {told['arena']:,} | {told['stack']:,} | {counts['instructions'] / macs:.2f} | "
            f'{counts["instructions"] / 1e6:.2f} | {least / 1e6:.2f}–{most / 1e6:.2f} |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--plugin', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--machine', required=True)
    parser.add_argument('network', nargs='+', metavar='NAME=INPUT_BYTES=MACS')
    arguments = parser.parse_args()
    print('| network | flash | memory | of it arena | stack | instructions a MAC | instructions, millions | cycles, millions |')
    print('| --- ' * 8 + '|')
    for network in arguments.network:
        name, input_bytes, macs = network.split('=')
        program = os.path.join(arguments.build, 'bin', 'device_' + name)
        print(row(name, int(macs), *run(os.path.abspath(arguments.plugin), arguments.machine, program, int(input_bytes))))


if __name__ == '__main__':
    main()
