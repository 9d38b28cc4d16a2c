"""Starts mnnconvert. It stands beside the package micrort, so that the command of a wheel works without NumPy."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Optional

_PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "micrort")


def path() -> Optional[str]:
    """The converter: MICRORT_MNNCONVERT, the one of the package, or that of PATH; None: there is none."""
    packaged = os.path.join(_PACKAGE, "bin", "mnnconvert")
    return os.environ.get("MICRORT_MNNCONVERT") or (packaged if os.path.exists(packaged) else shutil.which("mnnconvert"))


def environment() -> dict[str, str]:
    """With the libraries of the package, which are for its own converter alone."""
    libraries = os.path.join(_PACKAGE, "lib")
    if not os.path.isdir(libraries) or os.environ.get("MICRORT_MNNCONVERT"):
        return dict(os.environ)
    others = os.environ.get("LD_LIBRARY_PATH")
    return {**os.environ, "LD_LIBRARY_PATH": f"{libraries}:{others}" if others else libraries}


def main() -> None:
    """The command mnnconvert of the wheel."""
    program = path()
    if program is None or os.path.realpath(program) == os.path.realpath(sys.argv[0]):
        sys.exit("mnnconvert: error: the package micrort has no converter here; MICRORT_MNNCONVERT may name one")
    os.execve(program, [program, *sys.argv[1:]], environment())
