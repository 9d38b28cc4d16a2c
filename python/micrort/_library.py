"""The C interface of the runtime (micrort/micrort_c.h), by ctypes, so that one package serves every Python."""

import ctypes
import operator
import os
import pathlib

from micrort.errors import InvalidArgumentError, from_status

MAX_RANK = 8
MESSAGE_BYTES = 400

DTYPES = (
    "unknown",
    "float32",
    "float16",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float64",
    "bool",
    "bfloat16",
    "int4",
)


class Shape(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_int32), ("dims", ctypes.c_int64 * MAX_RANK)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_int),
        ("shape", Shape),
        ("data", ctypes.c_void_p),
        ("bytes", ctypes.c_size_t),
        ("scale", ctypes.c_float),
        ("zero_point", ctypes.c_int32),
    ]


class Operator(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_char_p),
        ("node", ctypes.c_char_p),
        ("algorithm", ctypes.c_char_p),
        ("layer", ctypes.c_uint64),
        ("multiply_adds", ctypes.c_int64),
    ]


STEP_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


class Options(ctypes.Structure):
    _fields_ = [
        ("struct_bytes", ctypes.c_size_t),
        ("threads", ctypes.c_int32),
        ("isa", ctypes.c_char_p),
        ("arena", ctypes.c_void_p),
        ("arena_bytes", ctypes.c_size_t),
        ("input_shapes", ctypes.POINTER(Shape)),
        ("input_shape_count", ctypes.c_size_t),
        ("input_values", ctypes.POINTER(ctypes.c_void_p)),
        ("input_value_count", ctypes.c_size_t),
        ("tuned", ctypes.c_char_p),
        ("tuned_bytes", ctypes.c_size_t),
        ("max_operators", ctypes.c_uint64),
        ("max_tensor_bytes", ctypes.c_uint64),
        ("max_memory_bytes", ctypes.c_uint64),
        ("max_work", ctypes.c_uint64),
        ("max_planning_work", ctypes.c_uint64),
        ("custom_ops", ctypes.c_void_p),
        ("custom_op_count", ctypes.c_size_t),
        ("before_step", STEP_CALLBACK),
        ("after_step", STEP_CALLBACK),
        ("step_user", ctypes.c_void_p),
        ("whole_tensors", ctypes.c_int32),
        ("keep_inputs", ctypes.c_int32),
        ("no_spin", ctypes.c_int32),
        ("cpus", ctypes.c_uint64),
    ]


_SIZE, _STATUS, _INDEX = ctypes.c_size_t, ctypes.c_int, ctypes.c_size_t
_HANDLE, _BYTES, _SIZES = ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)
_TENSOR = ctypes.POINTER(Tensor)
_MESSAGE = [ctypes.c_char_p, ctypes.c_size_t]

_FUNCTIONS = {
    "version": (ctypes.c_char_p, []),
    "options_init": (None, [ctypes.POINTER(Options)]),
    "model_from_file": (_STATUS, [ctypes.c_char_p, ctypes.POINTER(_HANDLE), *_MESSAGE]),
    "model_from_buffer": (_STATUS, [_BYTES, _SIZE, ctypes.POINTER(_HANDLE), *_MESSAGE]),
    "model_destroy": (None, [_HANDLE]),
    "model_input_count": (_SIZE, [_HANDLE]),
    "model_input": (_STATUS, [_HANDLE, _INDEX, _TENSOR]),
    "model_metadata": (ctypes.c_char_p, [_HANDLE, ctypes.c_char_p]),
    "model_decides_shapes": (ctypes.c_int32, [_HANDLE, _INDEX]),
    "interpreter_create": (_STATUS, [_HANDLE, ctypes.POINTER(Options), ctypes.POINTER(_HANDLE), *_MESSAGE]),
    "interpreter_destroy": (None, [_HANDLE]),
    "interpreter_isa": (ctypes.c_char_p, [_HANDLE]),
    "interpreter_resize_with_values": (
        _STATUS,
        [_HANDLE, ctypes.POINTER(Shape), ctypes.POINTER(ctypes.c_void_p), _SIZE, *_MESSAGE],
    ),
    "interpreter_run": (_STATUS, [_HANDLE, *_MESSAGE]),
    "interpreter_run_for": (_STATUS, [_HANDLE, ctypes.c_uint64, *_MESSAGE]),
    "interpreter_cancel": (None, [_HANDLE]),
    "interpreter_reset_state": (None, [_HANDLE]),
    "interpreter_save_state": (_STATUS, [_HANDLE, _BYTES, _SIZE, *_MESSAGE]),
    "interpreter_restore_state": (_STATUS, [_HANDLE, _BYTES, _SIZE, *_MESSAGE]),
    "interpreter_truncate_state": (_STATUS, [_HANDLE, _SIZE, *_MESSAGE]),
    "step_operator_count": (_SIZE, [_HANDLE]),
    "step_operator": (_STATUS, [_HANDLE, _INDEX, ctypes.POINTER(Operator)]),
    **{f"model_{n}": (_SIZE, [_HANDLE]) for n in ("file_bytes", "weight_bytes", "packed_file_bytes", "packed_bytes", "state_chunk")},
    **{
        f"interpreter_{n}": (_SIZE, [_HANDLE])
        for n in ("arena_bytes", "arena_lower_bound", "scratch_bytes", "packed_in_place_bytes", "state_bytes", "state_length")
    },
    **{f"interpreter_{n}_count": (_SIZE, [_HANDLE]) for n in ("input", "output", "state")},
    **{f"interpreter_{n}": (_STATUS, [_HANDLE, _INDEX, _TENSOR]) for n in ("input", "output", "state")},
}


def load(name, functions):
    """A library of this package, with the types of its functions. OSError if it cannot be loaded."""
    library = ctypes.CDLL(str(pathlib.Path(__file__).with_name(name)))
    for function, (result, arguments) in functions.items():
        entry = getattr(library, function)
        entry.restype, entry.argtypes = result, arguments
    return library


runtime = load("libmicrort.so", {f"micrort_{name}": types for name, types in _FUNCTIONS.items()})


__version__ = runtime.micrort_version().decode()


def check(function, *arguments):
    """Calls a function that returns a status and writes a message; raises the exception of the status. Lets other Python threads run."""
    message = ctypes.create_string_buffer(MESSAGE_BYTES)
    status = function(*arguments, message, MESSAGE_BYTES)
    if status != 0:
        raise from_status(status, text(message.value))


def text(value):
    return value.decode("utf-8", "replace")


def c_text(name, value):
    """A str, or a path, for C."""
    encoded = os.fsencode(value) if isinstance(value, os.PathLike) else value.encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise InvalidArgumentError(f"{name}: {value!r} has a character 0")
    return encoded


def read_file(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise from_status(5, f"{path}: {error.strerror}") from error


def integer(name, value, least, most):
    """An int that C's type holds: ctypes itself cuts off what is over."""
    number = operator.index(value)
    if not least <= number <= most:
        raise InvalidArgumentError(f"{name} is {number}; expected {least} to {most}")
    return number


def new_options(threads, isa):
    options = Options()
    runtime.micrort_options_init(ctypes.byref(options))
    options.threads = integer("threads", threads, -(2**31), 2**31 - 1)
    if isa is not None:
        options.isa = c_text("isa", isa)
    return options
