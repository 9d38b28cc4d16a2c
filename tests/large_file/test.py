#!/usr/bin/python3
"""test.py BIN MAKER FOLDER: a model of 2.3 GB is converted in less memory than it takes, and all programs take its file.

BIN has the programs, MAKER is bench/large_model/make.py, and FOLDER is for what is written. The source is mostly holes.
"""
import json
import os
import resource
import shutil
import subprocess
import sys

import numpy as np

BLOCKS, WIDTH, HIDDEN = 17, 2048, 8192
MOST_TO_CONVERT = 600 << 20


def peak_of_children():
    return 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def expected(folder, x):
    """Blocks but the last one have a single weight in each matrix, at its begin."""
    weights = np.memmap(os.path.join(folder, "weights.bin"), dtype=np.float32, mode="r").reshape(BLOCKS, 2, -1)
    y = x.copy()
    for a, b in weights[:-1, :, 0]:
        y[0, 0] += np.maximum(y[0, 0] * a, 0) * b
    a, b = weights[-1, 0].reshape(WIDTH, HIDDEN), weights[-1, 1].reshape(HIDDEN, WIDTH)
    return y + np.maximum(y @ a, 0) @ b


def main():
    programs, maker, folder = sys.argv[1:]
    run = lambda program, *arguments: subprocess.run(
        [os.path.join(programs, program), *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    at = lambda name: os.path.join(folder, name)

    run("mnnconvert", "--version")
    subprocess.run([sys.executable, maker, folder, "--zeros", "--blocks", str(BLOCKS)], check=True)
    before = peak_of_children()
    run("mnnconvert", at("model.onnx"), "-o", at("large.fb"))
    peak, size = peak_of_children(), os.path.getsize(at("large.fb"))
    assert size > 4 * BLOCKS * 2 * WIDTH * HIDDEN > 1 << 31, size
    assert peak <= max(before, MOST_TO_CONVERT), f"{peak} bytes to convert, {before} before"

    info = json.loads(run("micrort-info", at("large.fb"), "--json"))
    assert info["schema_version"] == 24 and info["file_bytes"] == size, info["file_bytes"]
    x = np.random.default_rng(2).standard_normal((1, WIDTH), dtype=np.float32)
    np.save(at("x.npy"), x)
    run("micrort-run", at("large.fb"), "--input", "x=" + at("x.npy"), "--output-dir", folder)
    y = np.load(at("y.npy"))
    assert np.abs(y - expected(folder, x)).max() < 1e-4 * np.abs(y).max()
    run("micrort-bench", at("large.fb"), "--runs", "1", "--warmup", "0")

    run("mnnconvert", "--realign", at("large.fb"), "-o", at("again.fb"))
    assert subprocess.run(["cmp", at("large.fb"), at("again.fb")]).returncode == 0
    os.truncate(at("again.fb"), size - 1)
    refused = subprocess.run([os.path.join(programs, "micrort-run"), at("again.fb")], stderr=subprocess.PIPE, text=True)
    assert refused.returncode == 2 and "cut off" in refused.stderr, refused.stderr
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
