#!/usr/bin/env python3
"""Converts ONNX models, runs them and compares their outputs with those of ONNX Runtime, on inputs recorded for
the model (../../golden/MODEL/CASE/in beside it), else on seeded ones.

usage: compare_with_onnxruntime.py --programs BIN --runner ort_run.js MODEL.onnx ... [--folder DIR]

Prints a line a model: the largest difference, relative to the output's largest value, and the operators and transposes
that the converter left. Exit code 1 if a difference is over 1e-4 or a model does not convert or run; 77 (skipped) where
node, onnxruntime-node (found through NODE_PATH), Python's onnx or the models are missing.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
TOLERANCE = 1e-4
DYNAMIC_SIZE = 4  # of dimensions that are not fixed
# Inputs that may not hold just anything.
KNOWN_INPUTS = {'sr': 16000}


class Failure(Exception):
    pass


def require(condition, what):
    if not condition:
        print(f'skipped: no {what}')
        sys.exit(SKIPPED)


try:
    import numpy as np
    import onnx
except ImportError as error:
    require(False, error.name)


def has_onnxruntime():
    if shutil.which('node') is None:
        return False
    return subprocess.run(['node', '-e', "require('onnxruntime-node')"], capture_output=True).returncode == 0


def file_safe(name):
    return re.sub(r'[^A-Za-z0-9_.-]', '_', name)[:100]


def make_input(value, random):
    tensor = value.type.tensor_type
    shape = [dim.dim_value or DYNAMIC_SIZE for dim in tensor.shape.dim]
    dtype = onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[tensor.elem_type]
    if value.name in KNOWN_INPUTS:
        return np.full(shape, KNOWN_INPUTS[value.name], dtype)
    if dtype.kind == 'f':
        return random.standard_normal(shape).astype(dtype)
    values = random.integers(0, 2, shape).astype(dtype)
    if values.ndim > 0:
        # Masks leave something to see: where -10000 is added to all scores of a row, float32 keeps steps of 1/1024 of them,
        # and what comes out is their rounding.
        values[..., 0] = 1
    return values


def recorded_inputs(path):
    """Folder of inputs that lie beside a model, which may not take just any shape; '' if there is none."""
    name = os.path.splitext(os.path.basename(path))[0]
    cases = os.path.join(os.path.dirname(path), '..', '..', 'golden', name)
    case = sorted(os.listdir(cases))[0] if os.path.isdir(cases) else ''
    return os.path.join(cases, case, 'in') if case else ''


def run(command, what):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise Failure(f'{what}: exit code {result.returncode}: {result.stderr.strip()[-500:]}')
    return result.stdout + result.stderr


def largest_difference(expected, found):
    if expected.shape != found.shape or expected.dtype != found.dtype:
        raise Failure(f'expected {expected.dtype}{expected.shape}, found {found.dtype}{found.shape}')
    if expected.size == 0:
        return 0.0
    expected, found = expected.astype(np.float64), found.astype(np.float64)
    if np.isnan(found).any():
        raise Failure('an output is NaN')
    return np.abs(expected - found).max() / max(np.abs(expected).max(), 1e-30)


def compare(path, arguments, folder):
    model = onnx.load(path, load_external_data=False)
    constants = {c.name for c in model.graph.initializer}
    random = np.random.default_rng(1)
    inputs = []
    for value in model.graph.input:
        if value.name in constants:
            continue
        file = os.path.join(recorded_inputs(path), f'{file_safe(value.name)}.npy')
        if not os.path.exists(file):
            file = os.path.join(folder, f'{len(inputs)}.npy')
            np.save(file, make_input(value, random))
        inputs.append(f'{value.name}={file}')
    converted, ours, theirs = (os.path.join(folder, name) for name in ('model.fb', 'ours', 'theirs'))
    summary = run([os.path.join(arguments.programs, 'mnnconvert'), path, '-o', converted], 'mnnconvert')
    given = [word for item in inputs for word in ('--input', item)]
    run([os.path.join(arguments.programs, 'micrort-run'), converted, '--output-dir', ours] + given, 'micrort-run')
    run(['node', arguments.runner, path, theirs] + inputs, 'ONNX Runtime')
    worst = max(largest_difference(np.load(os.path.join(theirs, file_safe(output.name) + '.npy')),
                                   np.load(os.path.join(ours, file_safe(output.name) + '.npy')))
                for output in model.graph.output)
    operators = re.search(r'operators +(.*)', summary)
    return worst, operators.group(1) if operators else ''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('models', nargs='*')
    parser.add_argument('--folder', help='all models in it')
    parser.add_argument('--programs', required=True, help='folder of mnnconvert and micrort-run')
    parser.add_argument('--runner', required=True, help='script that runs a model with ONNX Runtime')
    arguments = parser.parse_args()
    models = list(arguments.models)
    if arguments.folder and os.path.isdir(arguments.folder):
        models += sorted(os.path.join(arguments.folder, f) for f in os.listdir(arguments.folder) if f.endswith('.onnx'))
    require(models, 'models')
    require(os.path.exists(arguments.runner) and has_onnxruntime(), 'onnxruntime-node')
    failed = 0
    for path in models:
        with tempfile.TemporaryDirectory() as folder:
            try:
                difference, operators = compare(path, arguments, folder)
                passed, text = difference <= TOLERANCE, f'{difference:.1e}  {operators}'
            except Failure as failure:
                passed, text = False, str(failure)
        failed += not passed
        print(f'{"ok  " if passed else "FAIL"} {os.path.basename(path)}: {text}', flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
