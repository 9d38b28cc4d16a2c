#!/usr/bin/env python3
"""Checks the committed network against the committed crops and pictures; exit 1 if it is bad.

Pictures are read as the C++ program does it: grey, crop by box, bilinear resize, normalize.
"""
import argparse
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import numpy as np
import onnx
from PIL import Image

from artifacts import HELD_OUT_CROPS, MODEL, test_set
from crops import crop, grey, normalize
from onnx_eval import evaluate

WANTED_ACCURACY = 0.985


def digits(model, crops):
    return evaluate(model, normalize(crops)).argmax(1)


def print_accuracy(name, right, held_out):
    known, unseen = right[:-held_out], right[-held_out:]
    print(f"{name}: {right.mean():.2%} of {len(right)} right (fonts of the training: "
          f"{known.mean():.2%}, other fonts: {unseen.mean():.2%})")


def test_crops_right(out, model):
    crops = np.load(out / "crops" / "test_crops.npy")
    labels = np.load(out / "crops" / "test_labels.npy")
    return digits(model, crops) == labels


def read_picture(path, boxes, model):
    picture = grey(np.asarray(Image.open(path)))
    found = digits(model, np.stack([crop(picture, box) for box in boxes]))
    return "".join(map(str, found))


def wrong_pictures(out, model):
    wrong = 0
    for row in json.loads((out / "pictures" / "readings.json").read_text("utf-8"))["pictures"]:
        found = read_picture(out / "pictures" / row["file"], row["boxes"], model)
        wrong += found != row["reading"]
        print(f"{row['file']}: {found}, true reading {row['reading']}")
    return wrong


def report(out):
    model = out / MODEL
    onnx.checker.check_model(onnx.load(str(model)), full_check=True)
    right = test_crops_right(out, model)
    print_accuracy("test crops", right, HELD_OUT_CROPS)
    wrong = wrong_pictures(out, model)
    return 0 if right.mean() >= WANTED_ACCURACY and not wrong else 1


def report_fresh(out, count):
    """A steadier figure than the committed crops give: newly rendered ones, many of them."""
    held_out = max(1, count // 2)
    crops, labels = test_set(np.random.default_rng(0), max(1, count - held_out), held_out)
    print_accuracy("fresh crops", digits(out / MODEL, crops) == labels, held_out)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--fresh", type=int, default=0, help="also check this many new crops")
    args = parser.parse_args()
    if args.fresh:
        report_fresh(args.out, args.fresh)
    return report(args.out)


if __name__ == "__main__":
    sys.exit(main())
