"""Writes the files beside the network: calibration crops, test crops, pictures, descriptions."""
import json

import numpy as np
from PIL import Image

from camera import photograph
from crops import HEIGHT, MEAN, SCALE, WIDTH, random_crops
from fonts import HELD_OUT_FONTS, TRAIN_FONTS
from pictures import PICTURES
from render import counter, label_of, odometer

MODEL = "meter_digits.onnx"
CALIBRATION_CROPS = 20
TEST_CROPS, HELD_OUT_CROPS = 200, 100
TEST_AMBIGUOUS = 0.1  # no drum of a test crop is between 40 and 60 % gone

# Each set has its own stream, apart from the training crops (which use the seed alone).
CALIBRATION_STREAM, TEST_STREAM, PICTURE_STREAM = 1, 2, 3


def _stream(*key):
    return np.random.default_rng(key)


def _save_png(pixels, path):
    Image.fromarray(pixels).save(path, optimize=True)


def write_calibration(folder, seed):
    """Every third crop of a longer row, so that the few crops come from many counters."""
    folder.mkdir(exist_ok=True)
    crops, _ = random_crops(_stream(seed, CALIBRATION_STREAM), 3 * CALIBRATION_CROPS, TRAIN_FONTS,
                            TEST_AMBIGUOUS)
    for k, pixels in enumerate(crops[::3]):
        _save_png(pixels, folder / f"digit_{k:02}.png")


def test_set(rng, count, held_out):
    """Crops of fonts known from training, then of fonts never seen."""
    known = random_crops(rng, count, TRAIN_FONTS, TEST_AMBIGUOUS)
    unseen = random_crops(rng, held_out, HELD_OUT_FONTS, TEST_AMBIGUOUS)
    return [np.concatenate(pair) for pair in zip(known, unseen)]


def write_test_crops(folder, seed):
    folder.mkdir(exist_ok=True)
    crops, labels = test_set(_stream(seed, TEST_STREAM), TEST_CROPS, HELD_OUT_CROPS)
    np.save(folder / "test_crops.npy", crops)
    np.save(folder / "test_labels.npy", labels)


def _write_picture(path, rng, spec):
    positions = odometer(spec.value, spec.drums)
    canvas, windows = counter(spec.style(rng), positions, spec.decimals, spec.unit)
    picture, boxes = photograph(rng, canvas, windows, spec.camera)
    _save_png(picture, path)
    return {"file": path.name, "reading": "".join(str(label_of(p)) for p in positions),
            "decimals": spec.decimals, "unit": spec.unit, "boxes": boxes}


def write_pictures(folder, seed):
    """Pictures and readings.json, one picture a line."""
    folder.mkdir(exist_ok=True)
    rows = [_write_picture(folder / f"meter_{k + 1}.png", _stream(seed, PICTURE_STREAM, k), spec)
            for k, spec in enumerate(PICTURES)]
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    (folder / "readings.json").write_text('{"pictures": [\n' + lines + "\n]}\n", "utf-8")


def write_description(path):
    description = {
        "model": MODEL,
        "input": {"name": "input", "shape": [1, 1, HEIGHT, WIDTH], "color": "gray",
                  "mean": MEAN, "scale": SCALE},
        "output": {"name": "output", "shape": [1, 10], "labels": [str(d) for d in range(10)]},
    }
    path.write_text(json.dumps(description, indent=2) + "\n")


def write_all(out, seed):
    write_calibration(out / "calibration", seed)
    write_test_crops(out / "crops", seed)
    write_pictures(out / "pictures", seed)
    write_description(out / "model.json")
