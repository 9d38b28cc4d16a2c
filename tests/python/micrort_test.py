"""The Python package, on the meter reader's network. Run by CTest with the built package in PYTHONPATH."""

import errno
import gc
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock

import numpy as np

import micrort

SOURCE = pathlib.Path(os.environ["MICRORT_SOURCE"])
# What these tests start has a sanitizer of its own.
SANITIZED = os.environ.pop("LD_PRELOAD", None) is not None
CONVERTER = micrort.conversion.mnnconvert()
DIGITS = SOURCE / "examples" / "meter_reader" / "meter_digits.onnx"


@unittest.skipUnless("MICRORT_ZERO_OUT" in os.environ, "the examples are not built")
class OperatorsOfOnesOwn(unittest.TestCase):
    def setUp(self):
        self.library = os.environ.get("MICRORT_ZERO_OUT")
        source = SOURCE / "examples" / "custom_op" / "zero_out.onnx"
        self.model = micrort.convert(source, custom_domain=["com.acme"]).model()

    def test_come_from_shared_libraries(self):
        for libraries in (self.library, pathlib.Path(self.library), [self.library]):
            interpreter = micrort.Interpreter(self.model, custom_ops=libraries)
            outputs = interpreter.run(np.array([5, 6, 7, 8], np.int32))
            np.testing.assert_array_equal(next(iter(outputs.values())), [0, 6, 0, 0])

    def test_are_missed_by_name(self):
        with self.assertRaisesRegex(micrort.UnsupportedError, "ZeroOut"):
            micrort.Interpreter(self.model)

    def test_of_what_is_no_library_are_an_error(self):
        with self.assertRaisesRegex(micrort.IoError, "custom_ops: .*zero_out.onnx"):
            micrort.Interpreter(self.model, custom_ops=[SOURCE / "examples" / "custom_op" / "zero_out.onnx"])


