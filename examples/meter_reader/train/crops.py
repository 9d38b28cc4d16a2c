"""From pictures to the network's input, and the sets of labelled crops made that way."""
import numpy as np

from camera import photograph, random_camera
from render import counter, label_of
from style import random_style

HEIGHT, WIDTH = 32, 24
MEAN, SCALE = 127.0, 1.0 / 128


def grey(picture):
    """8-bit luma of an RGB picture; a grey picture stays as it is."""
    if picture.ndim == 2:
        return picture
    weights = np.array([299, 587, 114], np.uint32)
    return ((picture.astype(np.uint32) @ weights + 500) // 1000).astype(np.uint8)


def _taps(size, target):
    """Half-pixel centres, edges clamped: the two source indices and the second one's share."""
    at = np.clip((np.arange(target) + 0.5) * size / target - 0.5, 0, size - 1)
    low = np.floor(at).astype(int)
    return low, np.minimum(low + 1, size - 1), (at - low).astype(np.float32)


def crop(picture, box):
    """The box of a grey picture, bilinear, as HEIGHT x WIDTH bytes."""
    x, y, w, h = box
    part = picture[y:y + h, x:x + w].astype(np.float32)
    y0, y1, fy = _taps(h, HEIGHT)
    x0, x1, fx = _taps(w, WIDTH)
    rows = part[y0] * (1 - fy)[:, None] + part[y1] * fy[:, None]
    both = rows[:, x0] * (1 - fx) + rows[:, x1] * fx
    return np.floor(both + 0.5).astype(np.uint8)


def normalize(crops):
    """N x H x W bytes to the network's N x 1 x H x W floats."""
    return ((crops.astype(np.float32) - MEAN) * SCALE)[:, None]


def _positions(rng, count, ambiguous):
    """Drums at rest and drums under way; none closer than `ambiguous` to half gone."""
    under_way = rng.random(count) < 0.4
    rest = rng.normal(0, 0.03, count)
    move = rng.uniform(ambiguous - 0.5, 0.5 - ambiguous, count)
    return (rng.integers(0, 10, count) + np.where(under_way, move, rest)) % 10


def _shaken(rng, box, shape):
    """A box that is a little off, as a mount is, kept inside the picture."""
    x, y, w, h = box
    x, y = x + rng.normal(0, 0.03) * w, y + rng.normal(0, 0.02) * h
    grow = rng.uniform(-0.05, 0.08)
    x, y, w, h = x - grow * w / 2, y - grow * h / 2, w * (1 + grow), h * (1 + grow)
    x, y = max(0, round(x)), max(0, round(y))
    return x, y, min(round(w), shape[1] - x), min(round(h), shape[0] - y)


def random_crops(rng, count, fonts, ambiguous):
    """`count` crops of random counters with their labels, every digit of a counter used."""
    crops, labels = [], []
    while len(crops) < count:
        positions = _positions(rng, 7, ambiguous)
        face = counter(random_style(rng, fonts), positions, decimals=int(rng.integers(0, 4)))
        picture, boxes = photograph(rng, *face, random_camera(rng))
        picture = grey(picture)
        for position, box in zip(positions, boxes):
            crops.append(crop(picture, _shaken(rng, box, picture.shape)))
            labels.append(label_of(position))
    return np.stack(crops[:count]), np.array(labels[:count], np.uint8)
