"""Running a converted model on NumPy arrays."""

from __future__ import annotations

import difflib
import html
import math
import os
import threading
import warnings
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from micrort import _pictures
from micrort._session import Kind, LoadedModel, Session, TensorInfo, numpy_type
from micrort.errors import InvalidArgumentError, InvalidModelError

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]
Arrays = Union[Mapping[str, npt.ArrayLike], Sequence[npt.ArrayLike], np.ndarray]

_INPUT, _OUTPUT, _STATE = Kind.INPUT, Kind.OUTPUT, Kind.STATE


def _fitting(info, array, wanted):
    """Integers as others, none of which change."""
    limits = np.iinfo(wanted)
    for value in (array.min(), array.max()) if array.size else ():
        if not limits.min <= int(value) <= limits.max:
            raise InvalidArgumentError(
                f"input {info.name!r}: {value} does not fit {wanted}, which holds {limits.min} to {limits.max}"
            )
    return np.array(array, dtype=wanted, order="C", ndmin=0)


def _narrowed(info, array, wanted):
    """Floats, or integers as floats: none that is finite becomes infinite."""
    with np.errstate(over="ignore"):
        narrowed = np.array(array, dtype=wanted, order="C", ndmin=0)
    lost = np.isinf(narrowed) & ~np.isinf(array)
    if np.any(lost):
        raise InvalidArgumentError(
            f"input {info.name!r}: {array[lost].flat[0]} does not fit {wanted}, which holds up to {np.finfo(wanted).max}"
        )
    return narrowed


def _pairs(info, array):
    """Complex numbers as models have them: floats, with real and imaginary part as the last dimension."""
    if array.dtype.kind != "c":
        return array
    if len(info.shape) == array.ndim + 1 and info.shape[-1] == 2:
        return np.stack((array.real, array.imag), axis=-1)
    raise InvalidArgumentError(
        f"input {info.name!r}: expected {info.dtype} of shape {list(info.shape)}, found {array.dtype} of shape {list(array.shape)}; "
        "complex numbers are for inputs whose last dimension of 2 holds their real and imaginary parts"
    )


def _load(path):
    """The model at a path. Files of other formats, and folders, are converted first, and the error says so."""
    try:
        return LoadedModel.from_file(path)
    except InvalidModelError as error:
        if "expected file identifier" not in str(error):
            raise
        stem, ending = os.path.splitext(path)
        source, made = ("model.onnx", "model.fb") if ending == ".fb" else (path, stem + ".fb")
        raise InvalidModelError(f"{error}; convert it first: micrort.convert({source!r}, {made!r})") from None
    except OSError as error:
        if not os.path.isdir(path):
            raise
        folder = path.rstrip("/")
        raise InvalidArgumentError(
            f"{path}: expected a MicroRT model, found a folder; a SavedModel is converted first: "
            f"micrort.convert({folder!r}, {folder + '.fb'!r})"
        ) from error


def _refuse_path(value):
    if isinstance(value, (str, bytes, os.PathLike)):
        raise InvalidArgumentError(
            f"expected arrays as inputs, found {value!r}; a picture becomes one by "
            "model.prepare(np.asarray(PIL.Image.open(path).resize((width, height))))"
        )


def _how_to_fit(wanted, found):
    """How NumPy makes an array fit that has its axes in another order, or lacks the batch; "" where neither helps."""

    def fits(shape):
        return len(shape) == len(wanted) and all(w in (-1, f) for w, f in zip(wanted, shape))

    batched = (1, *found)
    for how, shape in (
        ("x[None]", batched),
        ("x.transpose(0, 3, 1, 2)", [found[i] for i in (0, 3, 1, 2)] if len(found) == 4 else ()),
        ("x.transpose(0, 2, 3, 1)", [found[i] for i in (0, 2, 3, 1)] if len(found) == 4 else ()),
        ("x.transpose(2, 0, 1)[None]", [batched[i] for i in (0, 3, 1, 2)] if len(found) == 3 else ()),
        ("x.transpose(1, 2, 0)[None]", [batched[i] for i in (0, 2, 3, 1)] if len(found) == 3 else ()),
    ):
        if fits(shape):
            return f"; {how} has the shape {'x'.join(map(str, shape))}, which fits"
    return ""