class Converting(unittest.TestCase):
    def test_gives_the_file_and_a_summary(self):
        conversion = micrort.convert(DIGITS)
        self.assertIsNone(conversion.path)
        self.assertEqual(conversion.summary["file_bytes"], len(conversion.file))
        self.assertIn("operators_after", repr(conversion))
        self.assertIn("<table>", conversion._repr_html_())

    def test_writes_the_file_where_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "digits.fb")
            conversion = micrort.convert(DIGITS.read_bytes(), path)
            self.assertEqual(pathlib.Path(path).read_bytes(), conversion.file)

    def test_calibrates_from_a_generator_of_arrays_or_of_dicts(self):
        info = micrort.convert(DIGITS).model().inputs[0]
        samples = [np.random.default_rng(i).random([max(d, 1) for d in info.shape], dtype=np.float32) for i in range(4)]
        by_array = micrort.convert(DIGITS, quant="int8", calib=(s for s in samples))
        by_name = micrort.convert(DIGITS, quant="int8", calib=({info.name: s} for s in samples))
        self.assertGreater(by_array.summary["int8_layers"], 0)
        self.assertEqual(by_array.file, by_name.file)

    def test_makes_the_report_for_notebooks(self):
        conversion = micrort.convert(DIGITS, quant="int8-weights", report=True)
        self.assertIn("<html", conversion.report)
        self.assertTrue(conversion._repr_html_().startswith("<iframe srcdoc="))

    def test_has_the_figures_of_layers(self):
        self.assertIsNone(micrort.convert(DIGITS).quality)
        with self.assertRaisesRegex(ValueError, "report=True"):
            micrort.convert(DIGITS).plot()
        conversion = micrort.convert(DIGITS, quant="int8-weights", report=True)
        layers = conversion.quality["layers"]
        self.assertIn("Conv2D", {layer["operator"] for layer in layers})
        self.assertGreater(max(layer["similarity"]["snr_db"] for layer in layers if layer["similarity"]), 20)

        # What plot() asks of Matplotlib, which need not be there.
        class Axes:
            def __init__(self):
                self.calls = {}

            def __getattr__(self, name):
                return lambda *given, **named: self.calls.setdefault(name, given)

        axes = conversion.plot(Axes())
        compared = sum(layer["similarity"] is not None for layer in layers)
        self.assertEqual(len(axes.calls["plot"][1]), compared)
        self.assertEqual(len(axes.calls["set_xticklabels"][0]), compared)
        self.assertLessEqual(max(map(len, axes.calls["set_xticklabels"][0])), 24)

    def test_says_what_a_plot_needs(self):
        conversion = micrort.convert(DIGITS, quant="int8-weights", report=True)
        with unittest.mock.patch.dict(sys.modules, {"matplotlib": None}):
            with self.assertRaisesRegex(ImportError, "pip install matplotlib"):
                conversion.plot()

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "without Matplotlib")
    def test_plots_names_inside_of_the_figure(self):
        import matplotlib

        matplotlib.use("Agg")
        axes = micrort.convert(DIGITS, quant="int8-weights", report=True).plot()
        axes.figure.canvas.draw()
        for label in axes.get_xticklabels():
            self.assertGreaterEqual(label.get_window_extent().y0, 0)

    def test_counts_right_answers_by_labels(self):
        shape = [max(d, 1) for d in micrort.convert(DIGITS).model().inputs[0].shape]
        samples = [np.random.default_rng(i).random(shape, dtype=np.float32) for i in range(4)]
        conversion = micrort.convert(DIGITS, quant="int8", calib=samples, labels=[0, 1, 2, 3], report=True)
        self.assertEqual(conversion.quality["accuracy"]["samples"], 4)

    def test_files_that_are_not_there(self):
        for error in (FileNotFoundError, ValueError, micrort.NotFoundError):
            with self.assertRaisesRegex(error, "absent.onnx"):
                micrort.convert("absent.onnx")

        with self.assertRaisesRegex(FileNotFoundError, "absent.fb"):
            micrort.Interpreter("absent.fb")
        with self.assertRaisesRegex(FileNotFoundError, "its folder does not exist"):
            micrort.convert(DIGITS, "absent/model.fb")

    def test_files_that_are_no_models_of_micrort(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, meant in (("net.onnx", "net.onnx', '"), ("net.fb", "'model.onnx', 'model.fb'")):
                path = os.path.join(folder, name)
                pathlib.Path(path).write_bytes(b"\x08\x08" * 32)
                with self.assertRaisesRegex(micrort.InvalidModelError, "convert it first: micrort.convert.*" + meant):
                    micrort.Interpreter(path)
            with self.assertRaisesRegex(ValueError, "found a folder; a SavedModel is converted first"):
                micrort.Model(folder)

    def test_what_is_no_model(self):
        with self.assertRaisesRegex(ValueError, "expected a path, .* or a torch.nn.Module, found object"):
            micrort.convert(object())
        with self.assertRaisesRegex(ValueError, "did you mean --quant=int8[?]$"):
            micrort.convert(DIGITS, quantize="int8")

    @unittest.skipIf(SANITIZED, "a Python that it starts has no AddressSanitizer")
    def test_the_command_of_the_wheel_is_the_converter(self):
        program = "import sys, micrort_mnnconvert; sys.argv[1:] = ['--version']; micrort_mnnconvert.main(); import numpy"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertIn(micrort.__version__, done.stdout)

    def test_takes_the_shape_of_the_only_input(self):
        shape = [max(d, 1) for d in micrort.convert(DIGITS).model().inputs[0].shape]
        self.assertEqual(list(micrort.convert(DIGITS, input_shape=shape).model().inputs[0].shape), shape)
        self.assertEqual(list(micrort.convert(DIGITS, input_shape=tuple(shape)).model().inputs[0].shape), shape)

    def test_what_is_no_sample(self):
        with self.assertRaisesRegex(ValueError, "expected paths, arrays or dicts of arrays, found int"):
            micrort.convert(DIGITS, quant="int8", calib=5)
        wrong = np.zeros([1, 28, 28, 1], np.float32)
        with self.assertRaises(ValueError) as raised:
            micrort.convert(DIGITS, quant="int8", calib=[wrong])
        self.assertNotIn("np.save", str(raised.exception))

    def test_writes_the_report_to_a_path(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            conversion = micrort.convert(DIGITS, quant="int8-weights", report=path)
            self.assertEqual(pathlib.Path(path).read_text(), conversion.report)

    def test_gives_flags_whose_value_is_optional_that_value(self):
        self.assertIn("verify", micrort.convert(DIGITS, verify="layers").summary)
        self.assertIn("verify", micrort.convert(DIGITS, verify=True).summary)

    def test_passes_flags_on(self):
        conversion = micrort.convert(DIGITS, target="scalar", packed_only=True)
        self.assertEqual(conversion.summary["target"], "scalar")

    def test_writes_cpp_into_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            conversion = micrort.convert(DIGITS, os.path.join(folder, "net"), emit="cpp", cpp_class="app::Net")
            self.assertIsNone(conversion.file)
            self.assertTrue(os.path.exists(os.path.join(conversion.path, "net.h")))
            with self.assertRaisesRegex(micrort.InvalidArgumentError, "is a folder"):
                conversion.model()
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "output"):
            micrort.convert(DIGITS, emit="cpp", cpp_class="app::Net")

    def test_refuses_flags_that_convert_nothing(self):
        for flags in ({"list": True}, {"version": True}, {"help": True}, {"json": "x.json"}, {"emit": "resolver"}):
            with self.assertRaisesRegex(micrort.InvalidArgumentError, f"^{next(iter(flags))}: no conversion"):
                micrort.convert(DIGITS, **flags)
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "source text"):
            micrort.convert(DIGITS, emit="array").model()

    def test_takes_one_dict_of_samples(self):
        name = micrort.convert(DIGITS).model().inputs[0].name
        samples = np.random.default_rng(4).random((12, 1, 32, 24), dtype=np.float32)
        self.assertTrue(micrort.convert(DIGITS, quant="int8", calib={name: samples}).file)
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "expected samples, found none"):
            micrort.convert(DIGITS, quant="int8", calib=iter([]))

    def test_messages_name_samples_by_their_position(self):
        samples = [np.zeros((1, 1), np.float32)]
        with self.assertRaises(micrort.Error) as raised:
            micrort.convert(DIGITS, quant="int8", calib=samples)
        self.assertRegex(str(raised.exception), "sample 0|calib")
        self.assertNotIn("/samples/", str(raised.exception))

    def test_makes_inputs_constants(self):
        info = micrort.convert(DIGITS).model().inputs[0]
        x = np.random.default_rng(3).random([max(d, 1) for d in info.shape], dtype=np.float32)
        conversion = micrort.convert(DIGITS, input_value={info.name: x})
        self.assertEqual(len(conversion.model().inputs), 0)
        self.assertEqual([c["input"] for c in conversion.summary["constant_inputs"]], [info.name])
        with self.assertRaisesRegex(ValueError, "expected shape .*, found 3 elements"):
            micrort.convert(DIGITS, input_value={"#0": [1, 2.5, 3]})

    def test_little_memory_is_an_error(self):
        code = (
            "import resource, sys, numpy as np, micrort\n"
            "resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) << 20,) * 2)\n"
            "try:\n"
            "    file = micrort.convert(sys.argv[2]).file\n"
            "    micrort.Interpreter(micrort.Model(file))(np.zeros((1, 1, 32, 24), np.float32))\n"
            "except (micrort.Error, MemoryError) as error:\n"
            "    sys.exit(7 if str(error) or isinstance(error, MemoryError) else 8)\n"
        )
        if SANITIZED:
            self.skipTest("AddressSanitizer takes terabytes of addresses")
        for megabytes in (6, 8, 12, 16, 20, 24, 32, 48, 64, 96):
            child = subprocess.run([sys.executable, "-c", code, str(megabytes), str(DIGITS)], check=False)
            self.assertIn(child.returncode, (0, 7), f"{megabytes} MiB")

    def test_a_folder_that_memory_is_lacking_to_remove_is_a_memory_error(self):
        lacking = OSError(errno.ENOMEM, "Cannot allocate memory")
        with unittest.mock.patch("tempfile.TemporaryDirectory.cleanup", side_effect=lacking):
            with self.assertRaisesRegex(MemoryError, "Cannot allocate memory"):
                micrort.convert(DIGITS)

    def test_a_converter_without_memory_is_a_memory_error(self):
        if SANITIZED:
            self.skipTest("AddressSanitizer takes terabytes of addresses")
        kinds = set()
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "mnnconvert")
            for kilobytes in range(16 << 10, 64 << 10, 512):
                program.write_text(f'#!/bin/sh\nulimit -v {kilobytes}\nexec "{CONVERTER}" "$@"\n')
                program.chmod(0o700)
                with unittest.mock.patch.dict(os.environ, MICRORT_MNNCONVERT=str(program)):
                    try:
                        micrort.convert(DIGITS)
                        break
                    except micrort.Error as error:
                        kinds.add(type(error))
        # An Error says that the program has not started, as its libraries found no room.
        self.assertIn(micrort.OutOfMemoryError, kinds)
        self.assertLessEqual(kinds, {micrort.OutOfMemoryError, micrort.Error})

    def test_errors_are_exceptions_with_the_converters_words(self):
        with self.assertRaisesRegex(micrort.InvalidModelError, "source"):
            micrort.convert(b"no model at all")
        with self.assertRaisesRegex(ValueError, "no_such_flag|no-such-flag"):
            micrort.convert(DIGITS, no_such_flag=1)


