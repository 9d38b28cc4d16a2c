"""micrort.text, with a decoder that counts: after "abc" comes "defg". Run by CTest with the built package in PYTHONPATH."""

import json
import os
import pathlib
import tempfile
import threading
import unittest

import numpy as np

import micrort
import micrort.text

try:
    import onnx.helper
    import onnx.numpy_helper
except ImportError:
    onnx = None

# What these tests start has a sanitizer of its own.
os.environ.pop("LD_PRELOAD", None)
NUMBERS = 40


def counting():
    """After 1, 2 ... n comes n + 1: twice the mean of all tokens, which the cache and the mask's length tell."""
    helper, types = onnx.helper, onnx.TensorProto
    numbers = np.arange(NUMBERS, dtype=np.float32)
    constants = {
        "twice": 2 * numbers[:, None],
        "numbers": numbers[None, None],
        "halves": numbers[None, None] ** 2 / 2,
        "axis1": np.array([1]),
        "axis2": np.array([2]),
    }
    nodes = [
        helper.make_node("Gather", ["twice", "input_ids"], ["rows"]),
        helper.make_node("Unsqueeze", ["rows", "axis1"], ["keys"]),
        helper.make_node("Concat", ["past_key_values.0.key", "keys"], ["present.0.key"], axis=2),
        helper.make_node("ReduceSum", ["present.0.key", "axis2"], ["sum"], keepdims=0),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=types.FLOAT),
        helper.make_node("ReduceSum", ["mask", "axis1"], ["count"]),
        helper.make_node("Mul", ["sum", "numbers"], ["linear"]),
        helper.make_node("Mul", ["count", "halves"], ["square"]),
        helper.make_node("Sub", ["linear", "square"], ["logits"]),
    ]
    inputs = [
        helper.make_tensor_value_info("input_ids", types.INT64, [1, "tokens"]),
        helper.make_tensor_value_info("attention_mask", types.INT64, [1, "total"]),
        helper.make_tensor_value_info("past_key_values.0.key", types.FLOAT, [1, 1, "past", 1]),
    ]
    outputs = [helper.make_tensor_value_info(name, types.FLOAT, None) for name in ("logits", "present.0.key")]
    initializers = [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "counting", inputs, outputs, initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def letters():
    """Letters from 1 on, an end, and the tokens of ChatML."""
    vocabulary = {"</s>": 0, **{chr(ord("a") + i): i + 1 for i in range(26)}}
    special = ["</s>", "<|im_start|>", "<|im_end|>"]
    return json.dumps(
        {
            "model": {"type": "BPE", "vocab": vocabulary, "merges": []},
            "decoder": {"type": "Fuse"},
            "added_tokens": [
                {"id": 0 if i == 0 else 26 + i, "content": name, "special": True} for i, name in enumerate(special)
            ],
        }
    ).encode()


@unittest.skipIf(onnx is None, "skipped: no python3-onnx")
class Text(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.model = os.path.join(cls.folder.name, "counting.fb")
        cls.tokenizer = os.path.join(cls.folder.name, "tokenizer.json")
        micrort.convert(counting(), cls.model)
        cls.kept = micrort.convert(counting(), kv_cache=11).file
        pathlib.Path(cls.tokenizer).write_bytes(letters())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.generator = micrort.text.Generator(self.model, self.tokenizer)

    def test_an_answer_is_made_at_once(self):
        answer = self.generator.generate("abc", max_tokens=4)
        self.assertEqual((answer.text, str(answer), answer.tokens), ("defg", "defg", [4, 5, 6, 7]))
        self.assertEqual((answer.reason, answer.prompt_tokens), ("length", 3))
        self.assertGreater(answer.prefill_seconds, 0)
        self.assertEqual(len(self.generator), 6)

    def test_an_answer_is_made_piece_by_piece(self):
        self.assertEqual(list(self.generator.pieces("abc", max_tokens=4)), ["d", "e", "f", "g"])
        self.generator.reset()
        self.assertEqual(list(self.generator.pieces("abc", stop="gh")), ["d", "e", "f"])
        self.generator.reset()
        self.assertEqual(list(self.generator.pieces([1, 2, 3], max_tokens=1)), ["d"])

    def test_a_callback_may_end_it(self):
        pieces = []
        answer = self.generator.generate("abc", callback=lambda piece: pieces.append(piece) or len(pieces) < 2)
        self.assertEqual((answer.text, answer.reason, pieces), ("de", "callback", ["d", "e"]))
        self.generator.reset()
        self.assertEqual(self.generator.generate("abc", max_tokens=3, callback=pieces.append).text, "def")

        def fails(piece):
            raise KeyError(piece)

        self.generator.reset()
        with self.assertRaisesRegex(KeyError, "d"):
            self.generator.generate("abc", callback=fails)

    def test_models_and_tokenizers_come_as_bytes_and_objects(self):
        for model in (self.kept, micrort.Model(self.model), pathlib.Path(self.model)):
            for tokenizer in (letters(), pathlib.Path(self.tokenizer)):
                generator = micrort.text.Generator(model, tokenizer, threads=2)
                self.assertEqual(generator.generate("abc", max_tokens=4).text, "defg")
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "model: expected a model from a file"):
            micrort.text.Generator(micrort.Model(self.kept), letters())
        with self.assertRaisesRegex(micrort.IoError, "none.json"):
            micrort.text.Generator(self.model, "none.json")
        with self.assertRaises(micrort.InvalidModelError):
            micrort.text.Generator(self.model, b"{")

    def test_a_tokenizer_needs_no_decoder(self):
        for source in (letters(), self.tokenizer, pathlib.Path(self.tokenizer)):
            tokenizer = micrort.text.Tokenizer(source)
            self.assertEqual(tokenizer.encode("abz"), [1, 2, 26])
            self.assertEqual(tokenizer.encode(""), [])
        with self.assertRaisesRegex(micrort.IoError, "none.json"):
            micrort.text.Tokenizer("none.json")
        with self.assertRaises(micrort.InvalidModelError):
            micrort.text.Tokenizer(b"{")

    def test_a_seed_draws_the_same(self):
        def draw(seed):
            self.generator.reset()
            return self.generator.generate("abc", temperature=50, seed=seed, ignore_end=True, max_tokens=40).tokens

        self.assertEqual(draw(7), draw(7))
        self.assertNotEqual(draw(7), draw(8))

    def test_conversations_have_a_format(self):
        alone = self.generator.generate("abc", chat="chatml", max_tokens=3)
        self.generator.reset()
        messages = [{"role": "user", "content": "abc"}]
        self.assertEqual(self.generator.generate(messages, chat="chatml", max_tokens=3).tokens, alone.tokens)
        self.assertEqual(alone.prompt_tokens, 19)
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "role: expected system"):
            self.generator.generate([{"role": "tool", "content": "a"}], chat="chatml")
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "expected one of llama2"):
            self.generator.generate("a", chat="klingon")

    def test_a_sequence_goes_back(self):
        generator = micrort.text.Generator(self.kept, letters())
        generator.generate("abcd", max_tokens=2)
        generator.truncate(2)
        self.assertEqual(len(generator), 2)
        self.assertEqual(generator.generate("c", max_tokens=2).text, "de")
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "99 tokens to keep"):
            generator.truncate(99)
        with self.assertRaisesRegex(micrort.OutOfRangeError, "the cache has 11 rows"):
            generator.generate("abcdefghijkl")

    def test_one_answer_goes_on_at_a_time(self):
        first = self.generator.pieces("abc")
        self.assertEqual(next(first), "d")
        self.generator.reset()
        self.assertEqual(self.generator.generate("abc", max_tokens=2).text, "de")
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "has gone on without this answer"):
            next(first)

    def test_options_have_ranges(self):
        for options in (
            {"temperature": float("nan")},
            {"temperature": -1},
            {"temperature": 1e300},
            {"top_p": 1.5},
            {"top_k": -1},
            {"top_k": 10**12},
            {"min_p": -0.1},
            {"repetition_penalty": 0},
            {"presence_penalty": float("inf")},
            {"max_tokens": -1},
            {"max_tokens": 10**12},
            {"seed": -1},
            {"stop": ["x"] * 1_000_000},
            {"stop": "x" * 2000},
        ):
            with self.subTest(next(iter(options))), self.assertRaises(micrort.InvalidArgumentError):
                self.generator.generate("abc", **options)
        with self.assertRaises(micrort.InvalidArgumentError):
            self.generator.generate("")
        with self.assertRaises(micrort.InvalidArgumentError):
            self.generator.generate([-1])
        with self.assertRaises(TypeError):
            self.generator.generate("abc", unknown=1)
        self.assertEqual(self.generator.generate("abc", max_tokens=1).text, "d")

    def test_another_thread_ends_an_answer(self):
        begun = threading.Event()

        def run():
            with self.assertRaises(micrort.CancelledError):
                self.generator.generate("abc", max_tokens=1_000_000, callback=lambda piece: begun.set())

        thread = threading.Thread(target=run)
        thread.start()
        self.assertTrue(begun.wait(60))
        self.generator.cancel()
        thread.join(60)
        self.assertFalse(thread.is_alive())
        with self.assertRaises(micrort.CancelledError):
            self.generator.generate("abc")
        self.generator.reset()
        self.assertEqual(self.generator.generate("abc", max_tokens=1).text, "d")


if __name__ == "__main__":
    unittest.main()
