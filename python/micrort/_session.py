"""Models and interpreters of the C interface, and arrays over their memory. What users call is in runtime.py."""

import ctypes
import dataclasses
import enum
import math
import time
import weakref

import numpy as np

from micrort import _library
from micrort._library import check, integer, runtime
from micrort.errors import InvalidArgumentError, IoError

_ALIGNMENT = 64


class Kind(enum.Enum):
    INPUT, OUTPUT, STATE = "input", "output", "state"


@dataclasses.dataclass(frozen=True, repr=False)
class TensorInfo:
    name: str
    dtype: str
    shape: tuple[int, ...]
    scale: float = 0.0
    zero_point: int = 0

    def __repr__(self) -> str:
        return f"TensorInfo(name={self.name!r}, dtype={self.dtype!r}, shape={self.shape})"


def numpy_type(dtype):
    return np.dtype("uint16" if dtype == "bfloat16" else dtype)


def _info(tensor):
    shape = tuple(tensor.shape.dims[: tensor.shape.rank])
    return TensorInfo(_library.text(tensor.name or b""), _library.DTYPES[tensor.dtype], shape, tensor.scale, tensor.zero_point)


class AlignedCopy:
    """Bytes where the runtime may use them in place."""

    def __init__(self, data):
        self.size = len(data)
        self._memory = np.empty(self.size + _ALIGNMENT, np.uint8)
        first = -self._memory.ctypes.data % _ALIGNMENT
        self._memory[first : first + self.size] = np.frombuffer(data, np.uint8)
        self.address = self._memory.ctypes.data + first


class LoadedModel:
    """A model file in memory; its memory lives as long as it."""

    def __init__(self, create, memory=None):
        self.handle, self._memory = ctypes.c_void_p(), memory
        create(self.handle)
        weakref.finalize(self, runtime.micrort_model_destroy, self.handle)

    @classmethod
    def from_file(cls, path):
        path = _library.c_text("path", path)
        return cls(lambda handle: check(runtime.micrort_model_from_file, path, ctypes.byref(handle)))

    @classmethod
    def from_bytes(cls, data):
        copy = AlignedCopy(data)
        return cls(
            lambda handle: check(runtime.micrort_model_from_buffer, copy.address, copy.size, ctypes.byref(handle)), copy
        )

    @property
    def inputs(self):
        infos = []
        for i in range(runtime.micrort_model_input_count(self.handle)):
            tensor = _library.Tensor()
            runtime.micrort_model_input(self.handle, i, ctypes.byref(tensor))
            infos.append(_info(tensor))
        return infos

    @property
    def decides_shapes(self):
        count = runtime.micrort_model_input_count(self.handle)
        return [runtime.micrort_model_decides_shapes(self.handle, i) != 0 for i in range(count)]

    def metadata(self, key):
        text = runtime.micrort_model_metadata(self.handle, key)
        return None if text is None else _library.text(text)

    def bytes(self, name):
        """file_bytes, weight_bytes, packed_file_bytes, packed_bytes; and state_chunk."""
        return getattr(runtime, f"micrort_model_{name}")(self.handle)


class _Sizes:
    """Shapes and values as C reads them during a call."""

    def __init__(self, infos, shapes, values):
        self.count = len(shapes)
        self.shapes = (_library.Shape * max(self.count, 1))()
        for to, shape in zip(self.shapes, shapes):
            if len(shape) > _library.MAX_RANK:
                raise InvalidArgumentError(f"expected a rank of at most {_library.MAX_RANK}, found {len(shape)}")
            to.rank = len(shape)
            for axis, size in enumerate(shape):
                to.dims[axis] = integer("a dimension", size, -(2**63), 2**63 - 1)
        self.arrays = list(values)
        self.values = (ctypes.c_void_p * max(len(self.arrays), 1))()
        for i, array in enumerate(self.arrays):
            if array is not None:
                self._check_value(infos, shapes, i, array)
                self.values[i] = array.ctypes.data

    @staticmethod
    def _check_value(infos, shapes, i, array):
        """As many elements as the shape says are read, one after the other, of the input's type."""
        fits = (
            i < min(len(infos), len(shapes))
            and array.shape == tuple(shapes[i])
            and array.dtype == numpy_type(infos[i].dtype)
            and array.flags.c_contiguous
        )
        if not fits:
            raise InvalidArgumentError(f"input {i}: its value is not of its type and shape")


class _StepTimes:
    """How long each step of the last run took."""

    def __init__(self):
        self.steps, self._start = [], 0.0
        self.before, self.after = _library.STEP_CALLBACK(self._before), _library.STEP_CALLBACK(self._after)

    def _before(self, user, step):
        self._start = time.perf_counter()

    def _after(self, user, step):
        ms = (time.perf_counter() - self._start) * 1e3
        first, multiply_adds = self._operator(step, 0), 0
        for i in range(runtime.micrort_step_operator_count(step)):
            multiply_adds += self._operator(step, i).multiply_adds
        names = {name: _library.text(getattr(first, name)) for name in ("type", "node", "algorithm")}
        self.steps.append({**names, "multiply_adds": multiply_adds, "ms": ms})

    @staticmethod
    def _operator(step, i):
        op = _library.Operator()
        runtime.micrort_step_operator(step, i, ctypes.byref(op))
        return op


class _Memory:
    """What arrays in place are made from; they keep it alive, and it keeps the session."""

    def __init__(self, session, info, address):
        self._session = session
        self.__array_interface__ = {
            "version": 3,
            "shape": info.shape,
            "typestr": numpy_type(info.dtype).str,
            "data": (address, False),
        }


