#!/usr/bin/env python3
"""Runs TensorFlow's operators that TensorFlow.js has not, and compares what they give with NumPy's results and closed forms.

usage: compare_with_numpy.py --programs BIN [OPERATOR ...]

Prints a line an operator: the largest difference, relative to the output's largest value. Exit code 1 if one is over 1e-4, or an
operator does not convert or run; 77 (skipped) without NumPy.
"""
import argparse
import os
import sys
import tempfile

from compare_with_onnxruntime import TOLERANCE, Failure, largest_difference, require

try:
    from compare_with_tfjs import fetched, results
    from tensorflow_functions import FUNCTIONS
except ImportError as error:
    require(False, error.name)


def compare(arguments, case, expected):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'graph.pbtxt'), 'w', encoding='utf-8') as file:
            file.write(case.graph_def())
        found = results(arguments, case, ['graph.pbtxt', *fetched(case)], folder)
    if len(found) != len(expected):
        raise Failure(f'expected {len(expected)} outputs, found {len(found)}')
    return max(largest_difference(a.astype(b.dtype), b) for a, b in zip(expected, found))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('operators', nargs='*')
    parser.add_argument('--programs', required=True, help='folder of mnnconvert and micrort-run')
    arguments = parser.parse_args()
    failed = 0
    for name in arguments.operators or FUNCTIONS:
        try:
            difference = compare(arguments, *FUNCTIONS[name])
            passed, text = difference <= TOLERANCE, f'{difference:.1e}'
        except Failure as failure:
            passed, text = False, str(failure)
        failed += not passed
        print(f"{'ok' if passed else 'FAILED':6} {name:40} {text}", flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
