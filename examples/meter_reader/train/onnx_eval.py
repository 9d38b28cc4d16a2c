"""Runs an exported network node by node with torch: an evaluation apart from the exporter's."""
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper


def _attributes(node):
    return {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}


def _symmetric(pads):
    """ONNX lists begins, then ends; torch takes one padding a side."""
    pads = pads or [0, 0, 0, 0]
    if pads[:2] != pads[2:]:
        raise ValueError(f"pads {pads}: only symmetric ones are exported here")
    return pads[:2]


def _conv(a, x, w, b=None):
    return F.conv2d(x, w, b, a["strides"], _symmetric(a.get("pads")), a["dilations"], a["group"])


def _batch_norm(a, x, scale, shift, mean, var):
    return F.batch_norm(x, mean, var, scale, shift, eps=a["epsilon"])


def _gemm(a, x, w, b):
    return F.linear(x, w if a.get("transB") else w.T, b)


OPS = {
    "Add": lambda a, x, y: x + y,
    "BatchNormalization": _batch_norm,
    "Conv": _conv,
    "Flatten": lambda a, x: x.flatten(a["axis"]),
    "Gemm": _gemm,
    "GlobalAveragePool": lambda a, x: x.mean((2, 3), keepdim=True),
    "MaxPool": lambda a, x: F.max_pool2d(x, a["kernel_shape"], a["strides"],
                                         _symmetric(a.get("pads"))),
    "Relu": lambda a, x: F.relu(x),
    "Softmax": lambda a, x: F.softmax(x, a["axis"]),
}


def evaluate(path, inputs):
    """The first output for `inputs`, a numpy array with any number of samples."""
    graph = onnx.load(str(path)).graph
    values = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy())
              for t in graph.initializer}
    values[graph.input[0].name] = torch.from_numpy(inputs)
    for node in graph.node:
        arguments = [values[name] for name in node.input]
        values[node.output[0]] = OPS[node.op_type](_attributes(node), *arguments)
    return values[graph.output[0].name].numpy()