def _custom_ops(paths):
    """The operators of shared libraries (micrort/custom_op.h). The runtime checks each."""
    found = []
    for path in paths:
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            raise IoError(f"custom_ops: {error}") from error
        try:
            function = library.micrort_custom_ops
        except AttributeError:
            raise InvalidArgumentError(f"custom_ops: {path}: expected a function micrort_custom_ops, found none") from None
        function.restype, function.argtypes = ctypes.POINTER(ctypes.c_void_p), [ctypes.POINTER(ctypes.c_size_t)]
        count = ctypes.c_size_t()
        ops = function(ctypes.byref(count))
        if not ops and count.value != 0:
            raise InvalidArgumentError(f"custom_ops: {path}: expected a list of {count.value} operators, found null")
        most = 32  # of the C interface
        if len(found) + count.value > most:
            raise InvalidArgumentError(f"custom_ops: {path}: expected at most {most} operators, found {count.value}")
        found += ops[: count.value]
    return (ctypes.c_void_p * max(len(found), 1))(*found), len(found)


class Session:
    """An interpreter. Its callers see to it that one thread at a time calls it, but for cancel()."""

    def __init__(
        self, model, *, threads, isa, tuned, shapes, values, keep_inputs, profile, max_memory, max_work, custom_ops
    ):
        self._model, self._arrays = model, weakref.WeakSet()
        sizes = _Sizes(model.inputs, shapes, values)
        options = _library.new_options(threads, isa)
        options.input_shapes, options.input_shape_count = sizes.shapes, sizes.count
        options.input_values, options.input_value_count = sizes.values, len(sizes.arrays)
        options.keep_inputs = keep_inputs
        for limit, value in (("max_memory_bytes", max_memory), ("max_work", max_work)):
            if value is not None:  # 0 is C's default
                setattr(options, limit, max(integer(limit, value, 0, 2**64 - 1), 1))
        if tuned is not None:
            content = _library.read_file(tuned)
            options.tuned, options.tuned_bytes = content, len(content)
        self._times = _StepTimes() if profile else None
        if profile:
            options.before_step, options.after_step = self._times.before, self._times.after
        ops, options.custom_op_count = _custom_ops(custom_ops)
        options.custom_ops = ctypes.cast(ops, ctypes.c_void_p)
        self._handle = ctypes.c_void_p()
        check(runtime.micrort_interpreter_create, model.handle, ctypes.byref(options), ctypes.byref(self._handle))
        # `model` and the callbacks must outlive the interpreter.
        weakref.finalize(self, _destroy, self._handle, model, self._times)

    def _count(self, kind):
        return getattr(runtime, f"micrort_interpreter_{kind.value}_count")(self._handle)

    def _tensor(self, kind, i):
        tensor = _library.Tensor()
        if not 0 <= i < self._count(kind):
            raise IndexError("the interpreter has no such tensor")
        getattr(runtime, f"micrort_interpreter_{kind.value}")(self._handle, i, ctypes.byref(tensor))
        return tensor

    def infos(self, kind):
        return [_info(self._tensor(kind, i)) for i in range(self._count(kind))]

    def array(self, kind, i):
        """In place, without a copy. As long as it lives the session lives, and cannot be resized."""
        tensor = self._tensor(kind, i)
        info = _info(tensor)
        if tensor.bytes == 0:
            return np.empty(info.shape, numpy_type(info.dtype))
        memory = _Memory(self, info, tensor.data)
        self._arrays.add(memory)
        return np.asarray(memory)

    def copy_output(self, i):
        return np.array(self.array(Kind.OUTPUT, i))

    def set_input(self, i, array):
        in_place = self.array(Kind.INPUT, i)
        if array.shape != in_place.shape or array.dtype != in_place.dtype:
            raise ValueError("the array is not as the input is")
        in_place[...] = array

    def resize(self, shapes, values):
        if len(self._arrays) != 0:  # an array must stay where its elements are
            raise BufferError("arrays of inputs, outputs or states are alive: delete or copy them before a resize")
        sizes = _Sizes(self._model.inputs, shapes, values)
        given = sizes.values if sizes.arrays else (ctypes.c_void_p * max(sizes.count, 1))()
        check(runtime.micrort_interpreter_resize_with_values, self._handle, sizes.shapes, given, sizes.count)

    def run(self, timeout):
        """timeout: seconds; None: no limit."""
        if self._times is not None:
            self._times.steps = []
        if timeout is None:
            check(runtime.micrort_interpreter_run, self._handle)
        else:
            check(runtime.micrort_interpreter_run_for, self._handle, math.ceil(max(timeout, 1e-6) * 1e6))

    def cancel(self):
        runtime.micrort_interpreter_cancel(self._handle)

    def save_state(self):
        saved = ctypes.create_string_buffer(runtime.micrort_interpreter_state_bytes(self._handle))
        check(runtime.micrort_interpreter_save_state, self._handle, saved, len(saved))
        return saved.raw

    def restore_state(self, saved):
        check(runtime.micrort_interpreter_restore_state, self._handle, ctypes.c_char_p(bytes(saved)), len(saved))

    def reset_state(self):
        runtime.micrort_interpreter_reset_state(self._handle)

    def truncate_state(self, length):
        check(runtime.micrort_interpreter_truncate_state, self._handle, integer("length", length, 0, 2**64 - 1))

    @property
    def times(self):
        return self._times.steps if self._times is not None else []

    @property
    def isa(self):
        return _library.text(runtime.micrort_interpreter_isa(self._handle))

    def bytes(self, name):
        """arena_bytes, arena_lower_bound, scratch_bytes, packed_in_place_bytes; and state_length."""
        return getattr(runtime, f"micrort_interpreter_{name}")(self._handle)


def _destroy(handle, model, times):
    runtime.micrort_interpreter_destroy(handle)
