#!/usr/bin/python3
"""Chains of element-wise operators beside a copy of the data: emitted as C++, interpreted, and memcpy, in turns.

usage: chains.py [--programs FOLDER] [--archive FILE] [--elements N] [--rounds N] [--flag FLAG]...

FOLDER has mnnconvert and session_bench, FILE is libmicrort_kernels.a of the same build; both are taken from build/ unless
given. FLAG goes to mnnconvert (--flag=--target=avx2). One thread, this machine. Prints a line a chain: the medians of all turns, in
milliseconds, and their ratios to the copy. Needs Debian's python3-onnx.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

import numpy
import onnx
from onnx import helper, numpy_helper

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# In a turn: so many that caches are as the contestant itself leaves them.
RUNS = 99
FLAGS = ['-std=c++17', '-O2', '-Wall', '-Wextra', '-Werror', '-ffunction-sections', '-Wl,--gc-sections']

# For each line of input with a number: so many runs of the class and as many copies, in turns, and their medians.
MAIN = r'''
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>
#include "net.h"
alignas(64) static unsigned char memory[app::Net::kBytes];
alignas(64) static float from[%(elements)d], to[%(elements)d];
template <typename Run>
static double Milliseconds(Run run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}
int main() {
  static app::NetBase net(memory);
  for (int i = 0; i < %(elements)d; ++i) from[i] = static_cast<float>(i %% 977) * 0.01f - 4.0f;
  std::memcpy(net.arg0_data(), from, sizeof from);
  for (int runs = 0; std::scanf("%%d", &runs) == 1;) {
    std::vector<double> net_ms, copy_ms;
    for (int i = 0; i < runs; ++i) {
      net_ms.push_back(Milliseconds([] { net.Run(); }));
      copy_ms.push_back(Milliseconds([] { std::memcpy(to, from, sizeof to); __asm__ volatile("" : : "r"(to) : "memory"); }));
    }
    std::sort(net_ms.begin(), net_ms.end());
    std::sort(copy_ms.begin(), copy_ms.end());
    std::printf("%%.5f %%.5f\n", net_ms[net_ms.size() / 2], copy_ms[copy_ms.size() / 2]);
    std::fflush(stdout);
  }
}
'''

# Operators with the numbers that they take beside the value before; a list of numbers has one a channel.
CHAINS = {
    'affine': [('Mul', 1.5), ('Add', 0.25), ('Relu',), ('Sub', 1.0), ('Mul', 0.5), ('Max', -0.75), ('Min', 2.0), ('Neg',)],
    'channels': [('Sub', [0.1] * 64), ('Mul', [1.2] * 64), ('Add', [0.3] * 64), ('Relu',), ('Mul', 0.5), ('Abs',), ('Add', 1.0),
                 ('Min', 6.0)],
    'hard_swish': [('Add', 0.5), ('HardSwish',), ('Mul', 0.9), ('Add', -0.1), ('HardSigmoid',), ('Sub', 0.5), ('Abs',), ('Neg',)],
    'gelu': [('Mul', 1.1), ('Add', 0.1), ('Mul', 0.7), ('Erf',), ('Add', 1.0), ('Mul', 0.5), ('Sub', 0.2), ('Neg',)],
}


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def write_model(chain, elements, path):
    shape = [1, elements // 64, 64]
    nodes, constants, value = [], [], 'x'
    for i, (kind, *numbers) in enumerate(chain):
        inputs = [value]
        if numbers:
            constants.append(numpy_helper.from_array(numpy.array(numbers[0], numpy.float32), 'c%d' % i))
            inputs.append('c%d' % i)
        value = 'y' if i + 1 == len(chain) else 'v%d' % i
        nodes.append(helper.make_node(kind, inputs, [value]))
    tensors = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name in 'xy']
    graph = helper.make_graph(nodes, 'chain', tensors[:1], tensors[1:], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 14)]), path)


class Process:
    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def turn(self, runs):
        self.process.stdin.write('%d\n' % runs)
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--programs', default=os.path.join(SOURCE, 'build/bin'))
    parser.add_argument('--archive', default=os.path.join(SOURCE, 'build/kernels/libmicrort_kernels.a'))
    parser.add_argument('--elements', type=int, default=1 << 20)
    parser.add_argument('--rounds', type=int, default=15)
    parser.add_argument('--flag', action='append', default=[])
    options = parser.parse_args()
    flags = [part for flag in options.flag for part in flag.split('=')]
    print('%-12s %10s %10s %10s %14s %18s' % ('chain', 'copy', 'emitted', 'interp.', 'emitted/copy', 'interpreted/copy'))
    for name, chain in CHAINS.items():
        with tempfile.TemporaryDirectory() as folder:
            model, file, code = (os.path.join(folder, part) for part in ('model.onnx', 'model.fb', 'cpp'))
            write_model(chain, options.elements, model)
            convert = [os.path.join(options.programs, 'mnnconvert'), model, '--quiet', *flags]
            output(*convert, '-o', file)
            output(*convert, '-o', code, '--emit', 'cpp', '--cpp-class', 'app::Net')
            with open(os.path.join(code, 'main.cpp'), 'w') as text:
                text.write(MAIN % {'elements': options.elements})
            sources = [os.path.join(code, part) for part in ('net.cpp', 'main.cpp', 'net_weights.S')]
            program = os.path.join(folder, 'program')
            output('c++', *FLAGS, '-I' + SOURCE, '-I' + code, '-Wa,-I' + code, *sources, options.archive, '-o', program)
            emitted = Process(program)
            interpreted = Process(os.path.join(options.programs, 'session_bench'), file, '1')
            interpreted.process.stdout.readline()
            times = []
            for _ in range(options.rounds):
                net, copy = (float(ms) for ms in emitted.turn(RUNS).split())
                times.append((copy, net, statistics.median(json.loads(interpreted.turn(RUNS))['ms'])))
            emitted.close()
            interpreted.close()
            copy, net, interpreter = (statistics.median(column) for column in zip(*times))
            ratios = [statistics.median(turn[k] / turn[0] for turn in times) for k in (1, 2)]
            print('%-12s %10.4f %10.4f %10.4f %14.3f %18.3f' % (name, copy, net, interpreter, *ratios), flush=True)


if __name__ == '__main__':
    main()