def proto(*fields):
    """A message of protobuf: pairs of field number and integer, text, or message as bytes."""

    def varint(v):
        return bytes([v]) if v < 128 else bytes([v & 127 | 128]) + varint(v >> 7)

    def field(number, value):
        if isinstance(value, int):
            return varint(number << 3) + varint(value)
        value = value.encode() if isinstance(value, str) else value
        return varint(number << 3 | 2) + varint(len(value)) + value

    return b"".join(field(*f) for f in fields)


def counting_model():
    """ONNX: y = 0, 1 ... max(s), as many as s, of any size, decides."""

    def node(op, inputs, output, *attributes):
        return proto(*((1, i) for i in inputs), (2, output), (4, op), *((5, a) for a in attributes))

    def value(name, *dims):
        shape = proto(*((1, proto((2, d))) for d in dims))
        return proto((1, name), (2, proto((1, proto((1, 7), (2, shape))))))

    def scalar(name, v):
        return proto((2, 7), (8, name), (9, v.to_bytes(8, "little")))

    keep = proto((1, "keepdims"), (3, 0), (20, 2))
    nodes = [node("ReduceMax", ["s"], "m", keep), node("Range", ["zero", "m", "one"], "y")]
    graph = proto(*((1, n) for n in nodes), (2, "g"), (5, scalar("zero", 0)), (5, scalar("one", 1)), (11, value("s", "N")), (12, value("y", "M")))
    return proto((1, 8), (7, graph), (8, proto((2, 13))))


