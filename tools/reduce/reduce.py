#!/usr/bin/env python3
"""Shrinks an ONNX model whose outputs differ from ONNX Runtime's, or that cannot be converted, to the smallest part that still does.

  reduce.py model.onnx --programs build/bin -o smallest --input image=picture.npy -- --quant int8

ONNX Runtime computes every value of the model once. Then parts of it are converted and run on these values, so that only what is wrong
in the part itself counts. Nodes are taken away as long as the same goes wrong. The folder then has the part as model.onnx, its inputs
as NAME.npy and what ONNX Runtime gave as expected.NAME.npy, and the nodes that are left are printed. Inputs that are not given are random.
What follows -- goes to mnnconvert. Exit code 0 if something was found, 2 if nothing goes wrong; node finds onnxruntime-node through
NODE_PATH, as `./dev reduce` sets it.
"""

import argparse
import pathlib
import re
import sys
import tempfile

import numpy as np
import onnx
from google.protobuf import text_format
from onnx import helper

from runtimes import MicroRT, OnnxRuntime, compare, has_onnxruntime
from source import fail, file_names, read_inputs, read_model, shown

TYPES = {np.dtype(dtype): number for dtype, number in helper.mapping.NP_TYPE_TO_TENSOR_TYPE.items()}


def names_read(node):
    """Inputs, and what graphs inside read of the graph around them."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        for body in [attribute.g] if attribute.HasField("g") else attribute.graphs:
            own = {name for inner in body.node for name in inner.output} | {v.name for v in body.input} | {t.name for t in body.initializer}
            names += [name for inner in body.node for name in names_read(inner) if name not in own]
            names += [v.name for v in body.output if v.name not in own]
    return names


class Reducer:
    def __init__(self, model, micrort, tolerance):
        self.model, self.micrort, self.tolerance = model, micrort, tolerance
        self.nodes = list(model.graph.node)
        self.reads = [names_read(node) for node in self.nodes]
        self.constants = {t.name: t for t in model.graph.initializer}
        self.runtime = OnnxRuntime()
        self.values = {}
        self.runs = 0

    def compute_values(self, inputs):
        """All values of the model, by ONNX Runtime."""
        whole = onnx.ModelProto()
        whole.CopyFrom(self.model)
        outputs = {v.name for v in whole.graph.output}
        for node in self.nodes:
            whole.graph.output.extend(onnx.ValueInfoProto(name=name) for name in node.output if name and name not in outputs)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            onnx.save(whole, folder / "model.onnx")
            found = self.runtime.run(folder / "model.onnx", inputs, folder)
        if isinstance(found, str):
            fail(f"ONNX Runtime: {found}")
        self.values = {**found, **inputs}

    def part(self, indices):
        """A model of these nodes; names of its outputs and inputs."""
        nodes, chosen = [self.nodes[i] for i in indices], set(indices)
        made = {name for node in nodes for name in node.output if name}
        read = {name for i in indices for name in self.reads[i]}
        elsewhere = {name for i, names in enumerate(self.reads) if i not in chosen for name in names}
        elsewhere |= {v.name for v in self.model.graph.output}
        outputs = [name for node in nodes for name in node.output if name in made and (name in elsewhere or name not in read)]
        constants = [t for name, t in self.constants.items() if name in read]
        inputs = [name for name in self.values if name in read and name not in made and name not in self.constants]
        graph = helper.make_graph(nodes, "part", [self.port(name) for name in inputs], [self.port(name) for name in outputs], constants)
        part = helper.make_model(graph, opset_imports=self.model.opset_import, functions=self.model.functions)
        part.ir_version = self.model.ir_version
        return part, inputs, outputs

    def port(self, name):
        value = self.values[name]
        return helper.make_tensor_value_info(name, TYPES[value.dtype], value.shape)

    def problem(self, indices):
        """What goes wrong in a part; "" if nothing does."""
        part, inputs, outputs = self.part(indices)
        if not outputs:
            return ""
        self.runs += 1
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            onnx.save(part, folder / "model.onnx")
            ours = self.micrort.run(folder / "model.onnx", {name: self.values[name] for name in inputs}, folder)
            found = compare(ours, {name: self.values[name] for name in outputs}, self.tolerance)
            return found.replace(str(folder), "")

    def reduce(self):
        """The smallest part found, as indices of nodes, and what goes wrong in it."""
        all_nodes = list(range(len(self.nodes)))
        kind = kind_of(self.problem(all_nodes))
        if not kind:
            return [], ""
        goes_wrong = lambda part: kind_of(self.problem(part)) == kind  # noqa: E731
        for i in all_nodes:
            if goes_wrong([i]):
                return [i], self.problem([i])
        part = shrink(all_nodes, goes_wrong)
        return part, self.problem(part)


def kind_of(problem):
    """Two parts go wrong alike if these are the same: names and numbers differ from part to part."""
    return re.sub(r"'[^']*'|[\d.]+(e[+-]?\d+)?", "", problem).split("differs")[0] if "exit code" in problem else problem[:6]


def shrink(items, is_wrong):
    """Zeller's ddmin: takes away runs of items, shorter and shorter ones."""
    step = len(items) // 2
    while step >= 1:
        at = 0
        while at < len(items):
            rest = items[:at] + items[at + step:]
            if rest and is_wrong(rest):
                items = rest
            else:
                at += step
        step //= 2
    return items


def write(folder, reducer, indices):
    folder.mkdir(parents=True, exist_ok=True)
    part, inputs, outputs = reducer.part(indices)
    onnx.save(part, folder / "model.onnx")
    for prefix, names in (("", inputs), ("expected.", outputs)):
        for name, file in file_names(names, prefix).items():
            np.save(folder / file, reducer.values[name])
    return part


def line_of(node):
    """A node as "y = Conv(x, w) { name: "group" i: 1 }". ONNX's own printer raises on types that it does not know."""
    attributes = [text_format.MessageToString(attribute, as_one_line=True) for attribute in node.attribute]
    shortened = [text if len(text) <= 200 else text[:200] + "..." for text in attributes]
    return f"  {', '.join(node.output)} = {node.op_type}({', '.join(node.input)}) " + " ".join(f"{{ {text} }}" for text in shortened)


def command_line():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="folder for what is left")
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("build/bin"), help="folder of mnnconvert and micrort-run")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=FILE.npy")
    parser.add_argument("--tolerance", type=float, default=1e-3, help="of an output's largest element (default 1e-3)")
    return parser


def main():
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options = command_line().parse_args(arguments[:split])
    if not has_onnxruntime():
        fail("node does not find onnxruntime-node; try ./dev reduce")
    return find(options, arguments[split + 1:])


def find(options, flags):
    """The part in the folder that `options` name; `flags` are mnnconvert's. The exit code."""
    model = read_model(options.model)
    reducer = Reducer(model, MicroRT(options.programs, flags), options.tolerance)
    reducer.compute_values(read_inputs(model, options.input))
    indices, problem = reducer.reduce()
    if not indices:
        print(f"nothing goes wrong: every output of {len(reducer.nodes)} nodes is as ONNX Runtime gives it")
        return 2
    part = write(options.output, reducer, indices)
    print(f"{len(indices)} of {len(reducer.nodes)} nodes are left after {reducer.runs} runs, in {options.output}: {shown(problem)}")
    for node in part.graph.node:
        print(shown(line_of(node)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