def _seconds(timeout):
    """None: no limit."""
    longest = 1e12
    if timeout is None or timeout > longest:
        return None
    if math.isnan(timeout):
        raise InvalidArgumentError("timeout: expected seconds, found nan")
    return timeout


class Model:
    """A loaded, verified model file. Any number of interpreters on any number of threads may share it.

    source: a path, or the bytes of a file, which are copied.
    """

    def __init__(self, source: Source) -> None:
        self.path: Optional[str] = None
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._loaded = LoadedModel.from_bytes(bytes(source))
        else:
            self.path = os.fspath(source)
            self._loaded = _load(self.path)

    @property
    def inputs(self) -> list[TensorInfo]:
        """TensorInfo of each input; a dimension is -1 where it is dynamic."""
        return self._loaded.inputs

    @property
    def pictures(self) -> Optional[dict[str, Any]]:
        """How the file says that pictures become inputs: "mean", "scale", "color", "resize"; None: it does not say."""
        return _pictures.parse(self._loaded.metadata(_pictures.KEY))

    def prepare(self, pixels: npt.ArrayLike) -> np.ndarray:
        """The first input of pixels, uint8 [height, width, 3] in RGB, that have its size: normalized as the file says."""
        return _pictures.prepare(self.inputs[0], self.pictures or _pictures.parse("{}"), pixels)

    @property
    def file_bytes(self) -> int:
        return self._loaded.bytes("file_bytes")

    @property
    def weight_bytes(self) -> int:
        """Constant data in the file, but for what it holds packed."""
        return self._loaded.bytes("weight_bytes")

    @property
    def packed_bytes(self) -> int:
        """Weights repacked in memory for the interpreters created so far."""
        return self._loaded.bytes("packed_bytes")

    @property
    def state_chunk(self) -> int:
        """Rows that a run may append to caches at most, where these are rings; sys.maxsize or more without rings."""
        return self._loaded.bytes("state_chunk")

    def __repr__(self) -> str:
        return f"Model({self.file_bytes} bytes, inputs {self.inputs})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(i.name)}</td><td>{i.dtype}</td><td>{list(i.shape)}</td></tr>" for i in self.inputs
        )
        head = "<tr><th>input</th><th>type</th><th>shape</th></tr>"
        return f"<table>{head}{rows}</table><p>{self.file_bytes:,} bytes</p>"