@unittest.skipUnless(importlib.util.find_spec("torch") and not SANITIZED, "no PyTorch, or not for AddressSanitizer")
class ConvertingModulesOfPyTorch(unittest.TestCase):
    def setUp(self):
        import torch

        class Tagger(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.rows, self.head, self.noise = torch.nn.Embedding(10, 4), torch.nn.Linear(4, 3), torch.nn.Dropout(0.5)

            def forward(self, words, scale):
                return self.noise(self.head(self.rows(words))) * scale

        torch.manual_seed(1)
        self.torch, self.module = torch, Tagger()
        self.example = (torch.tensor([[1, 2, 3, 9]]), torch.full((1, 1, 1), 2.0))

    def test_are_traced_with_the_example(self):
        torch, module = self.torch, self.module
        for candidate in (module, torch.jit.script(module)):
            interpreter = micrort.Interpreter(micrort.convert(candidate, self.example).model())
            self.assertTrue(module.training)
            found = interpreter.run([tensor.numpy() for tensor in self.example])
            with torch.no_grad():
                expected = module.eval()(*self.example).numpy()
            module.train()
            np.testing.assert_allclose(list(found.values())[0], expected, atol=1e-6)

    def test_need_an_example_of_tensors(self):
        with self.assertRaisesRegex(ValueError, "needs an example of its inputs"):
            micrort.convert(self.module)
        with self.assertRaisesRegex(ValueError, "expected a tensor or a tuple of tensors, found list"):
            micrort.convert(self.module, example=[1, 2])
        with self.assertRaisesRegex(ValueError, "no module of PyTorch"):
            micrort.convert("model.onnx", example=self.example)

    def test_take_shapes_from_flags_first(self):
        conversion = micrort.convert(self.module, example=self.example, input_shape={"#0": (1, None), "#1": (1, 1, 1)})
        self.assertIn(-1, conversion.model().inputs[0].shape)


class DecidingValues(unittest.TestCase):
    def setUp(self):
        self.model = micrort.convert(counting_model()).model()

    def test_decide_the_outputs_shape(self):
        interpreter = micrort.Interpreter(self.model, input_shapes={"s": [1]}, input_values={"s": np.array([3])})
        self.assertEqual(interpreter.run({"s": np.array([3])})["y"].tolist(), [0, 1, 2])

    def test_are_of_the_shape_that_is_given(self):
        three = np.array([3])
        for n in (0, 2, 4000):
            with self.assertRaisesRegex(micrort.InvalidArgumentError, "shape"):
                micrort.Interpreter(self.model, input_shapes={"s": [n]}, input_values={"s": three})
        interpreter = micrort.Interpreter(self.model, input_shapes={"s": [1]}, input_values={"s": three})
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "shape"):
            interpreter.resize({"s": [4000]}, {"s": three})

    def test_are_checked_below_python_too(self):
        from micrort._session import Session

        def session(shape, value):
            return Session(
                self.model._loaded, threads=1, isa=None, tuned=None, shapes=[shape], values=[value],
                keep_inputs=False, profile=False, max_memory=None, max_work=None, custom_ops=[],
            )

        session([1], np.array([3]))
        for shape, value in (([4000], np.array([3])), ([1], np.array([3], np.int32)), ([2], np.arange(8)[::4])):
            with self.assertRaisesRegex(micrort.InvalidArgumentError, "value is not of its type and shape"):
                session(shape, value)


