"""Networks for measure.py, written as ONNX by Debian's python3-onnx."""

import random

import onnx
from onnx import TensorProto, helper


def _save(path, nodes, constants, shape, output_shape):
    graph = helper.make_graph(nodes, 'net', [helper.make_tensor_value_info('x', TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info('y', TensorProto.FLOAT, output_shape)], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)]), path)


def write_empty(path):
    """Relu of four numbers: all that is left is the way there and back."""
    _save(path, [helper.make_node('Relu', ['x'], ['y'])], [], ['n', 4], ['n', 4])


def write_layers(path, count, channels=128, size=16):
    """So many convolutions of 3x3 with 128 channels over 16x16 pixels, 38 million multiply-adds each, behind one of 4 channels."""
    rng = random.Random(1)
    nodes, constants, value = [], [], 'x'
    for i in range(count + 1):
        inputs = 4 if i == 0 else channels
        weights = [rng.uniform(-0.05, 0.05) for _ in range(channels * inputs * 9)]
        constants.append(helper.make_tensor(f'w{i}', TensorProto.FLOAT, [channels, inputs, 3, 3], weights))
        nodes.append(helper.make_node('Conv', [value, f'w{i}'], [f'c{i}'], pads=[1, 1, 1, 1]))
        nodes.append(helper.make_node('Relu', [f'c{i}'], [f'r{i}']))
        value = f'r{i}'
    nodes.append(helper.make_node('GlobalAveragePool', [value], ['y']))
    _save(path, nodes, constants, ['n', 4, size, size], ['n', channels, 1, 1])
