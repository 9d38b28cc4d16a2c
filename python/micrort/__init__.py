"""MicroRT: converts trained networks to small files, and runs them.

    import micrort
    conversion = micrort.convert("model.onnx", "model.fb", quant="int8", calib=samples)
    interpreter = micrort.Interpreter(conversion.model())
    outputs = interpreter.run({"x": x})     # a dict of NumPy arrays
"""

try:
    import numpy as _numpy  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("micrort needs NumPy: pip install numpy", name="numpy") from error

from micrort._library import __version__
from micrort._session import TensorInfo
from micrort.conversion import Conversion, convert
from micrort.errors import (
    CancelledError,
    DeadlineExceededError,
    Error,
    InternalError,
    InvalidArgumentError,
    InvalidModelError,
    IoError,
    NotFoundError,
    OutOfMemoryError,
    OutOfRangeError,
    UnsupportedError,
)
from micrort.runtime import Interpreter, Model

__all__ = [
    "CancelledError",
    "Conversion",
    "DeadlineExceededError",
    "Error",
    "InternalError",
    "Interpreter",
    "InvalidArgumentError",
    "InvalidModelError",
    "IoError",
    "Model",
    "NotFoundError",
    "OutOfMemoryError",
    "OutOfRangeError",
    "TensorInfo",
    "UnsupportedError",
    "__version__",
    "convert",
]
