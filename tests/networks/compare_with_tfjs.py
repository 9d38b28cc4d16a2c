#!/usr/bin/env python3
"""Runs TensorFlow's operators here and with TensorFlow.js's own graph executor, as a GraphDef in text, in binary, and as a SavedModel.

usage: compare_with_tfjs.py --programs BIN --protoc PROTOC --messages FOLDER [OPERATOR ...]

Prints a line an operator: the largest difference, relative to the output's largest value. Exit code 1 if one is over 1e-4, or an
operator does not convert or run; 77 (skipped) where TensorFlow.js is missing (`./dev opinion` installs it).
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from compare_with_onnxruntime import TOLERANCE, Failure, largest_difference, require, run

try:
    import numpy as np
    from tensorflow_graphs import write_json
    from tensorflow_operators import CASES
except ImportError as error:
    require(False, error.name)

HERE = os.path.dirname(os.path.abspath(__file__))


def opinions(names):
    """What TensorFlow.js makes of each."""
    require(shutil.which('node') is not None, 'node')
    probe = subprocess.run(['node', '-e', "for (const p of ['core', 'converter', 'backend-cpu']) require('@tensorflow/tfjs-' + p)"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    require(probe.returncode == 0, 'TensorFlow.js')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'graphs.json')
        write_json([CASES[name] for name in names], path)
        return json.loads(run(['node', os.path.join(HERE, 'run_tfjs.js'), path], 'run_tfjs.js'))


def array_of(output):
    values = np.array([float(v) for v in output['values']], np.float64)
    return values.astype(output['dtype']).reshape(output['shape'])


def encoded(arguments, message, text):
    command = [arguments.protoc, f'--proto_path={arguments.messages}', f'--encode=tensorflow.{message}', 'tensorflow.proto']
    result = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode != 0:
        raise Failure(f'protoc: {result.stderr.decode()}')
    return result.stdout


def write_sources(arguments, case, folder):
    """The graph in each form: paths."""
    text = case.graph_def()
    saved = os.path.join(folder, 'saved')
    os.makedirs(saved)
    forms = {'graph.pbtxt': text.encode(), 'graph.pb': encoded(arguments, 'GraphDef', text),
             'saved/saved_model.pb': encoded(arguments, 'SavedModel', case.saved_model())}
    for name, content in forms.items():
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(content)
    return {'text': ['graph.pbtxt', *fetched(case)], 'binary': ['graph.pb', *fetched(case)], 'SavedModel': ['saved']}


def fetched(case):
    return ['--fetches', ','.join(case.fetches)]


def results(arguments, case, source, folder):
    given = []
    for name, array in case.inputs.items():
        np.save(os.path.join(folder, name + '.npy'), array)
        given += ['--input', f'{name}={os.path.join(folder, name)}.npy']
    converted, ours = os.path.join(folder, 'model.fb'), os.path.join(folder, 'ours')
    run([os.path.join(arguments.programs, 'mnnconvert'), os.path.join(folder, source[0]), *source[1:], '-o', converted, '--quiet'],
        'mnnconvert')
    text = run([os.path.join(arguments.programs, 'micrort-run'), converted, '--output-dir', ours, '--json', '-', *given], 'micrort-run')
    return [np.load(os.path.join(ours, output['file'])) for output in json.loads(text)['outputs']]


def compare(arguments, case, opinion):
    if 'error' in opinion:
        raise Failure('TensorFlow.js: ' + opinion['error'])
    expected = [array_of(output) for output in opinion['outputs']]
    worst = 0
    for form in ('text', 'binary', 'SavedModel'):
        with tempfile.TemporaryDirectory() as folder:
            found = results(arguments, case, write_sources(arguments, case, folder)[form], folder)
        if len(found) != len(expected):
            raise Failure(f'{form}: expected {len(expected)} outputs, found {len(found)}')
        # TensorFlow.js has no int64, and its FloorDiv gives integers.
        worst = max([worst] + [largest_difference(a.astype(b.dtype), b) for a, b in zip(expected, found)])
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('operators', nargs='*')
    parser.add_argument('--programs', required=True, help='folder of mnnconvert and micrort-run')
    parser.add_argument('--protoc', default='protoc', help="protobuf's compiler")
    parser.add_argument('--messages', required=True, help='folder of tensorflow.proto')
    arguments = parser.parse_args()
    names = arguments.operators or list(CASES)
    failed = 0
    for name, opinion in zip(names, opinions(names)):
        try:
            difference = compare(arguments, CASES[name], opinion)
            passed, text = difference <= TOLERANCE, f'{difference:.1e}'
        except Failure as failure:
            passed, text = False, str(failure)
        failed += not passed
        print(f"{'ok' if passed else 'FAILED':6} {name:32} {text}", flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
