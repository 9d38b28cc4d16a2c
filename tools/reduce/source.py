"""The model to be reduced, and its inputs: files of strangers. What is wrong with them ends the program with a message."""

import pathlib
import re
import sys

import numpy as np
import onnx
from google.protobuf.descriptor import FieldDescriptor
from onnx import external_data_helper, helper

MOST_ELEMENTS = 2**24  # of all inputs that are made up


def fail(message):
    sys.exit(f"reduce: error: {shown(message)}")


def shown(text):
    """Names come from files: control characters do not reach a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in str(text))


def check_file(path):
    """A pipe that nobody writes to is waited for, and a device may have no end."""
    if path.exists() and not path.is_file():
        fail(f"{path}: expected a regular file")


def read_model(path):
    check_file(path)
    try:
        model = onnx.load(path, load_external_data=False)
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    except Exception as error:  # protobuf's own, of which each version has others
        fail(f"{path}: not an ONNX model ({type(error).__name__})")
    for text in texts(model):
        if isinstance(text, bytes):
            fail(f"{path}: expected names in UTF-8, found {text[:80]!r}")
    for tensor in external_data_helper._get_all_tensors(model):
        if external_data_helper.uses_external_data(tensor):
            read_weights(path, tensor)
    return model


def texts(message):
    """All of them, inside of others too; protobuf gives bytes for what is not UTF-8."""
    for field, value in message.ListFields():
        values = value if field.label == FieldDescriptor.LABEL_REPEATED else [value]
        if field.type == FieldDescriptor.TYPE_STRING:
            yield from values
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in values:
                yield from texts(inner)


def read_weights(path, tensor):
    """Weights in a file of their own, which lies in the folder of the model, or below it."""
    said = {entry.key: entry.value for entry in tensor.external_data}
    folder = path.resolve().parent
    location = said.get("location", "")
    if "\0" in location:
        fail(f"{path}: tensor '{tensor.name}': its file has no possible name")
    file = (folder / location).resolve()
    if folder not in file.parents or not file.is_file():
        fail(f"{path}: tensor '{tensor.name}': expected its file in the folder of the model, found '{location}'")
    numbers = [said.get("offset") or "0", said.get("length") or str(file.stat().st_size)]
    if not all(re.fullmatch(r"\d{1,18}", number, re.ASCII) for number in numbers):
        fail(f"{path}: tensor '{tensor.name}': expected an offset and a length, found {' and '.join(numbers)}")
    offset, length = map(int, numbers)
    with open(file, "rb") as data:
        data.seek(offset)
        tensor.raw_data = data.read(min(length, file.stat().st_size))
    tensor.data_location = onnx.TensorProto.DEFAULT
    del tensor.external_data[:]


def random_input(value, random, most):
    tensor = value.type.tensor_type
    dtype = np.dtype(helper.mapping.TENSOR_TYPE_TO_NP_TYPE.get(tensor.elem_type, object))
    shape = [dim.dim_value if dim.dim_value > 0 else 1 for dim in tensor.shape.dim]
    elements = 1
    for size in shape:
        elements = min(elements * size, most + 1)
    if dtype.kind not in "fiub" or elements > most or len(shape) > 32:
        fail(f"input '{value.name}': no random elements for type {tensor.elem_type} and shape {shape[:32]}; give some by --input")
    return random.standard_normal(shape).astype(dtype) if dtype.kind == "f" else random.integers(0, 2, shape).astype(dtype)


def read_array(file):
    check_file(file)
    try:
        array = np.load(file)
    except OSError as error:
        fail(f"{file}: {error.strerror or error}")
    except Exception as error:
        fail(f"{file}: not an array ({error})")
    if not isinstance(array, np.ndarray):
        fail(f"{file}: expected an array, found an archive of several")
    return array


def read_inputs(model, given):
    named = {}
    for text in given:
        name, equals, file = text.rpartition("=")
        if not equals:
            fail(f"--input {text}: expected NAME=FILE.npy")
        named[name] = pathlib.Path(file)
    constants = {t.name for t in model.graph.initializer}
    inputs, random, left = {}, np.random.default_rng(1), MOST_ELEMENTS
    for value in model.graph.input:
        if value.name in named:
            inputs[value.name] = read_array(named.pop(value.name))
        elif value.name not in constants and value.name not in inputs:
            inputs[value.name] = random_input(value, random, left)
            left -= inputs[value.name].size
    if named:
        fail(f"the model has no input {', '.join(named)}")
    return inputs


def file_names(names, prefix=""):
    """A file for each name, as alike as it may be; names that look the same as files get numbers."""
    files, taken = {}, set()
    for name in names:
        stem = file = re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:100]
        while file.lower() in taken:
            file = f"{stem}_{len(taken)}"
        taken.add(file.lower())
        files[name] = f"{prefix}{file}.npy"
    return files