class Interpreter:
    """Runs a model. Several threads may call it: one waits for the other, but with cancel(). Arrays in place, of
    input(), output() and state(), are for one thread. run() lets other Python threads run.

    model: a Model, a path, or the bytes of a file.
    threads: the calling one included, 1 to 64.
    isa: the strongest instruction set to use ("scalar", "avx2", "neon" ...); None: all that the CPU has.
    input_shapes: {name: shape} to start with; dynamic dimensions that are not given are 1.
    input_values: {name: array} of inputs that decide shapes.
    tuned: a file of `micrort-bench --tune`.
    keep_inputs: a run leaves inputs as they are, which takes a larger arena.
    profile: note how long each step takes; see `profile`.
    max_memory, max_work: refuse models that ask for more, in bytes and multiply-adds.
    custom_ops: shared libraries with operators of your own (docs/custom-operators.md); they run as code of this process.
    """

    def __init__(
        self,
        model: Union[Model, Source],
        *,
        threads: int = 1,
        isa: Optional[str] = None,
        input_shapes: Optional[Mapping[str, Sequence[int]]] = None,
        input_values: Optional[Mapping[str, npt.ArrayLike]] = None,
        tuned: Optional[Union[str, os.PathLike[str]]] = None,
        keep_inputs: bool = False,
        profile: bool = False,
        max_memory: Optional[int] = None,
        max_work: Optional[int] = None,
        custom_ops: Union[str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]]] = (),
    ) -> None:
        if isinstance(custom_ops, (str, os.PathLike)):
            custom_ops = [custom_ops]
        self.model = model if isinstance(model, Model) else Model(model)
        self._lock = threading.RLock()
        infos = self.model.inputs
        self._decides_shapes = self.model._loaded.decides_shapes
        shapes, values = self._sizes(infos, input_shapes or {}, input_values or {})
        self._session = Session(
            self.model._loaded,
            threads=threads,
            isa=isa,
            tuned=None if tuned is None else os.fspath(tuned),
            shapes=shapes,
            values=values,
            keep_inputs=keep_inputs,
            profile=profile,
            max_memory=max_memory,
            max_work=max_work,
            custom_ops=[os.fspath(library) for library in custom_ops],
        )

    def _sizes(self, infos, input_shapes, input_values):
        self._check_names(infos, input_shapes)
        self._check_names(infos, input_values)
        shapes, values = [], []
        for info, decides in zip(infos, self._decides_shapes):
            value = None
            if decides and info.name in input_values:
                value = self._as_input(info, input_values[info.name])
            default = value.shape if value is not None else [max(d, 1) if d < 0 else d for d in info.shape]
            shape = list(input_shapes.get(info.name, default))
            if value is not None and list(value.shape) != shape:
                raise InvalidArgumentError(
                    f"input {info.name!r}: its value has shape {list(value.shape)}, its given shape is {shape}"
                )
            shapes.append(shape)
            values.append(value)
        return shapes, values

    @staticmethod
    def _check_names(infos, given):
        names = [info.name for info in infos]
        for name in given:
            if name not in names:
                near = difflib.get_close_matches(str(name), names, 1)
                meant = f"; did you mean {near[0]!r}?" if near else ""
                raise InvalidArgumentError(f"there is no input {name!r}; the model's inputs are {names}{meant}")

    @staticmethod
    def _as_input(info, value):
        _refuse_path(value)
        array, wanted = _pairs(info, np.asarray(value)), numpy_type(info.dtype)
        if array.dtype != wanted and array.dtype.kind in "iu" and wanted.kind in "iu":
            return _fitting(info, array, wanted)
        if array.dtype != wanted and not np.can_cast(array.dtype, wanted, "same_kind") and array.size:
            raise InvalidArgumentError(f"input {info.name!r}: expected {wanted}, found {array.dtype}")
        if array.dtype in (np.uint8, np.int8) and wanted.kind == "f":
            warnings.warn(
                f"input {info.name!r} is {wanted}, its array {array.dtype}: its values are used as they are; "
                "normalize them as in training, and give x.astype(np.float32)",
                stacklevel=5,
            )
        if array.dtype != wanted and array.dtype.kind in "iuf" and wanted.kind == "f":
            return _narrowed(info, array, wanted)
        return np.array(array, dtype=wanted, order="C", copy=False, ndmin=0)

    @property
    def inputs(self) -> list[TensorInfo]:
        """TensorInfo of each input, of the shapes in force."""
        return self._session.infos(_INPUT)

    @property
    def outputs(self) -> list[TensorInfo]:
        with self._lock:
            return self._session.infos(_OUTPUT)

    @property
    def states(self) -> list[TensorInfo]:
        """TensorInfo of what the model keeps from one run to the next."""
        return self._session.infos(_STATE)

    def _index(self, kind, key):
        infos = self._session.infos(kind)
        if isinstance(key, str):
            for i, info in enumerate(infos):
                if info.name == key:
                    return i
            raise InvalidArgumentError(f"there is no {key!r}; there are {[info.name for info in infos]}")
        try:
            return range(len(infos))[key]
        except IndexError:
            raise IndexError(f"there is no number {key}; there are {[info.name for info in infos]}") from None

    def input(self, key: Union[int, str] = 0) -> np.ndarray:
        """The input as an array in place, by name or position: write it before each invoke(), which may overwrite it."""
        return self._session.array(_INPUT, self._index(_INPUT, key))

    def output(self, key: Union[int, str] = 0) -> np.ndarray:
        """The output as an array in place, valid until inputs are written for the next run."""
        return self._session.array(_OUTPUT, self._index(_OUTPUT, key))

    def state(self, key: Union[int, str] = 0) -> np.ndarray:
        """A value that the model keeps, in place; it may be read and written between runs."""
        return self._session.array(_STATE, self._index(_STATE, key))

    def invoke(self, timeout: Optional[float] = None) -> None:
        """Runs on what input() holds. timeout: seconds, after which the run ends with DeadlineExceededError."""
        with self._lock:
            self._session.run(_seconds(timeout))

    def run(self, inputs: Optional[Arrays] = None, *, timeout: Optional[float] = None) -> dict[str, np.ndarray]:
        """Runs on copies: {name: array} or a list in the model's order in, {name: array} out.

        Arrays of another shape than the last ones resize the interpreter. Without inputs, runs on what input() holds.
        """
        seconds = _seconds(timeout)
        with self._lock:
            if inputs is not None:
                self._fill(inputs)
            self._session.run(seconds)
            return {info.name: self._session.copy_output(i) for i, info in enumerate(self.outputs)}

    __call__ = run

    def _fill(self, inputs):
        infos = self.inputs
        _refuse_path(inputs)
        if not isinstance(inputs, dict):
            given = [inputs] if isinstance(inputs, np.ndarray) else list(inputs)
            if len(given) != len(infos):
                raise InvalidArgumentError(f"expected {len(infos)} inputs, found {len(given)}")
            inputs = {info.name: value for info, value in zip(infos, given)}
        self._check_names(infos, inputs)
        missing = [info.name for info in infos if info.name not in inputs]
        if missing:
            raise InvalidArgumentError(f"no value for the inputs {missing}")
        arrays = [self._as_input(info, inputs[info.name]) for info in infos]
        if any(a.shape != info.shape for a, info in zip(arrays, infos)) or any(self._decides_shapes):
            values = [a if decides else None for a, decides in zip(arrays, self._decides_shapes)]
            self._resize_to(arrays, values)
        for i, array in enumerate(arrays):
            self._session.set_input(i, array)

    def _resize_to(self, arrays, values):
        try:
            self._session.resize([list(a.shape) for a in arrays], values)
        except InvalidArgumentError as error:
            hints = (_how_to_fit(info.shape, a.shape) for info, a in zip(self.model.inputs, arrays))
            raise InvalidArgumentError(str(error) + next(filter(None, hints), "")) from None

    def resize(
        self,
        input_shapes: Mapping[str, Sequence[int]],
        input_values: Optional[Mapping[str, npt.ArrayLike]] = None,
    ) -> None:
        """Plans memory for other shapes: {name: shape}, and {name: array} of the inputs that decide shapes.

        BufferError while arrays of input(), output() or state() are alive.
        """
        with self._lock:
            infos = self.inputs
            shapes = {info.name: info.shape for info in infos}
            self._check_names(infos, input_shapes)
            shapes.update(input_shapes)
            all_shapes, values = self._sizes(infos, shapes, input_values or {})
            self._session.resize(all_shapes, values if input_values else [])

    def cancel(self) -> None:
        """From any thread: the run in progress ends with CancelledError, or, where none is, the next one."""
        self._session.cancel()

    def save_state(self) -> bytes:
        with self._lock:
            return self._session.save_state()

    def restore_state(self, saved: bytes) -> None:
        with self._lock:
            self._session.restore_state(saved)

    def reset_state(self) -> None:
        with self._lock:
            self._session.reset_state()

    @property
    def state_length(self) -> int:
        """Rows of the caches that runs have taken; 0 without caches."""
        with self._lock:
            return self._session.bytes("state_length")

    def truncate_state(self, length: int) -> None:
        """Gives rows of the caches back, so that `length` are taken, unless a ring lacks what is seen."""
        with self._lock:
            self._session.truncate_state(length)

    @property
    def profile(self) -> list[dict[str, Any]]:
        """Of the last run, where the interpreter was made with profile=True: a dict a step."""
        with self._lock:
            return self._session.times

    @property
    def isa(self) -> str:
        return self._session.isa

    @property
    def arena_bytes(self) -> int:
        return self._session.bytes("arena_bytes")

    @property
    def arena_lower_bound(self) -> int:
        return self._session.bytes("arena_lower_bound")

    @property
    def packed_in_place_bytes(self) -> int:
        return self._session.bytes("packed_in_place_bytes")

    def __repr__(self) -> str:
        return f"Interpreter(inputs {self.inputs}, outputs {self.outputs}, arena {self.arena_bytes} bytes, {self.isa})"
