"""The reducer finds what goes wrong, with a runtime that errs in known ways in place of MicroRT."""

import os
import pathlib
import sys
import tempfile
import unittest

try:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper
except ImportError as error:
    print(f"skipped: no {error.name}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "reduce"))
import reduce
import source

CHAIN = ["Abs", "Neg", "Relu", "Exp", "Sqrt", "Neg", "Sigmoid", "Abs"]


def chain():
    """v0 = x, v1 = Abs(v0), ..."""
    nodes = [helper.make_node(op, [f"v{i}"], [f"v{i + 1}"]) for i, op in enumerate(CHAIN)]
    port = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2])  # noqa: E731
    return helper.make_model(helper.make_graph(nodes, "chain", [port("v0")], [port(f"v{len(CHAIN)}")]))


class Wrong:
    """Gives what is expected, unless a part has all of these operators; then an error or other elements."""

    def __init__(self, operators, error=None):
        self.operators, self.error, self.values = set(operators), error, {}

    def run(self, model, inputs, folder):
        graph = onnx.load(model).graph
        is_wrong = self.operators <= {node.op_type for node in graph.node}
        if is_wrong and self.error:
            return self.error
        return [self.values[v.name] + (1 if is_wrong else 0) for v in graph.output]


def reduced(wrong):
    reducer = reduce.Reducer(chain(), wrong, 1e-3)
    reducer.values = {f"v{i}": np.array([i, -i], np.float32) for i in range(len(CHAIN) + 1)}
    wrong.values = reducer.values
    indices, problem = reducer.reduce()
    return reducer, indices, problem


class Reduce(unittest.TestCase):
    def test_a_node_alone(self):
        _, indices, problem = reduced(Wrong(["Sqrt"]))
        self.assertEqual(indices, [4])
        self.assertIn("output v5 differs by 1", problem)

    def test_nodes_that_go_wrong_together_only(self):
        _, indices, _ = reduced(Wrong(["Relu", "Sigmoid"]))
        self.assertEqual(indices, [2, 6])

    def test_a_model_that_cannot_be_converted(self):
        _, indices, problem = reduced(Wrong(["Exp"], "mnnconvert: exit code 3: node 'v4' (Exp): not supported"))
        self.assertEqual(indices, [3])
        self.assertIn("exit code 3", problem)

    def test_nothing_goes_wrong(self):
        self.assertEqual(reduced(Wrong(["Conv"]))[1:], ([], ""))

    def test_what_is_left_stands_alone(self):
        reducer, indices, _ = reduced(Wrong(["Relu", "Sigmoid"]))
        with tempfile.TemporaryDirectory() as folder:
            part = reduce.write(pathlib.Path(folder), reducer, indices)
            onnx.checker.check_model(part)
            self.assertEqual([v.name for v in part.graph.input], ["v2", "v6"])
            self.assertEqual([v.name for v in part.graph.output], ["v3", "v7"])
            self.assertEqual(sorted(file.name for file in pathlib.Path(folder).iterdir()),
                             ["expected.v3.npy", "expected.v7.npy", "model.onnx", "v2.npy", "v6.npy"])
            np.testing.assert_array_equal(np.load(pathlib.Path(folder) / "v6.npy"), [6, -6])

    def test_names_that_are_the_same_as_files(self):
        names = ["a/b", "a_b", "A_B", "a_b_1", "n" * 300]
        files = source.file_names(names, "expected.")
        self.assertEqual(len({file.lower() for file in files.values()}), len(names))
        self.assertTrue(all(len(file) < 200 for file in files.values()))


class Sources(unittest.TestCase):
    """What is wrong with files ends the program with a message."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "models" / "model.onnx"
        self.file.parent.mkdir()
        (self.folder / "secret").write_bytes(b"12345678")

    def expect_message(self, text, do, *arguments):
        with self.assertRaises(SystemExit) as end:
            do(*arguments)
        self.assertTrue(end.exception.code.startswith("reduce: error: "), end.exception.code)
        self.assertIn(text, end.exception.code)

    def with_weights_in(self, location, **more):
        model = chain()
        tensor = model.graph.initializer.add(name="w", data_type=TensorProto.FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
        for key, value in {"location": location, **more}.items():
            tensor.external_data.add(key=key, value=value)
        self.file.write_bytes(model.SerializeToString())

    def test_files_that_are_no_models(self):
        self.expect_message("No such file", source.read_model, self.file)
        self.file.write_bytes(b"no model")
        self.expect_message("not an ONNX model", source.read_model, self.file)

    def test_what_is_no_file(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for place in (pipe, self.folder, pathlib.Path("/dev/zero")):
            self.expect_message("expected a regular file", source.read_model, place)
            self.expect_message("expected a regular file", source.read_array, place)

    def test_names_that_are_no_text(self):
        self.file.write_bytes(chain().SerializeToString().replace(b"chain", b"chai\xff"))
        self.expect_message("UTF-8", source.read_model, self.file)

    def test_weights_elsewhere(self):
        for location in ["../secret", str(self.folder / "secret"), "a/../../secret", "", "missing", "/dev/zero", "a\0b"]:
            self.with_weights_in(location)
            self.expect_message("tensor 'w'", source.read_model, self.file)

    def test_weights_beside_the_model(self):
        (self.file.parent / "weights").write_bytes(b"0123456789abcdef")
        self.with_weights_in("weights", offset="4", length="8")
        self.assertEqual(source.read_model(self.file).graph.initializer[0].raw_data, b"456789ab")
        self.with_weights_in("weights", offset="-4")
        self.expect_message("an offset and a length", source.read_model, self.file)

    def test_inputs_that_cannot_be_made_up(self):
        model = chain()
        model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 2**40
        self.expect_message("give some by --input", source.read_inputs, model, [])
        model.graph.input[0].type.tensor_type.elem_type = 77
        self.expect_message("type 77", source.read_inputs, model, [])

    def test_inputs_that_are_large_together(self):
        model = chain()
        model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 2**22
        for i in range(100):
            model.graph.input.add().CopyFrom(model.graph.input[0])
            model.graph.input[-1].name = f"more{i}"
        self.expect_message("input 'more3'", source.read_inputs, model, [])

    def test_inputs_that_are_no_arrays(self):
        self.expect_message("expected NAME=FILE.npy", source.read_inputs, chain(), ["v0"])
        self.expect_message("not an array", source.read_inputs, chain(), [f"v0={self.folder / 'secret'}"])
        self.expect_message("No such file", source.read_inputs, chain(), ["v0=missing.npy"])

    def test_control_characters(self):
        self.expect_message("\\x1b[2J", source.fail, "\x1b[2J")


if __name__ == "__main__":
    unittest.main()
