"""Speech to text in micrort.text, with a recognizer that says "abc" where it hears something. Run by CTest with the built package in PYTHONPATH."""

import io
import json
import os
import pathlib
import tempfile
import threading
import unittest
import wave

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
NAMES = ["endoftext", "startoftranscript", "en", "de", "translate", "transcribe", "nospeech", "notimestamps"]
END, START, ENGLISH, GERMAN, TRANSLATE, TRANSCRIBE, NO_SPEECH, NO_TIMES = range(27, 35)
TIME_0 = 35
COUNT = TIME_0 + 51
RATE = 16000


def tokenizer():
    vocabulary = {chr(ord("a") + i): i for i in range(26)}
    vocabulary[" "] = 26
    added = [{"id": END + i, "content": f"<|{name}|>", "special": True} for i, name in enumerate(NAMES)]
    added += [{"id": TIME_0 + i, "content": f"<|{i * 0.02:.2f}|>", "special": False} for i in range(51)]
    return json.dumps({"model": {"type": "BPE", "vocab": vocabulary, "merges": []}, "decoder": {"type": "Fuse"}, "added_tokens": added})


def save(path, nodes, inputs, outputs, constants):
    types = onnx.TensorProto
    declared = [onnx.helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in inputs]
    made = [onnx.helper.make_tensor_value_info(name, types.FLOAT, None) for name in outputs]
    initializers = [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()]
    graph = onnx.helper.make_graph(nodes, "speech", declared, made, initializers)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8)
    micrort.convert(model, path)


def says_abc():
    """Logits of the next token for each token."""
    table = np.zeros((COUNT, COUNT), np.float32)
    follows = [(START, ENGLISH), (NO_TIMES, 0), (0, 1), (1, 2), (2, END), (TRANSCRIBE, TIME_0), (TRANSLATE, TIME_0)]
    follows += [(TIME_0, 0), (TIME_0 + 25, END)]
    for token, after in follows:
        table[token, after] = 50
    table[2, TIME_0 + 25] = 60  # where times are allowed
    return table


def write_recognizer(folder, table):
    """The last token decides the next, and whether there is sound."""
    node, types = onnx.helper.make_node, onnx.TensorProto
    save(
        os.path.join(folder, "encoder.fb"),
        [node("ReduceMax", ["input_features"], ["last_hidden_state"], axes=[1, 2], keepdims=1)],
        [("input_features", types.FLOAT, [1, 80, 100])],
        ["last_hidden_state"],
        {},
    )
    quiet = np.zeros((1, 1, COUNT), np.float32)
    quiet[..., 3] = 100  # "d" where features are below 0
    save(
        os.path.join(folder, "decoder.fb"),
        [
            node("Gather", ["table", "input_ids"], ["known"]),
            node("Neg", ["encoder_hidden_states"], ["silence"]),
            node("Relu", ["silence"], ["degree"]),
            node("Mul", ["degree", "quiet"], ["heard"]),
            node("Add", ["known", "heard"], ["logits"]),
        ],
        [("input_ids", types.INT64, [1, "tokens"]), ("encoder_hidden_states", types.FLOAT, [1, 1, 1])],
        ["logits"],
        {"table": table, "quiet": quiet},
    )
    pathlib.Path(folder, "tokenizer.json").write_text(tokenizer())


def sound(seconds, rate=RATE):
    return np.sin(np.arange(int(seconds * rate)) * 2 * np.pi * 440 / rate).astype(np.float32)


def wav(samples, rate=RATE):
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes((samples * 32767).astype("<i2").tobytes())
    return file.getvalue()


