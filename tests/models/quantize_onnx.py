#!/usr/bin/python3
"""Quantizes an image network: the kind of ONNX model with QuantizeLinear and DequantizeLinear that others' tools give.

usage: quantize_onnx.py FLOAT.onnx OUT.onnx [--activations uint8|int8] [--weights int8|uint8] [--pictures DIR]

Ranges of activations are observed on the pictures, or on seeded random ones, by running the network with PyTorch.
Weights are int8 a channel, symmetric (uint8: one scale and zero point a tensor), biases int32. Needs Debian's
python3-onnx, python3-torch, python3-numpy and, for pictures, python3-pil.
"""
import argparse
import pathlib

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import helper, numpy_helper

# Operators whose inputs and outputs are quantized.
QUANTIZED = {"Conv", "Gemm", "MatMul", "Add", "Mul", "Concat", "MaxPool", "AveragePool", "GlobalAveragePool",
             "ReduceMean", "Relu", "Clip", "Flatten", "Reshape", "HardSwish", "Sigmoid", "HardSigmoid"}
ACTIVATIONS = {"Relu", "Clip"}


def attributes(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def padded(x, pads, value=0.0):
    half = len(pads) // 2
    return F.pad(x, [p for i in reversed(range(half)) for p in (pads[i], pads[half + i])], value=value)


def conv(a, x, w, b=None):
    x = padded(x, a.get("pads", [0, 0, 0, 0]))
    return F.conv2d(x, w, b, a.get("strides", 1), 0, a.get("dilations", 1), a.get("group", 1))


def gemm(a, x, w, c=None):
    x = x.T if a.get("transA") else x
    y = a.get("alpha", 1.0) * (x @ (w.T if a.get("transB") else w))
    return y if c is None else y + a.get("beta", 1.0) * c


def max_pool(a, x):
    x = padded(x, a.get("pads", [0, 0, 0, 0]), -torch.inf)
    return F.max_pool2d(x, a["kernel_shape"], a.get("strides", 1), ceil_mode=bool(a.get("ceil_mode")))


def average_pool(a, x):
    return F.avg_pool2d(x, a["kernel_shape"], a.get("strides", 1))


RUN = {
    "Conv": conv,
    "Gemm": gemm,
    "MaxPool": max_pool,
    "AveragePool": average_pool,
    "MatMul": lambda a, x, w: x @ w,
    "Add": lambda a, x, y: x + y,
    "Mul": lambda a, x, y: x * y,
    "Concat": lambda a, *x: torch.cat(x, a["axis"]),
    "GlobalAveragePool": lambda a, x: x.mean((2, 3), keepdim=True),
    "ReduceMean": lambda a, x, *_: x.mean(tuple(a["axes"]), keepdim=bool(a.get("keepdims", 1))),
    "Relu": lambda a, x: torch.relu(x),
    "Clip": lambda a, x, low=None, high=None: torch.clamp(x, low if low is not None else a.get("min"),
                                                          high if high is not None else a.get("max")),
    "Sigmoid": lambda a, x: torch.sigmoid(x),
    "HardSigmoid": lambda a, x: torch.clamp(a.get("alpha", 0.2) * x + a.get("beta", 0.5), 0, 1),
    "HardSwish": lambda a, x: F.hardswish(x),
    "Flatten": lambda a, x: x.flatten(a.get("axis", 1)),
    "Reshape": lambda a, x, s: x.reshape([int(d) for d in s]),
    "Identity": lambda a, x: x,
    "Constant": lambda a: torch.from_numpy(numpy_helper.to_array(a["value"]).copy()),
}


def observe(model, samples):
    """{name: (min, max)} of every value that a node computes, with 0 in it."""
    constants = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in model.graph.initializer}
    name = next(i.name for i in model.graph.input if i.name not in constants)
    ranges = {}
    for sample in samples:
        values = {**constants, name: torch.from_numpy(sample), "": None}
        for node in model.graph.node:
            values[node.output[0]] = RUN[node.op_type](attributes(node), *(values[i] for i in node.input))
        for key in set(values) - set(constants) - {""}:
            low, high = ranges.get(key, (0.0, 0.0))
            value = values[key].float()
            ranges[key] = min(low, value.min().item()), max(high, value.max().item())
    return name, ranges


def samples_for(model, folder, count=8):
    shape = [d.dim_value or 1 for d in model.graph.input[0].type.tensor_type.shape.dim]
    if folder is None:
        random = np.random.default_rng(1)
        return [random.standard_normal(shape).astype(np.float32) for _ in range(count)]
    from PIL import Image
    files = sorted(p for p in pathlib.Path(folder).rglob("*") if p.suffix.lower() in (".png", ".jpg", ".bmp"))
    pictures = []
    for file in files[:count]:
        picture = Image.open(file).convert("RGB").resize((shape[3], shape[2]))
        x = (np.asarray(picture, np.float32) / 255 - 0.45) / 0.225
        pictures.append(x.transpose(2, 0, 1)[None].copy())
    return pictures


