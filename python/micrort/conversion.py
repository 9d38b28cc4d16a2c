"""Converting networks, by mnnconvert."""

from __future__ import annotations

import collections.abc
import contextlib
import errno
import json
import os
import re
import subprocess
import sys
import tempfile
from typing import Any, Iterable, Mapping, Optional, Union

import micrort_mnnconvert
import numpy as np

from micrort.errors import Error, InvalidArgumentError, from_exit_code
from micrort.runtime import Model

Sample = Union[np.ndarray, Mapping[str, np.ndarray]]


class Conversion:
    """What a conversion made. In a notebook it shows its report.

    file: the model file's bytes; None where a folder was written (emit="cpp"). path: where it was written, or None.
    summary: mnnconvert's summary (--json) as a dict. notes: what it said on the way.
    report: the HTML page, or None. quality: the same as a dict, or None; quality["layers"] has a dict for each layer, the most
    damaging first, and quality["accuracy"] the shares of right answers, with labels. emit: what `file` or `path` holds.
    """

    def __init__(
        self,
        file: Optional[bytes],
        path: Optional[str],
        summary: dict[str, Any],
        notes: list[str],
        report: Optional[str],
        emit: str = "flatbuffer",
        quality: Optional[dict[str, Any]] = None,
    ) -> None:
        self.emit, self.quality = emit, quality
        self.file, self.path, self.summary, self.notes, self.report = file, path, summary, notes, report

    def model(self) -> Model:
        if self.file is None:
            raise InvalidArgumentError(f"{self.path} is a folder, not a model")
        if self.emit == "array":
            raise InvalidArgumentError("emit='array' makes source text, not a model")
        return Model(self.file)

    def plot(self, axes: Any = None) -> Any:
        """The signal-to-noise ratio of every layer in run order, by Matplotlib; needs report=True. Returns the axes."""
        if self.quality is None:
            raise InvalidArgumentError("plot() needs the figures of layers: convert(..., report=True)")
        layers = sorted((r for r in self.quality["layers"] if r["similarity"]), key=lambda row: row["position"])
        if axes is None:
            axes = _new_axes(max(6.0, 0.3 * len(layers)))
        # Layers without any noise have no number.
        ratios = [60.0 if row["similarity"]["snr_db"] is None else row["similarity"]["snr_db"] for row in layers]
        axes.plot(range(len(layers)), ratios, marker="o")
        axes.axhline(20, linestyle="--", color="gray")
        axes.set_xticks(range(len(layers)))
        axes.set_xticklabels([_short(row["node"]) for row in layers], rotation=90)
        axes.set_ylabel("signal to noise ratio, dB")
        axes.set_title(f"{self.quality['model']}, {self.quality['quant']}")
        return axes

    def __repr__(self) -> str:
        shown = ("operators_before", "operators_after", "file_bytes", "arena_bytes")
        return "Conversion(" + ", ".join(f"{key}={self.summary.get(key)}" for key in shown) + ")"

    def _repr_html_(self) -> str:
        if self.report is None:
            rows = "".join(f"<tr><td>{k}</td><td>{v}</td></tr>" for k, v in self.summary.items() if np.isscalar(v))
            return f"<table>{rows}</table>"
        page = self.report.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" sandbox width="100%" height="600" frameborder="0"></iframe>'


def _new_axes(width):
    try:
        from matplotlib import pyplot  # only here: nothing else needs it
    except ImportError as error:
        raise ImportError("plot() needs Matplotlib (pip install matplotlib); quality['layers'] has its numbers") from error
    # Names of layers below the axis take much room, which a constrained layout leaves them.
    return pyplot.figure(figsize=(width, 4.5), constrained_layout=True).add_subplot()


def _short(name):
    longest = 24
    return name if len(name) <= longest else "..." + name[3 - longest :]


def mnnconvert() -> str:
    """The converter's path: MICRORT_MNNCONVERT, the one of the package, or that of PATH."""
    found = micrort_mnnconvert.path()
    if not found:
        raise Error("mnnconvert is not found: neither in the package nor in PATH; MICRORT_MNNCONVERT may name it")
    return found


