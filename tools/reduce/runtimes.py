"""A model run by ONNX Runtime and by MicroRT, and what differs between their outputs."""

import json
import pathlib
import select
import shutil
import subprocess

import numpy as np

SECONDS = 300  # for one model
HERE = pathlib.Path(__file__).resolve().parent


def has_onnxruntime():
    """Whether node finds onnxruntime-node (through NODE_PATH)."""
    return shutil.which("node") is not None and \
        subprocess.run(["node", "-e", "require('onnxruntime-node')"], capture_output=True).returncode == 0


class OnnxRuntime:
    """One process for many models; it is started again after a crash."""

    def __init__(self):
        self.process = None

    def run(self, model, inputs, folder):
        """The outputs of a file by name, or why there are none."""
        ports = []
        for i, (name, array) in enumerate(inputs.items()):
            file = folder / f"in{i}"
            file.write_bytes(np.ascontiguousarray(array).tobytes())
            ports.append({"name": name, "dtype": str(array.dtype), "shape": list(array.shape), "file": str(file)})
        if self.process is None:
            self.process = subprocess.Popen(["node", HERE / "onnxruntime_server.js"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)
        try:
            self.process.stdin.write(json.dumps({"model": str(model), "inputs": ports, "folder": str(folder)}) + "\n")
            self.process.stdin.flush()
            # A loop of the model may have no end.
            if not select.select([self.process.stdout], [], [], SECONDS)[0]:
                self.process.kill()
                self.process.wait()
                self.process = None
                return f"it takes over {SECONDS} seconds"
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.process = None
            return "it crashed"
        answer = json.loads(line)
        if "error" in answer:
            return answer["error"]
        return {o["name"]: np.fromfile(o["file"], o["dtype"]).reshape(o["shape"]) for o in answer["outputs"]}


class MicroRT:
    """mnnconvert, with these flags beside its own, and micrort-run. The source is named by a text that they print where it fails."""

    def __init__(self, programs, flags=()):
        self.programs, self.flags = pathlib.Path(programs), list(flags)

    def run(self, model, inputs, folder):
        """The outputs of a file, in the order of the model, or the exit code and the message."""
        file, out = folder / "model.fb", folder / "ours"
        problem = self.call("mnnconvert", model, "-o", file, "--quiet", *self.flags)
        if problem:
            return problem
        given = []
        for i, array in enumerate(inputs.values()):
            np.save(folder / f"in{i}.npy", array)
            given += ["--input", f"#{i}={folder / f'in{i}.npy'}"]
        result = self.call("micrort-run", file, "--output-dir", out, "--json", "-", *given)
        if isinstance(result, str):
            return result
        return [np.load(out / row["file"]) for row in result["outputs"]]

    def call(self, program, *arguments):
        """What the program says of outputs; None where it says nothing; what went wrong as text."""
        command = [self.programs / program, *map(str, arguments)]
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, errors="replace")
        except subprocess.TimeoutExpired:
            return f"{program}: takes over {SECONDS} seconds"
        if result.returncode != 0:
            return f"{program}: exit code {result.returncode}: {result.stderr.strip()[-400:]}"
        return json.loads(result.stdout) if program == "micrort-run" else None


def difference(ours, theirs, tolerance):
    """Why two arrays are not the same; "" if they are."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return f"{ours.dtype}{list(ours.shape)}, expected {theirs.dtype}{list(theirs.shape)}"
    if ours.size == 0:
        return ""
    a, b = ours.astype(np.float64), theirs.astype(np.float64)
    finite = np.isfinite(b)
    if not np.array_equal(np.isnan(a), np.isnan(b)) or not np.array_equal(a[~finite & ~np.isnan(b)], b[~finite & ~np.isnan(b)]):
        return "other elements are infinite or no numbers"
    if not finite.any():
        return ""
    a, b = a[finite], b[finite]
    largest = np.abs(a - b).max()
    if theirs.dtype.kind == "f":
        allowed = tolerance * max(1.0, np.abs(b).max())
    else:
        # Quantized: one step, where a product is right between two.
        allowed = 1 if theirs.dtype in (np.int8, np.uint8) else 0
    return f"by {largest:g}, where the largest is {np.abs(b).max():g}" if largest > allowed else ""


def compare(ours, theirs, tolerance):
    """What differs between outputs; `theirs`: by name, in the order of the model."""
    if isinstance(ours, str):
        return ours
    if len(ours) != len(theirs):
        return f"{len(ours)} outputs, expected {len(theirs)}"
    for found, (name, expected) in zip(ours, theirs.items()):
        text = difference(found, expected, tolerance)
        if text:
            return f"output {name} differs {text}"
    return ""
