#!/usr/bin/env python3
"""Scripts networks that keep states in their attributes, converts them, and compares a sequence of calls with PyTorch's.

usage: compare_streams.py [NETWORK ...]

Prints a line a network: the largest difference, relative to the output's largest value. Exit code 1 if one is over 1e-4
or a network does not convert or run; 77 (skipped) where PyTorch or this project's Python package are missing.
"""
import os
import sys
import tempfile

from compare_with_onnxruntime import TOLERANCE, Failure, largest_difference, require

try:
    import micrort
    import torch
    from streaming_networks import STREAMS
except ImportError as error:
    require(False, error.name)

CALLS = 11


@torch.no_grad()
def compare(name, folder):
    torch.manual_seed(0)
    make, shape = STREAMS[name]
    network = torch.jit.script(make().eval())
    path = os.path.join(folder, 'model.pt')
    network.save(path)
    interpreter = micrort.Interpreter(micrort.convert(path, input_shape={'#0': shape}).model())
    differences = []
    for _ in range(CALLS):
        x = torch.randn(shape)
        expected, (found,) = network(x).numpy(), interpreter.run([x.numpy()]).values()
        differences.append(largest_difference(expected, found))
    return max(differences)


def main():
    failed = 0
    for name in sys.argv[1:] or STREAMS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                difference = compare(name, folder)
                passed, text = difference <= TOLERANCE, f'{difference:.1e}'
            except (Failure, micrort.Error) as error:
                passed, text = False, str(error)
        failed += not passed
        print(f"{'ok' if passed else 'FAILED':6} {name:24} {text}", flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
