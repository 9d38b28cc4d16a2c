#!/usr/bin/python3
"""Compares MicroRT with other runtimes on the same networks, in the same minutes.

The clock of a CPU and the other programs on a machine change from second to second, and where a process happens to lie
in memory changes what it measures. So runtimes take turns, each turn by a process of its own that loads the network and
runs it for a while: ours, the peers', then the next round the other way round. Two figures come of it: the ratio of the
turns of a round, its median and the range that half of them lie in; and the ratio of the best turns.
What the machine can do (multiply-adds in registers, reading memory) is measured in the same rounds. With --int8, the
same network in static int8, calibrated with seeded random inputs, is one more process that takes its turn.
"""
import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

from contestant import Contestant
from report import made, markdown

HERE = os.path.dirname(os.path.abspath(__file__))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('models', nargs='+', metavar='MODEL.onnx')
    parser.add_argument('--programs', default='build/bin', help='folder of our programs (default: build/bin)')
    parser.add_argument('--node-modules', help='folder that has onnxruntime-node')
    parser.add_argument('--peer', action='append', default=[], metavar='NAME=COMMAND',
                        help='one more runtime: a program that speaks as session_bench does; {model}, {stem} (the model '
                             'without .onnx) and {threads} in it are replaced')
    parser.add_argument('--threads', default='1,2', help='numbers of threads (default: 1,2)')
    parser.add_argument('--rounds', type=int, default=11, help='rounds of turns (default: 11)')
    parser.add_argument('--turn-ms', type=float, default=300, help='time of a turn (default: 300)')
    parser.add_argument('--int8', action='store_true', help='measure static int8 beside float (needs numpy)')
    parser.add_argument('--json', help='write all figures here')
    parser.add_argument('--markdown', help='write the tables here; they are printed too')
    return parser.parse_args()


def convert(arguments, model, suffix='.fb', options=()):
    """The network as our file, made anew if it is older than its source or the converter."""
    program = os.path.join(arguments.programs, 'mnnconvert')
    path = os.path.splitext(model)[0] + suffix
    newest = max(os.path.getmtime(model), os.path.getmtime(program))
    if not os.path.exists(path) or os.path.getmtime(path) < newest:
        subprocess.run([program, model, '-o', path, '--quiet', *options], check=True)
    return path


def convert_to_int8(arguments, model, float_path):
    """In static int8. Values that calibration sees do not change what a layer costs."""
    import numpy as np
    program = os.path.join(arguments.programs, 'micrort-info')
    described = json.loads(subprocess.run([program, float_path, '--json'], check=True, stdout=subprocess.PIPE).stdout)
    random = np.random.default_rng(1)
    options = ['--quant', 'int8']
    with tempfile.TemporaryDirectory() as folder:
        graph = described['subgraphs'][0]
        for position, tensor in enumerate(graph['tensors'][index] for index in graph['inputs']):
            shape = [4 if position == 0 and i == 0 else max(1, size) for i, size in enumerate(tensor['shape'])]
            path = os.path.join(folder, f'{position}.npy')
            np.save(path, random.standard_normal(shape).astype(np.float32))
            options += ['--calib', f'{tensor["name"]}={path}']
        return convert(arguments, model, '.int8.fb', options)


def describe(arguments, path, threads):
    """What micrort-bench tells about the converted network."""
    program = os.path.join(arguments.programs, 'micrort-bench')
    command = [program, path, '--threads', str(threads), '--runs', '3', '--json', '-']
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def executed_share(algorithm):
    """Multiplications that an algorithm does for one of the layer's definition."""
    winograd = re.match(r'(?:phased_)?winograd_(\d)x', algorithm)
    if winograd:
        m = int(winograd.group(1))
        return ((m + 2) / m) ** 2 / 9
    return 7 / 8 if algorithm.startswith('strassen') else 1


def spread(values):
    low, _, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return {'median': statistics.median(values), 'low': low, 'high': high}


def commands(arguments, model, path, threads):
    """What starts each contestant: a command, and its environment."""
    program = os.path.join(arguments.programs, 'session_bench')
    found = {'ours': ([program, path, str(threads)], None)}
    if arguments.int8:
        found['int8'] = ([program, convert_to_int8(arguments, model, path), str(threads)], None)
    if arguments.node_modules:
        driver = os.path.join(HERE, '..', 'peers', 'onnxruntime.js')
        environment = dict(os.environ, NODE_PATH=arguments.node_modules)
        found['ONNX Runtime'] = (['node', driver, model, str(threads)], environment)
    for peer in arguments.peer:
        name, command = peer.split('=', 1)
        values = {'model': model, 'stem': os.path.splitext(model)[0], 'threads': threads}
        found[name] = ([part.format(**values) for part in shlex.split(command)], None)
    return found