@unittest.skipIf(onnx is None, "skipped: no python3-onnx")
class Speech(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        write_recognizer(cls.folder.name, says_abc())
        cls.transcriber = micrort.text.Transcriber(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_sound_comes_as_a_file_as_bytes_and_as_samples(self):
        path = pathlib.Path(self.folder.name, "sound.wav")
        path.write_bytes(wav(sound(1)))
        for audio, rate in [(path, None), (str(path), None), (wav(sound(1, 44100), 44100), None), (sound(1, 8000), 8000)]:
            made = self.transcriber.transcribe(audio, rate)
            self.assertEqual((made.text, str(made), made.language), ("abc", "abc", "en"))
            self.assertEqual([(s.begin, s.end, s.text, s.tokens) for s in made.segments], [(0, 1, "abc", [0, 1, 2])])
            self.assertEqual((made.was_stopped, made.audio_seconds), (False, 1))
            self.assertGreater(made.encode_seconds, 0)
        self.assertEqual(self.transcriber.transcribe(np.zeros(RATE), RATE, max_tokens=2).text, "dd")

    def test_segments_have_times(self):
        made = self.transcriber.transcribe(sound(1), RATE, timestamps=True, language="de", translate=True)
        self.assertEqual([(s.begin, s.end, s.text) for s in made.segments], [(0, 0.5, "abc")])
        self.assertEqual(made.language, "de")
        long = self.transcriber.transcribe(sound(2.5), RATE)
        self.assertEqual([(s.begin, s.end) for s in long.segments], [(0, 0.5), (1, 1.5), (2, 2.5)])
        self.assertEqual(long.text, "abcabcabc")

    def test_callbacks_may_end_it(self):
        pieces, segments = [], []
        made = self.transcriber.transcribe(sound(1), RATE, callback=pieces.append, on_segment=segments.append)
        self.assertEqual((pieces, segments), (["a", "b", "c"], made.segments))
        made = self.transcriber.transcribe(sound(1), RATE, callback=lambda piece: piece != "b")
        self.assertEqual((made.text, made.was_stopped), ("ab", True))

        def fails(piece):
            raise KeyError(piece)

        with self.assertRaisesRegex(KeyError, "a"):
            self.transcriber.transcribe(sound(1), RATE, callback=fails)

        def cancels(_):
            thread = threading.Thread(target=self.transcriber.cancel)
            thread.start()
            thread.join()

        with self.assertRaises(micrort.CancelledError):
            self.transcriber.transcribe(sound(1), RATE, callback=cancels)
        self.assertEqual(self.transcriber.transcribe(sound(1), RATE).text, "abc")

    def test_windows_of_silence_have_no_text(self):
        table = np.zeros((COUNT, COUNT), np.float32)
        table[START, NO_SPEECH] = 100
        sure = says_abc()
        sure[START, NO_SPEECH] = 100
        for logits, expected in [(table, []), (sure, ["abc"])]:
            pieces = []
            with tempfile.TemporaryDirectory() as folder:
                write_recognizer(folder, logits)
                made = micrort.text.Transcriber(folder).transcribe(sound(1), RATE, callback=pieces.append, max_tokens=9)
            # Where the model is sure of the text, it counts, but not before the end of the window.
            self.assertEqual((pieces, [segment.text for segment in made.segments]), (expected, expected))

    def test_files_may_be_named(self):
        folder = pathlib.Path(self.folder.name)
        named = micrort.text.Transcriber(
            folder / "encoder.fb", decoder=folder / "decoder.fb", tokenizer=str(folder / "tokenizer.json"), threads=2
        )
        self.assertEqual(named.transcribe(sound(1), RATE).text, "abc")
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "expected a tokenizer"):
            micrort.text.Transcriber(folder / "encoder.fb", decoder=folder / "decoder.fb")
        with self.assertRaisesRegex(micrort.InvalidArgumentError, "name none of them, or all"):
            micrort.text.Transcriber(folder, decoder=folder / "decoder.fb")
        with tempfile.TemporaryDirectory() as empty, self.assertRaisesRegex(micrort.InvalidArgumentError, f"{empty}: expected a decoder"):
            micrort.text.Transcriber(empty)

    def test_errors_say_what_is_wrong(self):
        for arguments, options, message in [
            ((np.zeros((2, 2), np.float32), RATE), {}, "one dimension"),
            ((np.zeros(9, np.int16), RATE), {}, "expected floats"),
            ((sound(1),), {}, "and rate"),
            ((b"RIFF", RATE), {}, "a file has its own"),
            ((sound(1), 10), {}, "found 10"),
            ((np.zeros(0, np.float32), RATE), {}, "no samples"),
            ((sound(1), RATE), {"language": "xx"}, "expected auto or one of en, de"),
            ((sound(1), RATE), {"max_tokens": -1}, "max_tokens is -1"),
            ((sound(1), RATE), {"temperature": float("nan")}, "temperature is nan"),
        ]:
            with self.assertRaisesRegex(micrort.InvalidArgumentError, message):
                self.transcriber.transcribe(*arguments, **options)
        with self.assertRaisesRegex(micrort.InvalidModelError, "expected a WAV file"):
            self.transcriber.transcribe(b"ID3")
        with self.assertRaisesRegex(micrort.IoError, "none.wav"):
            self.transcriber.transcribe("none.wav")


if __name__ == "__main__":
    unittest.main()
