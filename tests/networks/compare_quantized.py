#!/usr/bin/env python3
"""Quantizes mobilenet_v2 and resnet18 as others' tools do (QuantizeLinear and DequantizeLinear), converts them, and
compares what they compute with ONNX Runtime, on seeded inputs.

usage: compare_quantized.py --programs BIN --runner ort_run.js [NETWORK ...]

Prints a line a network: how many of its layers are int8, and which share of the outputs is within one quantization
step. Exit code 1 if a layer is not int8, or less than 99.9 % are; 77 (skipped) where node, onnxruntime-node (found
through NODE_PATH), PyTorch, torchvision or Python's onnx are missing.
"""
import argparse
import os
import re
import sys
import tempfile

from compare_with_onnxruntime import Failure, file_safe, has_onnxruntime, require, run

try:
    import numpy as np
    import onnx
    import torch
    import torchvision
    from onnx import numpy_helper
except ImportError as error:
    require(False, error.name)

INPUTS = 4
WITHIN_ONE_STEP = 0.999
LAYERS = {'Conv', 'Gemm', 'MatMul'}


def export(name, path):
    torch.manual_seed(0)
    network = getattr(torchvision.models, name)(weights=None)
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.uniform_(-.1, .1)
            module.running_var.uniform_(.6, 1.4)
    torch.onnx.export(network.eval(), torch.randn(1, 3, 224, 224), path, opset_version=13, input_names=['input'])


def quantize(source, target):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'models', 'quantize_onnx.py')
    run([sys.executable, script, source, target], 'quantize_onnx.py')
    graph = onnx.load(target).graph
    constants = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    last = next(n for n in graph.node if n.output[0] == graph.output[0].name)
    layers = sum(n.op_type in LAYERS for n in graph.node)
    return layers, graph.output[0].name, float(constants[last.input[1]])


def outputs(arguments, model, converted, sample, folder, name):
    ours, theirs = os.path.join(folder, 'ours'), os.path.join(folder, 'theirs')
    run([os.path.join(arguments.programs, 'micrort-run'), converted, '--output-dir', ours, '--input', f'input={sample}'],
        'micrort-run')
    run(['node', arguments.runner, model, theirs, f'input={sample}'], 'ONNX Runtime')
    return [np.load(os.path.join(path, file_safe(name) + '.npy')) for path in (ours, theirs)]


def compare(network, arguments, folder):
    source, model, converted = (os.path.join(folder, f) for f in ('float.onnx', 'quantized.onnx', 'quantized.fb'))
    export(network, source)
    layers, name, step = quantize(source, model)
    summary = run([os.path.join(arguments.programs, 'mnnconvert'), model, '-o', converted], 'mnnconvert')
    found = re.search(r'(\d+) layers are int8', summary)
    int8 = int(found.group(1)) if found else 0
    random = np.random.default_rng(2)
    sample = os.path.join(folder, 'input.npy')
    differences = []
    for _ in range(INPUTS):
        np.save(sample, random.standard_normal((1, 3, 224, 224)).astype(np.float32))
        ours, theirs = outputs(arguments, model, converted, sample, folder, name)
        differences.append(np.abs(ours - theirs) / step)
    share = np.mean(np.concatenate(differences) < 1.001)
    return int8 == layers and share >= WITHIN_ONE_STEP, f'{int8} of {layers} layers int8, {100 * share:.2f} % within one step'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('networks', nargs='*')
    parser.add_argument('--programs', required=True, help='folder of mnnconvert and micrort-run')
    parser.add_argument('--runner', required=True, help='script that runs a model with ONNX Runtime')
    arguments = parser.parse_args()
    require(os.path.exists(arguments.runner) and has_onnxruntime(), 'onnxruntime-node')
    failed = 0
    for network in arguments.networks or ['mobilenet_v2', 'resnet18']:
        with tempfile.TemporaryDirectory() as folder:
            try:
                passed, text = compare(network, arguments, folder)
            except Failure as failure:
                passed, text = False, str(failure)
        failed += not passed
        print(f'{"ok  " if passed else "FAIL"} {network}: {text}', flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
