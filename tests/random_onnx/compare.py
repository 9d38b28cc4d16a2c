#!/usr/bin/env python3
"""Makes random ONNX graphs of all operators, converts and runs them, and compares every output with ONNX Runtime's.

Prints each graph whose outputs differ and keeps it, with its inputs and what ONNX Runtime gave, in a folder: tools/reduce makes it small.
Cases in which it is ONNX Runtime that differs from ONNX are listed in theirs.txt, and not made. Exit code 1 if there are differences; 77
(skipped) where node, onnxruntime-node (found through NODE_PATH) or Python's onnx are missing.
"""

import argparse
import collections
import pathlib
import sys
import tempfile

SKIPPED = 77
TOLERANCE = 2e-3


def skip(what):
    print(f"skipped: no {what}")
    sys.exit(SKIPPED)


try:
    import numpy as np
    import onnx
except ImportError as error:
    skip(error.name)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "reduce"))
from generate import random_graph
from runtimes import MicroRT, OnnxRuntime, compare, has_onnxruntime


def keep(folder, model, inputs, theirs):
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / "model.onnx")
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
    for name, array in theirs.items():
        np.save(folder / f"expected.{name}.npy", array)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=200, help="graphs that ONNX Runtime runs")
    parser.add_argument("--first", type=int, default=1, help="number of the first graph: others with another one")
    parser.add_argument("--operators", nargs="*", help="of these alone")
    parser.add_argument("--programs", required=True, type=pathlib.Path, help="folder of mnnconvert and micrort-run")
    parser.add_argument("--refused", action="store_true", help="print why ONNX Runtime refuses graphs")
    parser.add_argument("--kept", type=pathlib.Path, default=pathlib.Path("random-onnx-differences"), help="folder for graphs that differ")
    arguments = parser.parse_args()
    if not has_onnxruntime():
        skip("onnxruntime-node")

    runtime, micrort, counts, operators = OnnxRuntime(), MicroRT(arguments.programs), collections.Counter(), collections.Counter()
    seed = arguments.first - 1
    while counts["compared"] < arguments.count:
        seed += 1
        graph = random_graph(seed, arguments.operators)
        model = graph.model()
        if not model.graph.node or not model.graph.output:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            onnx.save(model, folder / "model.onnx")
            theirs = runtime.run(folder / "model.onnx", graph.inputs, folder)
            if isinstance(theirs, str):
                counts["refused by ONNX Runtime"] += 1
                if arguments.refused:
                    print(f"{seed}: {theirs}")
                continue
            counts["compared"] += 1
            operators.update(node.op_type for node in model.graph.node)
            found = compare(micrort.run(folder / "model.onnx", graph.inputs, folder), theirs, TOLERANCE)
            if not found:
                continue
            counts["differ"] += 1
            keep(arguments.kept / str(seed), model, graph.inputs, theirs)
            print(f"{seed}: {found} [{' '.join(sorted({n.op_type for n in model.graph.node}))}]", flush=True)
    print(f"{counts['compared']} graphs of {sum(operators.values())} nodes of {len(operators)} operators, {counts['differ']} differ")
    print(f"{counts['refused by ONNX Runtime']} more are refused by ONNX Runtime")
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
