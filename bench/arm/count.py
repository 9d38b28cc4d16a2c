#!/usr/bin/env python3
"""Executed instructions a multiply-accumulate on ARM, by layer and network, beside XNNPACK's, and a weight when weights are
packed, once: a page in Markdown.

    count.py --plugin libcount_instructions.so --aarch64 BUILD PEER --armv7 BUILD PEER [--quick] [--columns TEXT]

BUILD is a build folder with bin/arm_layers, PEER what fetch_xnnpack.sh unpacked. Counts are the same in every run.
"""

import argparse
import collections
import os
import subprocess
import sys
import tempfile

# A run of arm_layers. XNNPACK chooses kernels by the core that cpuinfo finds, so that QEMU shows it this one.
Contest = collections.namedtuple('Contest', 'title bits cpu type isa core features peer')
A76_FEATURES = 'fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp'
A53_FEATURES = 'fp asimd evtstrm aes pmull sha1 sha2 crc32 cpuid'
A7_FEATURES = 'half thumb fastmult vfp edsp neon vfpv3 tls vfpv4 idiva idivt vfpd32 lpae evtstrm'
CONTESTS = [
    Contest('float (A76)', 64, 'cortex-a76', 'float', 'neon', '0xd0b', A76_FEATURES, True),
    Contest('half (A76)', 64, 'cortex-a76', 'half', 'fp16', '0xd0b', A76_FEATURES, True),
    Contest('`sdot` (A76)', 64, 'cortex-a76', 'int8', 'dotprod', '0xd0b', A76_FEATURES, True),
    Contest('Armv8.0 int8 (A53)', 64, 'cortex-a53', 'int8', 'neon', '0xd03', A53_FEATURES, True),
    Contest('`smmla`', 64, 'max', 'int8', 'i8mm', '0xd0b', A76_FEATURES, False),
    Contest('ARMv7 float', 32, 'cortex-a15', 'float', 'neon', '0xc07', A7_FEATURES, True),
    Contest('ARMv7 int8', 32, 'cortex-a15', 'int8', 'neon', '0xc07', A7_FEATURES, True),
]
Count = collections.namedtuple('Count', 'macs mobilenet_v1 resnet50 instructions weights packing')


def make_root(folder, contest):
    """What QEMU shows the program in the place of /: the libraries of its architecture, and a /proc/cpuinfo."""
    triple = 'aarch64-linux-gnu' if contest.bits == 64 else 'arm-linux-gnueabihf'
    os.symlink(f'/usr/{triple}/lib', os.path.join(folder, 'lib'))
    os.mkdir(os.path.join(folder, 'proc'))
    with open(os.path.join(folder, 'proc', 'cpuinfo'), 'w') as f:
        for processor in range(2):
            f.write(f'processor\t: {processor}\nBogoMIPS\t: 50.00\nFeatures\t: {contest.features}\n'
                    f'CPU implementer\t: 0x41\nCPU architecture: {8 if contest.bits == 64 else 7}\nCPU variant\t: 0x1\n'
                    f'CPU part\t: {contest.core}\nCPU revision\t: 0\n\n')


def count(contest, who, plugin, build, peer, quick):
    """Name of layer -> Count."""
    triple = 'aarch64-linux-gnu' if contest.bits == 64 else 'arm-linux-gnueabihf'
    with tempfile.TemporaryDirectory() as root:
        make_root(root, contest)
        log = os.path.join(root, 'marks')
        command = ['qemu-aarch64' if contest.bits == 64 else 'qemu-arm', '-L', root, '-cpu', contest.cpu,
                   '-E', f'LD_LIBRARY_PATH={peer}/usr/lib/{triple}', '-E', 'LD_BIND_NOW=1', '-plugin', plugin,
                   '-d', 'plugin', '-D', log, os.path.join(build, 'bin', 'arm_layers'), who, contest.type,
                   '--isa', contest.isa] + (['--quick'] if quick else [])
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        with open(log) as f:
            marks = [int(line.split()[1]) for line in f if line.startswith('mark ')]
    if len(marks) != 4 * len(lines):
        sys.exit(f'count.py: error: {len(marks)} marks for {len(lines)} layers; does this QEMU have plugins?')
    counts = {}
    for i, line in enumerate(lines):
        name, macs, mobilenet_v1, resnet50, weights, _ = line.split('\t')
        before, packed, begun, done = marks[4 * i:4 * i + 4]
        counts[name] = Count(int(macs), int(mobilenet_v1), int(resnet50), done - begun, int(weights), packed - before)
    return counts


def network(counts, times, share):
    """`share` of all layers, each as often as a network has it."""
    parts = [[times(c) * part for part in share(c)] for c in counts.values()]
    whole = sum(part[1] for part in parts)
    return sum(part[0] for part in parts) / whole if whole else None


def rows_of(counts, share):
    """Name of layer or network -> instructions over what they are shared among; share(count) is both of a layer."""
    rows = {name: share(c)[0] / share(c)[1] for name, c in counts.items()}
    rows['mobilenet_v1, all layers'] = network(counts, lambda c: c.mobilenet_v1, share)
    rows['resnet50, all layers'] = network(counts, lambda c: c.resnet50, share)
    return rows


def print_table(contests, columns, share):
    print('| layer | ' + ' | '.join(c.title for c in contests) + ' |\n' + '| --- ' * (len(contests) + 1) + '|')
    rows = [(rows_of(ours, share), rows_of(peer, share)) for ours, peer in columns]
    for name in rows[0][0]:
        print(f'| {name} | ' + ' | '.join(cell(ours.get(name), peer.get(name)) for ours, peer in rows) + ' |')


def cell(ours, peer):
    if ours is None:
        return ''
    text = f'{ours:.3f}'
    return text if peer is None else f'{text} / {peer:.3f} = {ours / peer:.2f}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--plugin', required=True)
    parser.add_argument('--aarch64', nargs=2, metavar=('BUILD', 'PEER'))
    parser.add_argument('--armv7', nargs=2, metavar=('BUILD', 'PEER'))
    parser.add_argument('--quick', action='store_true', help='fewer layers')
    parser.add_argument('--columns', default='', metavar='TEXT', help='only columns whose title has TEXT')
    arguments = parser.parse_args()
    places = {64: arguments.aarch64, 32: arguments.armv7}
    contests = [c for c in CONTESTS if places[c.bits] and arguments.columns in c.title]
    columns = []
    for contest in contests:
        print(contest.title, file=sys.stderr)
        build, peer = places[contest.bits]
        run = lambda who: count(contest, who, arguments.plugin, build, peer, arguments.quick)
        columns.append((run('ours'), run('xnnpack') if contest.peer else {}))
    print('Instructions a multiply-accumulate:\n')
    print_table(contests, columns, lambda c: (c.instructions, c.macs))
    print('\nInstructions a weight, of packing once:\n')
    print_table(contests, columns, lambda c: (c.packing, c.weights))


main()