class Quantizer:
    def __init__(self, model, ranges, activations, weights):
        self.graph = model.graph
        self.ranges, self.activations, self.weights = ranges, np.dtype(activations), np.dtype(weights)
        self.constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        for node in model.graph.node:
            if node.op_type == "Identity" and node.input[0] in self.constants:
                self.constants[node.output[0]] = self.constants[node.input[0]]
        self.nodes = []
        self.dequantized = {}  # name of a value: its name behind the pair
        self.scales = {}       # of these pairs

    def constant(self, name, array):
        self.graph.initializer.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def dequantize(self, name, integers, scale, zero_point, axis=None):
        inputs = [self.constant(name + "_q", integers), self.constant(name + "_s", scale),
                  self.constant(name + "_z", zero_point)]
        kwargs = {} if axis is None else {"axis": axis}
        self.nodes.append(helper.make_node("DequantizeLinear", inputs, [name + "_dq"], **kwargs))
        return name + "_dq"

    def activation(self, name):
        if name in self.dequantized:
            return self.dequantized[name]
        low, high = self.ranges[name]
        limits = np.iinfo(self.activations)
        scale = np.float32(max(high - low, 1e-6) / 255)
        zero_point = self.activations.type(np.clip(np.round(limits.min - low / scale), limits.min, limits.max))
        params = [self.constant(name + "_s", scale), self.constant(name + "_z", zero_point)]
        self.nodes.append(helper.make_node("QuantizeLinear", [name] + params, [name + "_q"]))
        self.nodes.append(helper.make_node("DequantizeLinear", [name + "_q"] + params, [name + "_dq"]))
        self.dequantized[name], self.scales[name] = name + "_dq", scale
        return name + "_dq"

    def weight(self, node):
        """The weights' name behind DequantizeLinear, and their scales."""
        name, array = node.input[1], self.constants[node.input[1]]
        axis = 0 if node.op_type == "Conv" or attributes(node).get("transB") else array.ndim - 1
        if self.weights == np.uint8:
            low, high = min(array.min(), 0), max(array.max(), 0)
            scale = np.float32((high - low) / 255)
            zero_point = np.uint8(np.round(-low / scale))
            integers = np.clip(np.round(array / scale) + zero_point, 0, 255).astype(np.uint8)
            return self.dequantize(name, integers, scale, zero_point), scale
        others = tuple(i for i in range(array.ndim) if i != axis)
        scale = np.maximum(np.abs(array).max(others) / 127, 1e-12).astype(np.float32)
        shape = [-1 if i == axis else 1 for i in range(array.ndim)]
        integers = np.clip(np.round(array / scale.reshape(shape)), -127, 127).astype(np.int8)
        return self.dequantize(name, integers, scale, np.zeros(scale.shape, np.int8), axis), scale

    def layer_inputs(self, node):
        x = self.activation(node.input[0])
        w, w_scale = self.weight(node)
        if len(node.input) < 3:
            return [x, w]
        scale = np.float32(self.scales[node.input[0]] * w_scale)
        bias = np.round(self.constants[node.input[2]].astype(np.float64) / scale).astype(np.int32)
        axis = 0 if scale.ndim else None
        return [x, w, self.dequantize(node.input[2], bias, scale, np.zeros(scale.shape, np.int32), axis)]

    def run(self):
        readers = {}
        for node in self.graph.node:
            for name in node.input:
                readers.setdefault(name, []).append(node.op_type)
        for node in self.graph.node:
            inputs = list(node.input)
            if node.op_type in ("Conv", "Gemm", "MatMul") and inputs[1] in self.constants:
                inputs = self.layer_inputs(node)
            elif node.op_type in QUANTIZED and not self.follows_layer(node):
                inputs = [self.activation(i) if i in self.ranges and self.is_float(i) else i for i in inputs]
            self.nodes.append(helper.make_node(node.op_type, inputs, node.output, node.name, **attributes(node)))
        for output in self.graph.output:
            name = self.activation(output.name)
            output.name = name
        del self.graph.node[:]
        self.graph.node.extend(self.nodes)

    def is_float(self, name):
        return all(name not in n.output for n in self.graph.node if n.op_type == "Constant")

    def follows_layer(self, node):
        """Clamps stay beside the layer before them."""
        made_by = [n for n in self.graph.node if node.input[0] in n.output]
        return node.op_type in ACTIVATIONS and made_by and made_by[0].op_type in ("Conv", "Gemm", "Add")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("float_model")
    parser.add_argument("out")
    parser.add_argument("--activations", choices=("uint8", "int8"), default="uint8")
    parser.add_argument("--weights", choices=("int8", "uint8"), default="int8")
    parser.add_argument("--pictures")
    args = parser.parse_args()
    model = onnx.load(args.float_model)
    name, ranges = observe(model, samples_for(model, args.pictures))
    Quantizer(model, ranges, args.activations, args.weights).run()
    used = {i for n in model.graph.node for i in n.input}
    kept = [t for t in model.graph.initializer if t.name in used]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    del model.graph.value_info[:]
    model.opset_import[0].version = max(13, model.opset_import[0].version)
    onnx.checker.check_model(model)
    onnx.save(model, args.out)


if __name__ == "__main__":
    main()
