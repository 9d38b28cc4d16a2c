"""What goes wrong: one class a status code of the runtime, and of mnnconvert's exit codes."""

import re


class Error(Exception):
    """Any error of MicroRT."""


class InvalidArgumentError(Error, ValueError):
    """The caller's mistake: a wrong shape, type, name or flag."""


class InvalidModelError(Error):
    """The file is broken or malicious."""


class UnsupportedError(Error):
    """The model is valid, but this version cannot convert or run it, or it is over a limit."""


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""


class IoError(Error, OSError):
    """A file could not be read or written."""


class NotFoundError(IoError, InvalidArgumentError, FileNotFoundError):
    """There is no such file or folder."""


class OutOfRangeError(Error, IndexError):
    """Data met while running points outside a tensor."""


class InternalError(Error):
    """A defect of MicroRT."""


class CancelledError(Error):
    """Interpreter.cancel() ended the run."""


class DeadlineExceededError(Error, TimeoutError):
    """The run was not done in its time."""


_BY_STATUS = {
    1: InvalidArgumentError,
    2: InvalidModelError,
    3: UnsupportedError,
    4: OutOfMemoryError,
    5: IoError,
    6: OutOfRangeError,
    7: InternalError,
    8: CancelledError,
    9: DeadlineExceededError,
}


# The words of mnnconvert, the runtime and the system.
_NOT_FOUND = re.compile(r": No such file or directory$|: its folder does not exist: ")
_NO_MEMORY = re.compile(r"the system gives no more memory|cannot allocate \d+ (bytes|elements)|Cannot allocate memory")


def from_status(code, message):
    """The exception for a status code of the runtime."""
    found = _BY_STATUS.get(code, Error)
    return NotFoundError(message) if found is IoError and _NOT_FOUND.search(message) else found(message)


def from_exit_code(code, message):
    """The exception for an exit code of a program: 1 usage, file or memory, 2 invalid model, 3 unsupported."""
    if code == 1 and _NO_MEMORY.search(message):
        return OutOfMemoryError(message)
    if code == 1 and _NOT_FOUND.search(message):
        return NotFoundError(message)
    return {1: InvalidArgumentError, 2: InvalidModelError, 3: UnsupportedError}.get(code, Error)(message)
