#!/usr/bin/python3
"""Writes an ONNX model of random weights, with its weights in a file beside it.

make.py FOLDER [--blocks 36] [--width 2048] [--hidden 8192] [--zeros]

Blocks as a transformer's feed-forward part: y = x + relu(x * A) * B. The default has 1,208 million weights, 4.8 GB. One
matrix is in memory at a time. With --zeros all blocks but the last one have one weight that is not zero, and are
holes in the file.
"""
import argparse
import os

import numpy as np
import onnx
from onnx import TensorProto, helper


class Weights:
    """The file of weights, and the initializers that name its parts."""

    def __init__(self, folder, name):
        self.file = open(os.path.join(folder, name), "wb")
        self.name = name
        self.random = np.random.default_rng(1)
        self.tensors = []

    def add(self, name, shape, is_random):
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
        size = 4 * shape[0] * shape[1]
        for key, value in (("location", self.name), ("offset", self.file.tell()), ("length", size)):
            tensor.external_data.add(key=key, value=str(value))
        self.tensors.append(tensor)
        if is_random:
            data = self.random.standard_normal(shape, dtype=np.float32)
            data *= np.float32(1 / np.sqrt(shape[0]))
            self.file.write(data)
        else:  # equal matrices would be stored once
            self.file.write(np.float32(len(self.tensors) / 100))
            self.file.seek(size - 4, os.SEEK_CUR)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--blocks", type=int, default=36)
    parser.add_argument("--width", type=int, default=2048)
    parser.add_argument("--hidden", type=int, default=8192)
    parser.add_argument("--zeros", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    weights = Weights(options.folder, "weights.bin")
    nodes, x = [], "x"
    for i in range(options.blocks):
        is_random = not options.zeros or i + 1 == options.blocks
        weights.add(f"a{i}", [options.width, options.hidden], is_random)
        weights.add(f"b{i}", [options.hidden, options.width], is_random)
        y = "y" if i + 1 == options.blocks else f"x{i + 1}"
        nodes += [
            helper.make_node("MatMul", [x, f"a{i}"], [f"h{i}"], name=f"up{i}"),
            helper.make_node("Relu", [f"h{i}"], [f"r{i}"], name=f"relu{i}"),
            helper.make_node("MatMul", [f"r{i}", f"b{i}"], [f"d{i}"], name=f"down{i}"),
            helper.make_node("Add", [x, f"d{i}"], [y], name=f"add{i}"),
        ]
        x = y
    weights.file.close()
    sides = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", options.width]) for name in ("x", "y")]
    graph = helper.make_graph(nodes, "large", sides[:1], sides[1:], weights.tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save_model(model, os.path.join(options.folder, "model.onnx"))


if __name__ == "__main__":
    main()
