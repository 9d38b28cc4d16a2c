#!/usr/bin/env python3
"""Writes the page of converted networks: size, memory, time, instructions, accuracy, and the command that made each.

    zoo.py DATA [--programs build/bin] [--python build/python] [--phone MICRORT_BENCH PLUGIN] > docs/zoo.md

DATA is a folder with models/, images/ and cifar10/. Networks that it lacks are left out, which is said. Instructions are
counted in emulation: MICRORT_BENCH is our program for AArch64, PLUGIN the library of bench/arm/count_instructions.c.
"""
import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile

from networks import NETWORKS

BOARD = 'cortex-m7'
BOARD_OPTIONS = ['--io-type', 'int8']
PHONE, PHONE_CPU = 'dotprod', 'cortex-a76'


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('data')
    parser.add_argument('--programs', default='build/bin', help='folder of our programs (default: build/bin)')
    parser.add_argument('--python', default='build/python', help='folder of our Python package (default: build/python)')
    parser.add_argument('--phone', nargs=2, metavar=('MICRORT_BENCH', 'PLUGIN'),
                        help='count instructions for AArch64 (default: leave them out)')
    parser.add_argument('--seconds', type=float, default=2, help='how long each network runs (default: 2)')
    return parser.parse_args()


def run(command):
    """Its standard output; the program's own message where it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RuntimeError(' '.join(command) + ': ' + done.stderr.strip())
    return done.stdout


def convert(arguments, network, options, path):
    """What mnnconvert says of the file."""
    source = os.path.join(arguments.data, 'models', network.source)
    options = [option.format(data=arguments.data) for option in options]
    return json.loads(run([os.path.join(arguments.programs, 'mnnconvert'), source, '-o', path, '--json', '-', *options]))


def board_memory(arguments, network, options, folder):
    """KB of RAM on a microcontroller, or nothing where its library does not compute the model."""
    for more in (BOARD_OPTIONS, []):
        try:
            told = convert(arguments, network, [*options, '--target', BOARD, *more], os.path.join(folder, 'board.fb'))
        except RuntimeError:
            continue
        if told['device_refusal'] is None:
            return kilobytes(told['ram_bytes'])
    return ''


def kilobytes(count):
    return '' if count is None else f'{count / 1024:,.0f}'


def milliseconds(arguments, path):
    told = json.loads(run([os.path.join(arguments.programs, 'micrort-bench'), path, '--min-time', str(arguments.seconds),
                           '--json', '-']))
    return f"{told['latency_ms']['median']:.3f}"


def instructions(arguments, network, options, folder):
    """Millions that a run takes on a phone's core: the count is the same on every machine, however loaded."""
    if not arguments.phone:
        return ''
    program, plugin = arguments.phone
    path, log = os.path.join(folder, 'phone.fb'), os.path.join(folder, 'instructions')
    convert(arguments, network, [*options, '--target', PHONE], path)

    def executed(runs):
        run(['qemu-aarch64', '-cpu', PHONE_CPU, '-plugin', plugin, '-d', 'plugin', '-D', log, program, path, '--isa', PHONE,
             '--warmup', '0', '--runs', str(runs), '--json', '-'])
        with open(log) as lines:
            return [int(line.split()[1]) for line in lines if line.startswith('all ')][-1]

    more = 4  # of at most five runs, which are profiled in any case: the rest of the program is the same
    return f'{(executed(1 + more) - executed(1)) / more / 1e6:,.2f}'


def share_right(arguments, path):
    """Of the test pictures of CIFAR-10."""
    sys.path.insert(0, arguments.python)
    import micrort
    import numpy as np
    pictures = np.load(os.path.join(arguments.data, 'cifar10', 'test_images.npy'))
    labels = np.load(os.path.join(arguments.data, 'cifar10', 'test_labels.npy'))
    interpreter = micrort.Interpreter(micrort.Model(path))
    name, right = interpreter.inputs[0].name, 0
    for picture, label in zip(pictures, labels):
        outputs = interpreter.run({name: picture[None].astype(np.float32)})
        right += int(np.argmax(next(iter(outputs.values()))) == label)
    return f'{100 * right / len(labels):.1f} % right'


def accuracy(arguments, network, options, path, folder):
    """Of test pictures where there are some, else how near quantized outputs are to those of float32."""
    if network.name == 'resnet8':
        return share_right(arguments, path)
    if '--calib' not in options:
        return ''
    told = convert(arguments, network, [*options, '--verify'], os.path.join(folder, 'verified.fb'))
    return ', '.join(f"{output['snr_db']:.1f}" for output in told['verify']['outputs']) + ' dB'


def rows(arguments, network, folder):
    for numbers, options in network.variants.items():
        path = os.path.join(folder, 'network.fb')
        told = convert(arguments, network, options, path)
        yield [network.name, network.task, numbers, kilobytes(told['file_bytes']), kilobytes(told['ram_bytes']),
               board_memory(arguments, network, options, folder), milliseconds(arguments, path),
               instructions(arguments, network, options, folder),
               accuracy(arguments, network, options, path, folder)]


def cpu():
    with open('/proc/cpuinfo') as info:
        names = [line.split(':')[1].strip() for line in info if line.startswith('model name')]
    return names[0] if names else platform.processor()


def commit():
    return run(['git', '-C', os.path.dirname(os.path.abspath(__file__)), 'rev-parse', '--short', 'HEAD']).strip()


def table(lines):
    print('| ' + ' | '.join(lines[0]) + ' |')
    print('| ' + ' | '.join('---' for _ in lines[0]) + ' |')
    for line in lines[1:]:
        print('| ' + ' | '.join(line) + ' |')


def command(network, options):
    words = ['mnnconvert', os.path.basename(network.source), '-o', network.name + '.fb', *options]
    return ' '.join(word.format(data='data') for word in words)


def main():
    arguments = parse_arguments()
    there = [n for n in NETWORKS if os.path.exists(os.path.join(arguments.data, 'models', n.source))]
    for network in NETWORKS:
        if network not in there:
            print(f'zoo.py: no {network.source}; left out', file=sys.stderr)
    print(f'''# Converted networks

Written by `bench/zoo/zoo.py`, {datetime.date.today()}, commit {commit()}, {cpu()}, one thread.

- **File** and **RAM** are KB: of the file, and of everything that runs allocate on this CPU, packed weights included.
- **RAM, {BOARD}** is all that a Cortex-M7 needs beside the file, whose weights it reads in place. It is empty where the preset's library does not compute the model.
- **Median** is that of at least {arguments.seconds:g} seconds of runs, in milliseconds.
- **Instructions** are millions that a run executes on an AArch64 core with int8 dot products (`--target {PHONE}`), counted by QEMU as a Cortex-A76; it knows no caches and stalls.
- **Accuracy**: the share of 1,000 test pictures of CIFAR-10, or the signal-to-noise ratio of each output to float32 on the calibration samples.
''')
    lines = [['network', 'finds', 'numbers', 'file', 'RAM', f'RAM, {BOARD}', 'median', 'instructions', 'accuracy']]
    with tempfile.TemporaryDirectory() as folder:
        for network in there:
            lines += rows(arguments, network, folder)
    table(lines)
    print('\n## Sources and commands\n\n`data/` holds the pictures. For a board add '
          f'`--target {BOARD} {" ".join(BOARD_OPTIONS)}`.\n')
    table([['network', 'from', 'commands']] +
          [[n.name, n.origin, '<br>'.join(f'`{command(n, options)}`' for options in n.variants.values())] for n in there])


if __name__ == '__main__':
    main()