class Running(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.file = micrort.convert(DIGITS).file
        cls.model = micrort.Model(cls.file)
        info = cls.model.inputs[0]
        cls.name, cls.shape = info.name, [max(d, 1) for d in info.shape]

    def setUp(self):
        self.x = np.random.default_rng(7).random(self.shape, dtype=np.float32)

    def test_takes_arrays_by_name_by_position_and_alone(self):
        interpreter = micrort.Interpreter(self.model)
        by_name = interpreter.run({self.name: self.x})
        for outputs in (interpreter.run([self.x]), interpreter(self.x)):
            self.assertEqual(list(outputs), [info.name for info in interpreter.outputs])
            for name, value in outputs.items():
                np.testing.assert_array_equal(value, by_name[name])

    def test_in_place_arrays_need_no_copies(self):
        interpreter = micrort.Interpreter(self.model)
        expected = interpreter(self.x)
        interpreter.input(self.name)[:] = self.x
        interpreter.invoke()
        np.testing.assert_array_equal(interpreter.output(0), expected[interpreter.outputs[0].name])

    def test_keeps_inputs_where_asked(self):
        interpreter = micrort.Interpreter(self.model, keep_inputs=True)
        interpreter.input()[:] = self.x
        interpreter.invoke()
        np.testing.assert_array_equal(interpreter.input(), self.x)

    def test_an_array_keeps_its_memory_alive(self):
        interpreter = micrort.Interpreter(self.file)
        output = interpreter.output()
        expected = interpreter(self.x)
        value = output.copy()
        del interpreter
        gc.collect()
        np.testing.assert_array_equal(output, value)
        np.testing.assert_array_equal(value, list(expected.values())[0])

    def test_is_not_resized_under_an_array(self):
        interpreter = micrort.Interpreter(self.model)
        output = interpreter.output()
        with self.assertRaises(BufferError):
            interpreter.resize({self.name: self.shape})
        del output
        interpreter.resize({self.name: self.shape})

    def test_paths_are_no_inputs(self):
        interpreter = micrort.Interpreter(self.model)
        for inputs in ("photo.jpg", pathlib.Path("photo.jpg"), {self.name: "photo.jpg"}, ["photo.jpg"]):
            with self.assertRaisesRegex(ValueError, "expected arrays as inputs, found .*photo.jpg.*model.prepare"):
                interpreter.run(inputs)
        with self.assertRaisesRegex(IndexError, "there is no number 5; there are"):
            interpreter.output(5)

    def test_takes_arrays_of_any_order_in_memory(self):
        interpreter = micrort.Interpreter(self.model)
        expected = next(iter(interpreter.run(self.x).values()))
        for x in (np.asfortranarray(self.x), self.x.astype(">f4"), np.repeat(self.x, 2, axis=-1)[..., ::2]):
            np.testing.assert_array_equal(next(iter(interpreter.run(x).values())), expected)

    def test_refuses_what_does_not_fit(self):
        interpreter = micrort.Interpreter(self.model)
        with self.assertRaisesRegex(micrort.InvalidArgumentError, self.name):
            interpreter.run({"none": self.x})
        with self.assertRaisesRegex(ValueError, "complex"):
            interpreter.run({self.name: self.x.astype(np.complex64)})
        with self.assertRaises(micrort.InvalidArgumentError):
            interpreter.run({self.name: np.zeros((1, 2, 3, 4, 5), np.float32)})
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "abacus"):
            micrort.Interpreter(self.model, isa="abacus")
        with self.assertRaises(micrort.InvalidModelError):
            micrort.Model(b"\0" * 100)
        with self.assertRaises(OSError):
            micrort.Model("/nonexistent.fb")
        with self.assertRaises(IndexError):
            interpreter.output(9)
        with self.assertRaises(micrort.UnsupportedError):
            micrort.Interpreter(self.model, max_memory=16)

    def test_messages_say_how_arrays_fit(self):
        interpreter, shape = micrort.Interpreter(self.model), self.shape  # 1 x 1 x height x width
        for array, how in (
            (np.zeros((*shape[2:], 1), np.float32)[None], r"x\.transpose\(0, 3, 1, 2\) has the shape 1x1x"),
            (np.zeros((*shape[2:], 1), np.float32), r"x\.transpose\(2, 0, 1\)\[None\]"),
            (np.zeros(shape[1:], np.float32), r"x\[None\] has"),
        ):
            with self.assertRaisesRegex(micrort.InvalidArgumentError, how):
                interpreter.run([array])
        with self.assertRaisesRegex(ValueError, f"did you mean '{self.name}'"):
            interpreter.run({self.name + "s": self.x})

    def test_pixels_for_floats_are_warned_of(self):
        with self.assertWarnsRegex(UserWarning, "normalize them as in training"):
            micrort.Interpreter(self.model).run([np.zeros(self.shape, np.uint8)])

    def test_pictures_become_inputs_as_the_file_says(self):
        samples = str(DIGITS.parent / "calibration")
        file = micrort.convert(DIGITS, calib=samples, verify=True, mean=10, scale=0.5, resize="crop").file
        model, pixels = micrort.Model(file), (np.arange(32 * 24) % 256).astype(np.uint8).reshape(32, 24)
        self.assertEqual(model.pictures, {"mean": [10.0], "scale": [0.5], "color": "rgb", "resize": "crop"})
        np.testing.assert_array_equal(model.prepare(pixels), ((pixels.astype(np.float32) - 10) * 0.5)[None, None])
        with self.assertRaisesRegex(ValueError, "expected uint8 of shape 32x24x3 or 32x24, found uint8 of 8x8"):
            model.prepare(np.zeros((8, 8), np.uint8))
        self.assertIsNone(self.model.pictures)
        np.testing.assert_array_equal(self.model.prepare(pixels)[0, 0], pixels)

    def test_pictures_of_colors_and_integers(self):
        info = types.SimpleNamespace(name="x", dtype="int8", shape=(1, 2, 1, 3), scale=0.5, zero_point=-128)
        stated = {"mean": [1.0, 2.0, 3.0], "scale": [1.0], "color": "bgr"}
        pixels = np.array([[[10, 20, 30]], [[200, 200, 200]]], np.uint8)
        prepared = micrort.runtime._pictures.prepare(info, stated, pixels)
        np.testing.assert_array_equal(prepared, np.int8([[[[-70, -92, -114]], [[127, 127, 127]]]]))

    def test_pictures_for_gray_inputs_and_broken_metadata(self):
        pictures = micrort.runtime._pictures
        info = types.SimpleNamespace(name="x", dtype="float32", shape=(1, 1, 1, 2), scale=0.0, zero_point=0)
        colors = np.array([[[255, 255, 255], [10, 20, 30]]], np.uint8)
        np.testing.assert_array_equal(pictures.prepare(info, pictures.parse("{}"), colors), np.float32([[[[255, 18]]]]))
        with self.assertRaisesRegex(ValueError, "3 values of mean for 1 channels"):
            pictures.prepare(info, pictures.parse('{"mean": [1, 2, 3]}'), colors)
        for text in ("[1]", "{", '{"mean": 5}', '{"scale": [0]}', '{"mean": [1e999]}', '{"color": "cmyk"}', '{"resize": []}', "[" * 99999):
            with self.assertRaisesRegex(micrort.InvalidModelError, "metadata 'micrort.pictures'"):
                pictures.parse(text)

    def test_integers_stay_what_they_are(self):
        info = types.SimpleNamespace(name="x", dtype="int8")
        for given in (np.array([-128, 127], np.int64), [-128, 127], np.array([0, 127], np.uint8)):
            taken = micrort.Interpreter._as_input(info, given)
            self.assertEqual(taken.dtype, np.int8)
            np.testing.assert_array_equal(taken, given)
        for given in (np.array([200], np.uint8), [3, -129], np.array([2**63], np.uint64)):
            with self.assertRaisesRegex(micrort.InvalidArgumentError, "'x': -?[0-9]+ does not fit int8"):
                micrort.Interpreter._as_input(info, given)

    def test_complex_numbers_are_pairs_of_floats(self):
        info = types.SimpleNamespace(name="x", dtype="float32", shape=(2, 2))
        np.testing.assert_array_equal(micrort.Interpreter._as_input(info, [1 + 2j, 3 - 4j]), np.float32([[1, 2], [3, -4]]))
        for shape, given in (((2,), [1 + 2j, 3j]), ((2, 3), [1j, 2j]), ((2, 2), [[1j]])):
            info.shape = shape
            with self.assertRaisesRegex(micrort.InvalidArgumentError, "'x': expected float32 of shape .* last dimension of 2"):
                micrort.Interpreter._as_input(info, given)

    def test_no_number_becomes_infinite(self):
        half, single = (types.SimpleNamespace(name="x", dtype=dtype) for dtype in ("float16", "float32"))
        for info, given in ((half, [70000]), (half, np.float32([-7e4])), (half, [2**63]), (single, [1.0, 1e300])):
            with self.assertRaisesRegex(micrort.InvalidArgumentError, f"'x': .* does not fit {info.dtype}"):
                micrort.Interpreter._as_input(info, given)
        for given in ([65504], [np.inf, 1.0], [np.nan], []):
            np.testing.assert_array_equal(micrort.Interpreter._as_input(half, given), np.float16(given))

    def test_the_profile_waits_for_runs(self):
        interpreter = micrort.Interpreter(self.model, profile=True)
        interpreter(self.x)
        steps = len(interpreter.profile)
        running = threading.Thread(target=lambda: [interpreter.invoke() for _ in range(300)])
        running.start()
        while running.is_alive():
            self.assertEqual(len(interpreter.profile), steps)
        running.join()

    def test_timeouts(self):
        interpreter = micrort.Interpreter(self.model)
        for unlimited in (None, float("inf"), 1e300, 10**400):
            self.assertTrue(interpreter.run([self.x], timeout=unlimited))
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "nan"):
            interpreter.run([self.x], timeout=float("nan"))

    def test_threads_may_share_an_interpreter(self):
        interpreter = micrort.Interpreter(self.model)
        inputs = [self.x * (k + 1) for k in range(3)]
        expected = [interpreter([x]) for x in inputs]
        wrong = []

        def work(k):
            for _ in range(200):
                for name, value in interpreter([inputs[k]]).items():
                    if not np.array_equal(value, expected[k][name]):
                        wrong.append(k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_profiles_steps(self):
        interpreter = micrort.Interpreter(self.model, profile=True)
        interpreter(self.x)
        steps = interpreter.profile
        self.assertIn("Conv2D", [step["type"] for step in steps])
        self.assertTrue(all(step["ms"] >= 0 for step in steps))

    def test_cancel_ends_a_run(self):
        interpreter = micrort.Interpreter(self.model)
        interpreter.cancel()
        with self.assertRaises(micrort.CancelledError):
            interpreter.invoke()
        interpreter.invoke()

    def test_other_threads_run_meanwhile(self):
        results = {}

        def work(i):
            interpreter = micrort.Interpreter(self.model)
            for _ in range(50):
                results[i] = interpreter(self.x)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for outputs in results.values():
            for name, value in outputs.items():
                np.testing.assert_array_equal(value, results[0][name])

    def test_describes_itself(self):
        self.assertIn(self.name, repr(self.model))
        self.assertIn(self.name, self.model._repr_html_())
        self.assertEqual(self.model.file_bytes, len(self.file))
        self.assertIn("arena", repr(micrort.Interpreter(self.model)))


if __name__ == "__main__":
    unittest.main()
