"""Pictures as inputs, by the metadata "micrort.pictures" of a model's file. What users call is in runtime.py."""

import json

import numpy as np

from micrort.errors import InvalidArgumentError, InvalidModelError

KEY = b"micrort.pictures"
_NAMES = {"color": ("rgb", "bgr", "gray"), "resize": ("stretch", "letterbox", "crop")}
_GRAY = np.array([77, 150, 29], np.uint32)  # of 256, as micrort-run has it


def _numbers(stated, key):
    numbers = [float(number) for number in stated[key]]
    if not numbers or not np.isfinite(numbers).all() or (key == "scale" and 0 in numbers):
        raise ValueError(f"{key!r} is no list of finite numbers")
    return numbers


def parse(text):
    """{"mean", "scale", "color", "resize"}, with the default of each that the file does not say; None without such metadata."""
    if text is None:
        return None
    try:
        stated = {"mean": [0.0], "scale": [1.0], "color": "rgb", "resize": "stretch", **json.loads(text)}
        stated.update({key: _numbers(stated, key) for key in ("mean", "scale")})
        for key, names in _NAMES.items():
            if stated[key] not in names:
                raise ValueError(f"{key!r} is none of {', '.join(names)}")
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidModelError(f"metadata {KEY.decode()!r}: {error}") from None
    return stated


def _layout(info):
    """Channels, height, width, and whether channels come first; None: the input is no picture."""
    shape = info.shape
    if len(shape) != 4 or shape[0] not in (1, -1):
        return None
    if shape[1] in (1, 3):
        return shape[1], shape[2], shape[3], True
    return (shape[3], shape[1], shape[2], False) if shape[3] in (1, 3) else None


def prepare(info, stated, pixels):
    """Pixels of the input's size, uint8 [height, width, 3] in RGB or [height, width], as its elements."""
    pixels = np.asarray(pixels)
    layout = _layout(info)
    if layout is None:
        raise InvalidArgumentError(f"input {info.name!r}: expected one picture of 1 or 3 channels, found shape {info.shape}")
    channels, height, width, is_planar = layout
    fits = pixels.ndim in (2, 3) and (pixels.ndim == 2 or pixels.shape[2] == 3)
    if pixels.dtype != np.uint8 or not fits or any(w not in (-1, f) for w, f in zip((height, width), pixels.shape)):
        wanted = "x".join("?" if d < 0 else str(d) for d in (height, width))
        raise InvalidArgumentError(
            f"pixels: expected uint8 of shape {wanted}x3 or {wanted}, found {pixels.dtype} of {'x'.join(map(str, pixels.shape))}"
        )
    for key in ("mean", "scale"):
        if len(stated[key]) not in (1, channels):
            raise InvalidArgumentError(f"input {info.name!r}: the file states {len(stated[key])} values of {key} for {channels} channels")
    if channels == 1 and pixels.ndim == 3:
        pixels = pixels @ _GRAY >> 8
    if channels == 3 and pixels.ndim == 2:
        pixels = np.repeat(pixels[:, :, None], 3, axis=2)
    values = pixels.astype(np.float32).reshape(*pixels.shape[:2], channels)
    if stated["color"] == "bgr" and channels == 3:
        values = values[:, :, ::-1]
    values = (values - np.float32(stated["mean"])) * np.float32(stated["scale"])
    if is_planar:
        values = values.transpose(2, 0, 1)
    return np.ascontiguousarray(_stored(info, values)[None])


def _stored(info, values):
    """Integers that stand for real numbers have a scale."""
    wanted = np.dtype(info.dtype)
    if wanted.kind == "f":
        return values.astype(wanted)
    limits = np.iinfo(wanted)
    integers = np.rint(values / info.scale + info.zero_point) if info.scale != 0 else np.rint(values)
    return np.clip(integers, limits.min, limits.max).astype(wanted)
