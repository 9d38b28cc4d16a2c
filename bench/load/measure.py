#!/usr/bin/python3
"""How long it takes until a model may run (Model and Interpreter), with and without what the file decided.

usage: measure.py [--bin FOLDER] [--before FOLDER] [--turns N] [--threads N] MODEL.onnx ...

Each model is converted three times: with --target for the CPU at hand (`target`: weights packed, program decided); the same with a
program for other threads alone, which the device cannot use, so that it decides by itself (`searched`); and without --target
(`unpacked`: program decided, weights packed as they are loaded). --before: a folder with mnnconvert and micrort-bench of another version,
whose files made with --target it loads. All take turns in new processes with a warm file cache; printed are medians and
quartiles in milliseconds.
"""
import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import tempfile


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout


def load_ms(bench, model, threads):
    out = run(bench, model, '--runs', '1', '--warmup', '0', '--min-time', '0', '--threads', str(threads), '--json', '-')
    result = json.loads(out)
    return result['load_ms'], result['isa']


def contestants(options, model, folder):
    """Name -> (micrort-bench, file)."""
    def convert(binaries, name, *flags):
        path = os.path.join(folder, name + '.fb')
        run(os.path.join(binaries, 'mnnconvert'), model, '-o', path, '--quiet', *flags)
        return copies[binaries], path

    # A copy, because pages of a file that a linker wrote come into memory more slowly.
    copies = {}
    for binaries in filter(None, (options.bin, options.before)):
        copies[binaries] = os.path.join(folder, f'bench{len(copies)}')
        shutil.copy(os.path.join(binaries, 'micrort-bench'), copies[binaries])

    threads = '--target-threads', str(options.threads)
    result = {'unpacked': convert(options.bin, 'unpacked', *threads)}
    isa = load_ms(*result['unpacked'], options.threads)[1]
    result['target'] = convert(options.bin, 'target', '--target', isa, *threads)
    result['searched'] = convert(options.bin, 'searched', '--target', isa, '--target-threads', str(options.threads + 1))
    if options.before:
        result['before'] = convert(options.before, 'before', '--target', isa, *threads)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('models', nargs='+')
    parser.add_argument('--bin', default='build/bin')
    parser.add_argument('--before')
    parser.add_argument('--turns', type=int, default=21)
    parser.add_argument('--threads', type=int, default=1)
    options = parser.parse_args()
    for model in options.models:
        with tempfile.TemporaryDirectory() as folder:
            found = contestants(options, model, folder)
            times = {name: [] for name in found}
            order = random.Random(1)  # a process is slower or faster by what ran before it
            for turn in range(options.turns + 1):
                for name, (bench, path) in order.sample(sorted(found.items()), len(found)):
                    ms = load_ms(bench, path, options.threads)[0]
                    if turn > 0:  # the first one fills the file cache
                        times[name].append(ms)
        row = []
        for name, values in times.items():
            low, middle, high = statistics.quantiles(values, n=4)
            row.append(f'{name} {middle:.2f} [{low:.2f}, {high:.2f}]')
        print(f'{os.path.splitext(os.path.basename(model))[0]}: ' + ', '.join(row), flush=True)


if __name__ == '__main__':
    main()