def convert(
    model: Any,
    output: Optional[Union[str, os.PathLike[str]]] = None,
    *,
    example: Any = None,
    quant: str = "none",
    calib: Optional[Union[str, os.PathLike[str], np.ndarray, Iterable[Union[Sample, str]]]] = None,
    report: Union[bool, str, os.PathLike[str]] = False,
    **flags: Any,
) -> Conversion:
    """Converts a network.

    model: a path, the bytes of a file, an object with SerializeToString(), such as an ONNX ModelProto, or a module of PyTorch.
    example: of a module of PyTorch: a tensor, or a tuple of them, as forward() takes. The module is traced with it, in its
        evaluation mode, unless it is a ScriptModule; shapes and types of the inputs are the example's unless flags say otherwise.
    output: where to write the model file, or the folder of emit="cpp"; None: only into the result. Behind a module of PyTorch
        the example may stand in its place: convert(module, example).
    quant: "none", "fp16", "int8", "int16x8", "int8-weights", "int4-weights" or "auto".
    calib: paths, or an iterable of samples (a generator will do): an array each, or {input's name: array}. One array or
        one dict holds a sample, or several along its first axis.
    report: make the report, too: as HTML page, as dict and for plot(); a path: write the page there as well.
    flags: any flag of mnnconvert, "-" as "_": target="avx2", input_shape={"x": (1, 3, 224, 224)}, packed_only=True,
        input_value={"rate": 16000}, verify="layers", labels=array (right answers, one a sample of calib).
    """
    if _is_module(model) and example is None and not isinstance(output, (str, os.PathLike)):
        output, example = None, output  # convert(module, example)
    _check_flags(output, flags)
    if not _is_module(model) and example is not None:
        raise InvalidArgumentError("example: the model is no module of PyTorch")
    with _lack_of_memory(), tempfile.TemporaryDirectory(prefix="micrort-") as folder:
        written = os.fspath(output) if output is not None else os.path.join(folder, "out.fb")
        page = os.path.join(folder, "report.html") if isinstance(report, bool) else os.fspath(report)
        figures = os.path.join(folder, "report.json")
        if _is_module(model):
            model, flags = _traced(model, example, folder, flags)
        command = [mnnconvert(), _source(model, folder), "-o", written, "--json", "-", "--quant", quant]
        command += _flags(flags, folder)
        if report:
            command += ["--report", page, "--report", figures]
        if calib is not None:
            command += ["--calib", *_calibration(calib, folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=micrort_mnnconvert.environment())
        messages = re.sub(r"(?m)^mnnconvert: progress: .*\n", "", done.stderr)
        if done.returncode != 0:
            message = messages.replace("\nTry 'mnnconvert --help'.", "").strip().replace("mnnconvert: error: ", "", 1)
            if done.returncode < 0 and not message:
                message = f"mnnconvert was ended by signal {-done.returncode}; is there memory enough?"
            raise from_exit_code(done.returncode, _with_own_names(message, folder))
        return Conversion(
            None if os.path.isdir(written) else _read(written),
            written if output is not None else None,
            json.loads(done.stdout),
            _with_own_names(messages, folder).splitlines(),
            _read(page).decode() if report else None,
            flags.get("emit") or "flatbuffer",
            json.loads(_read(figures)) if report else None,
        )


@contextlib.contextmanager
def _lack_of_memory():
    """The system's ENOMEM, which may also come while the folder is removed, as Python's own error."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.ENOMEM:
            raise
        raise MemoryError(str(error)) from None


def _check_flags(output, flags):
    if output is None and flags.get("emit") == "cpp":
        raise InvalidArgumentError("emit='cpp' writes a folder: output says where")
    others = [name for name in ("list", "help", "help_all", "version", "realign", "json") if flags.get(name)]
    others += ["emit"] if flags.get("emit") == "resolver" else []
    if others:
        raise InvalidArgumentError(f"{others[0]}: no conversion whose result can be returned; run mnnconvert() for it")


def _with_own_names(text, folder):
    """What the caller gave stands in files of ours."""
    text = re.sub(re.escape(os.path.join(folder, "samples")) + r"/\d+/0*(\d+)\.npy", r"sample \1", text)
    text = re.sub(re.escape(os.path.join(folder, "samples")) + r"/\d+", "calib", text)
    text = re.sub(r"np\.save\(file, (x[^;\n]*)\)", r"\1", text)  # arrays that the caller has need no file
    return text.replace(os.path.join(folder, "source"), "source")


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _source(model, folder):
    if hasattr(model, "SerializeToString"):
        model = model.SerializeToString()
    if not isinstance(model, (bytes, bytearray, memoryview)):
        if not isinstance(model, (str, os.PathLike)):
            raise InvalidArgumentError(
                f"model: expected a path, the bytes of a file, an ONNX model or a torch.nn.Module, found {type(model).__name__}"
            )
        return os.fspath(model)
    path = os.path.join(folder, "source")
    with open(path, "wb") as file:
        file.write(model)
    return path


def _is_module(model):
    # Whoever has a module has imported PyTorch, which is not needed otherwise.
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def _traced(module, example, folder, flags):
    """The module as a file of TorchScript, and the flags with what the example says of its inputs."""
    torch = sys.modules["torch"]
    if example is None:
        raise InvalidArgumentError("a module of PyTorch needs an example of its inputs: convert(module, example=torch.zeros(1, 3, 224, 224))")
    inputs = example if isinstance(example, tuple) else (example,)
    if not all(isinstance(tensor, torch.Tensor) for tensor in inputs):
        raise InvalidArgumentError(f"example: expected a tensor or a tuple of tensors, found {type(example).__name__}")
    was_training = module.training
    module.eval()
    try:
        with torch.no_grad():
            script = module if isinstance(module, torch.jit.ScriptModule) else torch.jit.trace(module, inputs, strict=False)
        path = os.path.join(folder, "source.pt")
        script.save(path)
    finally:
        module.train(was_training)
    # Complex numbers are pairs of floats.
    shapes = {f"#{i}": (*tensor.shape, 2) if tensor.is_complex() else tuple(tensor.shape) for i, tensor in enumerate(inputs)}
    types = {f"#{i}": str(tensor.dtype).replace("torch.", "") for i, tensor in enumerate(inputs)}
    return path, {"input_shape": shapes, "input_type": types, **flags}


def _shape(value):
    if isinstance(value, (tuple, list)):
        return "x".join("?" if d in (None, -1) else str(d) for d in value) or "scalar"
    return str(value)


def _value(value, folder):
    """As --input-value takes it: numbers and flat lists as text, arrays as files."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    array = np.asarray(value)
    if (isinstance(value, np.ndarray) and array.ndim > 0) or array.ndim > 1 or array.size == 0:
        with tempfile.NamedTemporaryFile(suffix=".npy", dir=folder, delete=False) as file:
            np.save(file, array)
        return file.name
    return ",".join(repr(item) for item in array.reshape(-1).tolist())


def _flags(flags, folder):
    arguments = []
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(flag)
        elif isinstance(value, dict):
            for key, item in value.items():
                arguments += [flag, f"{key}={_value(item, folder) if name == 'input_value' else _shape(item)}"]
        elif name == "input_shape" and isinstance(value, (tuple, list)) and not any(isinstance(d, str) for d in value):
            arguments.append(f"{flag}=#0={_shape(value)}")  # of the first input
        elif name == "labels" and not isinstance(value, (str, os.PathLike)):
            arguments += [flag, _value(np.asarray(value, dtype=np.int64), folder)]
        elif isinstance(value, (list, tuple)):
            arguments += [flag, *map(str, value)]
        else:
            # In one word: what is optional behind a flag has to be.
            arguments.append(f"{flag}={value}")
    return arguments


def _calibration(calib, folder):
    """Paths as they are; samples become files, one at a time, so that a generator needs no memory."""
    if isinstance(calib, (str, os.PathLike)):
        return [os.fspath(calib)]
    calib = [calib] if isinstance(calib, (np.ndarray, dict)) else calib
    if not isinstance(calib, collections.abc.Iterable):
        raise InvalidArgumentError(f"calib: expected paths, arrays or dicts of arrays, found {type(calib).__name__}")
    paths, names, count = [], set(), 0
    for sample in calib:
        if isinstance(sample, (str, os.PathLike)):
            paths.append(os.fspath(sample))
            continue
        arrays = sample if isinstance(sample, dict) else {"": sample}
        for i, (name, array) in enumerate(arrays.items()):
            names.add((i, name))
            place = os.path.join(folder, "samples", str(i))
            os.makedirs(place, exist_ok=True)
            np.save(os.path.join(place, f"{count:09}.npy"), np.asarray(array))
        count += 1
    for i, name in sorted(names):
        place = os.path.join(folder, "samples", str(i))
        paths.append(f"{name}={place}" if name else place)
    if not paths:
        raise InvalidArgumentError("calib: expected samples, found none")
    return paths
