#!/usr/bin/python3
"""The same network from TorchScript and from ONNX: operators of both, and their times in turns.

usage: compare_formats.py [--programs BIN] [--rounds N] [--turn-ms MS] [NETWORK ...]

NETWORK: one of tests/networks/export_networks.py, or CLASSIFIER@SIZE of torchvision; without one, all of the former that have
fixed sizes and no tokens. Prints a row of a table each. Exit code 1 if one from TorchScript takes more than 1.05 times as long.

Needs Debian's python3-torch, python3-torchvision, python3-onnx.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys
import tempfile

from compare import spread
from contestant import Contestant

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', '..', 'tests', 'networks'))
LIMIT = 1.05


def make(name):
    import torch
    from export_networks import MODELS, NETWORKS, image, prepare
    torch.manual_seed(0)
    if '@' in name:
        classifier, size = name.split('@')
        arguments = {'weights': None, **({'init_weights': False} if classifier in ('googlenet', 'inception_v3') else {})}
        return prepare(getattr(MODELS, classifier)(**arguments)), [image(int(size))]
    network, inputs, _ = NETWORKS[name]
    return prepare(network()), inputs


def write_sources(name, folder):
    """Command lines that convert it, by format."""
    import torch
    network, inputs = make(name)
    traced, exported = (os.path.join(folder, 'model' + end) for end in ('.pt', '.onnx'))
    torch.jit.trace(network, tuple(inputs), check_trace=False).save(traced)
    torch.onnx.export(network, tuple(inputs), exported, opset_version=14)
    options = []
    for i, tensor in enumerate(inputs):
        options += ['--input-shape', f'#{i}=' + 'x'.join(map(str, tensor.shape))]
        if tensor.dtype == torch.int64:
            options += ['--input-type', f'#{i}=int64']
    return {'TorchScript': [traced, *options], 'ONNX': [exported]}


def operators(programs, path):
    text = subprocess.run([os.path.join(programs, 'micrort-info'), path, '--json'], check=True, stdout=subprocess.PIPE).stdout
    graphs = json.loads(text)['subgraphs']
    return collections.Counter(op['type'] for graph in graphs for op in graph['operators'])


def take_turns(arguments, contestants):
    runs = {}
    for name, contestant in contestants.items():
        runs[name] = max(1, round(arguments.turn_ms / statistics.median(contestant.turn(3)['ms'])))
    medians = {name: [] for name in contestants}
    for number in range(arguments.rounds):
        names = list(contestants)
        for name in names if number % 2 == 0 else reversed(names):
            medians[name].append(statistics.median(contestants[name].turn(runs[name])['ms']))
    return medians


def compare(arguments, name):
    counts, contestants = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for form, source in write_sources(name, folder).items():
            path = os.path.join(folder, form + '.fb')
            subprocess.run([os.path.join(arguments.programs, 'mnnconvert'), *source, '-o', path, '--quiet'], check=True)
            counts[form] = operators(arguments.programs, path)
            contestants[form] = Contestant([os.path.join(arguments.programs, 'session_bench'), path, '1'])
        medians = take_turns(arguments, contestants)
        for contestant in contestants.values():
            contestant.close()
    ratio = spread([a / b for a, b in zip(medians['TorchScript'], medians['ONNX'])])
    ours, theirs = counts['TorchScript'], counts['ONNX']
    more = ', '.join(f'{op} {ours[op] - theirs[op]:+d}' for op in sorted({*ours, *theirs}) if ours[op] != theirs[op])
    print(f"| {name} | {sum(ours.values())} | {sum(theirs.values())} | {more} | {statistics.median(medians['TorchScript']):.3f} | "
          f"{statistics.median(medians['ONNX']):.3f} | {ratio['median']:.3f} ({ratio['low']:.3f} to {ratio['high']:.3f}) |", flush=True)
    return ratio['median'] <= LIMIT


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('networks', nargs='*', metavar='NETWORK')
    parser.add_argument('--programs', default='build/bin', help='folder of our programs (default: build/bin)')
    parser.add_argument('--rounds', type=int, default=11, help='rounds of turns (default: 11)')
    parser.add_argument('--turn-ms', type=float, default=100, help='time of a turn (default: 100)')
    arguments = parser.parse_args()
    from export_networks import NETWORKS
    # Tokens are drawn from what the type holds, which a vocabulary does not.
    names = arguments.networks or [name for name, (_, inputs, dynamic) in NETWORKS.items()
                                   if dynamic is None and all(x.is_floating_point() for x in inputs)]
    print('| network | operators, TorchScript | ONNX | differ in | TorchScript, ms | ONNX, ms | ratio, its quartiles |\n'
          '| --- | --- | --- | --- | --- | --- | --- |')
    passed = [compare(arguments, name) for name in names]
    return 0 if all(passed) else 1


if __name__ == '__main__':
    sys.exit(main())