def turn(command, milliseconds):
    """One process: loads, runs a few times to see how long that takes, then for so many milliseconds."""
    contestant = Contestant(*command)
    estimate = statistics.median(contestant.turn(3)['ms'])
    runs = max(1, round(milliseconds / estimate))
    measured = contestant.turn(runs)
    contestant.close()
    return {**contestant.first, 'ms': statistics.median(measured['ms']), 'cpu_ms': measured['cpu_ms'] / runs,
            'peak_rss_bytes': contestant.peak_rss_bytes}


def take_turns(arguments, contestants, limits):
    """The turns of each contestant, and the machine's limits, one a round."""
    turns = {name: [] for name in contestants}
    limit = []
    for number in range(arguments.rounds):
        names = list(contestants) if number % 2 == 0 else list(reversed(contestants))
        for name in names:
            turns[name].append(turn(contestants[name], arguments.turn_ms))
        limit.append(limits.turn(''))
    return turns, limit


def figures(turns):
    medians = {key: statistics.median(one[key] for one in turns)
               for key in ('load_ms', 'first_run_ms', 'cpu_ms', 'peak_rss_bytes')}
    times = [one['ms'] for one in turns]
    return {**medians, 'median_ms': statistics.median(times), 'best_ms': min(times), 'turns_ms': times}


def share_of_limits(description, median_ms, threads, limit):
    fma = statistics.median(l['fma_gflops'] for l in limit)
    read = statistics.median(l['read_gb_per_s'] for l in limit)
    effective = 2e-6 * sum(op['multiply_adds'] for op in description['ops']) / median_ms
    executed = 2e-6 * sum(op['multiply_adds'] * executed_share(op['algorithm']) for op in description['ops']) / median_ms
    weights = 1e-6 * max(description['packed_bytes'], description['weight_bytes']) / median_ms
    return {'fma_gflops': fma, 'read_gb_per_s': read, 'effective_gflops': effective, 'executed_gflops': executed,
            'share_of_peak': executed / (fma * threads) if fma else 0, 'weights_gb_per_s': weights,
            'share_of_bandwidth': weights / read}


def measure(arguments, model, threads, limits):
    path = convert(arguments, model)
    description = describe(arguments, path, threads)
    turns, limit = take_turns(arguments, commands(arguments, model, path, threads), limits)
    record = {'network': os.path.splitext(os.path.basename(model))[0], 'threads': threads, 'isa': description['isa']}
    found = {name: figures(of_one) for name, of_one in turns.items()}
    record['ours'] = ours = found.pop('ours')
    for key in ('arena_bytes', 'arena_lower_bound', 'weight_bytes', 'packed_bytes', 'file_bytes'):
        ours[key] = description[key]
    record['limit'] = share_of_limits(description, ours['median_ms'], threads, limit)
    if 'int8' in found:
        record['int8'] = found.pop('int8')
        record['int8_gain'] = spread([a / b for a, b in zip(ours['turns_ms'], record['int8']['turns_ms'])])
    record['peers'] = found
    if found:
        # The one that is fastest is what counts.
        record['best_peer'] = best = min(found, key=lambda name: found[name]['best_ms'])
        record['ratio'] = spread([a / b for a, b in zip(ours['turns_ms'], found[best]['turns_ms'])])
        record['best_ratio'] = ours['best_ms'] / found[best]['best_ms']
    return record


def measure_layers(arguments):
    """Our layers beside XNNPACK's, if the program was built."""
    program = os.path.join(arguments.programs, 'xnnpack_layers')
    if not os.path.exists(program):
        return []
    layers = json.loads(subprocess.run([program, str(arguments.rounds)], check=True, stdout=subprocess.PIPE).stdout)
    for layer in layers:
        layer['ratio'] = spread([a / b for a, b in zip(layer['ours_ms'], layer['peer_ms'])])
    return layers


def main():
    arguments = parse_arguments()
    limits = Contestant([os.path.join(arguments.programs, 'machine_limits')])
    result = {'made': made(), 'networks': [], 'layers': []}
    for model in arguments.models:
        for threads in map(int, arguments.threads.split(',')):
            print(f'{os.path.basename(model)}, {threads} thread(s)', file=sys.stderr)
            result['networks'].append(measure(arguments, model, threads, limits))
    limits.close()
    result['layers'] = measure_layers(arguments)
    text = markdown(result)
    print(text)
    if arguments.json:
        with open(arguments.json, 'w', encoding='utf-8') as file:
            json.dump(result, file, indent=1)
    if arguments.markdown:
        with open(arguments.markdown, 'w', encoding='utf-8') as file:
            file.write(text)


if __name__ == '__main__':
    main()
