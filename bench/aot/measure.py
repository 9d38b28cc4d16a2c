#!/usr/bin/python3
"""Ahead-of-time C++ beside the interpreter: emits models as C++, compiles them, and runs both in turns.

usage: measure.py [--programs FOLDER] [--archive FILE] [--rounds N] MODEL[,FLAG...] ...

A model may be followed by flags of mnnconvert, with commas between. FOLDER has mnnconvert and micrort-bench, FILE is
libmicrort_kernels.a of the same build; both are taken from build/ unless given. One thread, this machine. Prints a line
a model: milliseconds of a run (the least median of all rounds) emitted and interpreted, their ratio, construction as a
part of a run, bytes of memory and constants, and bytes of code.
"""
import argparse
import json
import os
import re
import subprocess
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FLAGS = ['-std=c++17', '-O2', '-Wall', '-Wextra', '-Werror', '-ffunction-sections', '-Wl,--gc-sections']


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


class Contest:
    """A model in both forms, in a folder of its own."""

    def __init__(self, options, model, folder):
        self.bench = os.path.join(options.programs, 'micrort-bench')
        path, *flags = model.split(',')
        convert = [os.path.join(options.programs, 'mnnconvert'), path, '--quiet', *flags]
        self.file = os.path.join(folder, 'model.fb')
        self.program = os.path.join(folder, 'benchmark')
        code = os.path.join(folder, 'cpp')
        output(*convert, '-o', self.file)
        output(*convert, '-o', code, '--emit', 'cpp', '--cpp-class', 'app::Net', '--weights-as', 'incbin')
        sources = [os.path.join(code, name) for name in ('net.cpp', 'net_benchmark.cpp', 'net_weights.S')]
        output('c++', *FLAGS, '-I' + SOURCE, '-I' + code, '-Wa,-I' + code, *sources, options.archive, '-o',
               self.program)

    def emitted(self):
        text = output(self.program, '20')
        numbers = re.search(r'memory (\d+) bytes, constants (\d+) bytes\nconstruction ([\d.]+) ms\n', text)
        self.memory, self.constants, self.construction = (float(n) for n in numbers.groups())
        return float(re.search(r'median ([\d.]+) ms', text).group(1))

    def interpreted(self):
        result = output(self.bench, self.file, '--threads', '1', '--runs', '20', '--warmup', '2', '--json', '-')
        return json.loads(result)['latency_ms']['median']

    def code_bytes(self):
        text = int(output('size', self.program).splitlines()[1].split()[0])
        return text - int(self.constants)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--programs', default=os.path.join(SOURCE, 'build/bin'))
    parser.add_argument('--archive', default=os.path.join(SOURCE, 'build/kernels/libmicrort_kernels.a'))
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('models', nargs='+')
    options = parser.parse_args()
    print('%-40s %10s %10s %6s %12s %12s %12s %10s' % ('model', 'emitted', 'interpreter', 'ratio', 'construction',
                                                     'memory', 'constants', 'code'))
    for model in options.models:
        with tempfile.TemporaryDirectory() as folder:
            contest = Contest(options, model, folder)
            turns = [(contest.emitted(), contest.interpreted()) for _ in range(options.rounds)]
            emitted, interpreted = (min(times) for times in zip(*turns))
            print('%-40s %10.4f %10.4f %6.3f %11.4f%% %12d %12d %10d' %
                  (os.path.basename(model), emitted, interpreted, emitted / interpreted,
                   100 * contest.construction / emitted, contest.memory, contest.constants, contest.code_bytes()),
                  flush=True)


if __name__ == '__main__':
    main()
