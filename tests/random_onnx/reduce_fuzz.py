#!/usr/bin/env python3
"""Gives the reducer models whose fields and bytes were changed, with runtimes that err now and then in place of the real ones.

  reduce_fuzz.py --executions 200            a little of it, as a test
  reduce_fuzz.py --seconds 600 --seed 7      more, and other ones

The reducer has to end with 0, 2 or a message of its own, within 20 seconds of a processor, and to write into its folder alone. What makes it do
anything else is kept in --findings, and the exit code is 1.
"""

import argparse
import contextlib
import io
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
import zlib

try:
    import numpy as np
    import onnx
    from google.protobuf.descriptor import FieldDescriptor
except ImportError as error:
    print(f"skipped: no {error.name}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "reduce"))
import reduce
from generate import random_graph

NUMBERS = [0, 1, 2, 3, 7, 16, 255, 2**31 - 1, 2**31, 2**62, -1, -2**31]
TEXTS = ["", "x", "..", "../../out", "/etc/passwd", "a/b", "\x1b[2J", "\u202e", "n" * 300, "\0", "If", "Loop", "Constant"]


class Mutator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def messages(self, message):
        yield message
        for field, value in message.ListFields():
            if field.type != FieldDescriptor.TYPE_MESSAGE:
                continue
            for inner in value if field.label == FieldDescriptor.LABEL_REPEATED else [value]:
                yield from self.messages(inner)

    def names(self, model):
        return [name for node in model.graph.node for name in [*node.input, *node.output]] + TEXTS

    def scalar(self, field, model):
        if field.type == FieldDescriptor.TYPE_STRING:
            return self.random.choice(self.names(model))
        if field.type == FieldDescriptor.TYPE_BYTES:
            return self.random.randbytes(self.random.choice([0, 1, 4, 64]))
        if field.type == FieldDescriptor.TYPE_ENUM:
            return self.random.choice(field.enum_type.values).number
        if field.type in (FieldDescriptor.TYPE_FLOAT, FieldDescriptor.TYPE_DOUBLE):
            return self.random.choice([0.0, 1.0, -1.0, float("nan"), float("inf")])
        return self.random.choice(NUMBERS)

    def change_field(self, message, model):
        field = self.random.choice(message.DESCRIPTOR.fields)
        is_message = field.type == FieldDescriptor.TYPE_MESSAGE
        if field.label != FieldDescriptor.LABEL_REPEATED:
            if is_message and not message.HasField(field.name):
                getattr(message, field.name).SetInParent()
            elif is_message or self.random.random() < 0.2:
                message.ClearField(field.name)
            else:
                setattr(message, field.name, self.scalar(field, model))
            return
        values = getattr(message, field.name)
        at = self.random.randrange(len(values)) if values else 0
        what = self.random.choice(["remove", "add", "change"])
        if what == "remove" and values:
            del values[at]
        elif is_message:
            values.add().CopyFrom(values[at]) if values else values.add()
        elif what == "change" and values:
            values[at] = self.scalar(field, model)
        else:
            values.append(self.scalar(field, model))

    def mutate(self, model):
        """Bytes of a changed copy."""
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        messages = list(self.messages(copy))
        for _ in range(self.random.choice([1, 1, 2, 4, 12])):
            # What does not fit a field is refused by protobuf itself.
            with contextlib.suppress(ValueError, TypeError):
                self.change_field(self.random.choice(messages), copy)
        data = bytearray(copy.SerializePartialToString())
        if self.random.random() < 0.2:
            for _ in range(self.random.choice([1, 4])):
                data[self.random.randrange(len(data))] = self.random.randrange(256)
        return bytes(data[:self.random.randrange(len(data))] if self.random.random() < 0.05 else data)


class Values:
    """In place of ONNX Runtime: any array for each output, or an error."""

    def run(self, model, inputs, folder):
        data = model.read_bytes()
        chance = random.Random(zlib.crc32(data))
        if chance.random() < 0.1:
            return "it \x1b[2J crashed"
        outputs = onnx.load(model, load_external_data=False).graph.output
        dtypes = [np.float32, np.int64, np.uint8, np.bool_, np.float16]
        return {v.name: np.full([chance.randrange(3) for _ in range(chance.randrange(4))], 1, chance.choice(dtypes)) for v in outputs}


class SomeErr:
    """In place of MicroRT: operators whose names have an odd checksum give other elements, or an error."""

    def __init__(self, programs, flags=()):
        pass

    def run(self, model, inputs, folder):
        graph = onnx.load(model, load_external_data=False).graph
        sums = [zlib.crc32(node.op_type.encode()) for node in graph.node]
        if any(s % 7 == 1 for s in sums):
            return f"mnnconvert: exit code 3: node '{graph.node[0].name}': not supported"
        shape = [] if any(s % 3 == 1 for s in sums) else [2]
        return [np.ones(shape, np.float32) for _ in graph.output]


class KeptFolder:
    """In place of tempfile.TemporaryDirectory: the same folder each time. The runtimes above read nothing but what was just written."""

    path = None

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        pass


def run_once(data, folder, options):
    """What went wrong; "" if nothing did."""
    options.model.write_bytes(data)
    said = io.StringIO()
    give_time(20, 600)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = reduce.find(options, [])
    except SystemExit as end:
        code = end.code
    except BaseException:
        return traceback.format_exc()
    finally:
        give_time(0, 0)
    text = said.getvalue() + (code if isinstance(code, str) else "")
    if isinstance(code, str) and not code.startswith("reduce: error: ") or isinstance(code, int) and code not in (0, 2):
        return f"ended with {code!r}"
    if not text.replace("\n", "").isprintable():
        return f"prints control characters: {text!r}"
    elsewhere = {f"{of}/{name}" for of, own in (("", {"in", "out", "parts"}), ("in", {"model.onnx"})) for name in set(os.listdir(folder / of)) - own}
    shutil.rmtree(options.output, ignore_errors=True)
    return f"wrote {elsewhere}" if elsewhere else ""


def give_time(of_processor, altogether):
    """Seconds; on a busy machine they are not the same. 0: any."""
    signal.setitimer(signal.ITIMER_PROF, of_processor)
    signal.alarm(altogether)


def too_long(*_):
    raise TimeoutError("takes too long")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--executions", type=int, default=0, help="0: as many as there is time for")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", type=pathlib.Path, default=pathlib.Path("reduce-findings"))
    options = parser.parse_args()
    reduce.OnnxRuntime, reduce.MicroRT, reduce.has_onnxruntime = Values, SomeErr, lambda: True
    for late in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(late, too_long)
    # On a disk, files would take most of the time.
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        return fuzz(options, pathlib.Path(folder))


def fuzz(options, folder):
    for name in ("in", "parts"):
        (folder / name).mkdir()
    KeptFolder.path = str(folder / "parts")
    reduce.tempfile.TemporaryDirectory = KeptFolder
    given = reduce.command_line().parse_args([str(folder / "in" / "model.onnx"), "-o", str(folder / "out")])
    mutator, found, executions = Mutator(options.seed), set(), 0
    seeds = [random_graph(options.seed * 1000 + i).model() for i in range(20)]
    end = time.monotonic() + options.seconds
    while time.monotonic() < end and (options.executions == 0 or executions < options.executions):
        executions += 1
        data = mutator.mutate(mutator.random.choice(seeds))
        problem = run_once(data, folder, given)
        last = problem.strip().split("\n")[-1]
        if not problem or last in found:
            continue
        found.add(last)
        options.findings.mkdir(parents=True, exist_ok=True)
        (options.findings / f"{zlib.crc32(data):08x}.onnx").write_bytes(data)
        print(f"{options.findings}/{zlib.crc32(data):08x}.onnx: {problem}", flush=True)
    print(f"{executions} executions, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
