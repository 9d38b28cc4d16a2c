"""What a cheap fixed camera does to a counter: perspective, blur, glare, exposure, noise."""
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageFilter

REDUCE = 2  # the canvas is drawn this much larger than the picture


@dataclass
class Camera:
    tilt: float   # rotation, radians
    skew: float   # how far a corner moves, share of the canvas height
    blur: float   # Gaussian radius, picture pixels
    glare: float  # brightest reflection, grey levels
    gain: float
    offset: float
    noise: float  # standard deviation, grey levels


def random_camera(rng):
    return Camera(
        tilt=float(rng.normal(0, 0.012)),
        skew=float(rng.uniform(0, 0.045)),
        blur=float(rng.uniform(0, 1.3)),
        glare=float(rng.uniform(30, 120)) if rng.random() < 0.35 else 0.0,
        gain=float(rng.uniform(0.45, 1.1)),
        offset=float(rng.uniform(-5, 45)),
        noise=float(rng.uniform(1, 9)),
    )


def _corners(width, height):
    return np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)


def _moved(rng, corners, camera, height):
    middle = corners.mean(0)
    cos, sin = np.cos(camera.tilt), np.sin(camera.tilt)
    turned = (corners - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle
    return turned + rng.uniform(-1, 1, (4, 2)) * camera.skew * height


def _homography(source, target):
    """The eight numbers that take four points to four points (PIL's PERSPECTIVE order)."""
    rows, right = [], []
    for (x, y), (u, v) in zip(source, target):
        rows += [(x, y, 1, 0, 0, 0, -u * x, -u * y), (0, 0, 0, x, y, 1, -v * x, -v * y)]
        right += [u, v]
    return np.linalg.solve(np.array(rows), np.array(right))


def _apply(h, points):
    points = np.asarray(points, np.float64)
    scale = points @ h[6:8] + 1
    return np.stack([points @ h[0:2] + h[2], points @ h[3:5] + h[5]], 1) / scale[:, None]


def _box(h, window):
    """The upright box nearest to a window seen by the camera, integer picture pixels."""
    x, y, w, hgt = window
    seen = _apply(h, [(x, y), (x + w, y), (x + w, y + hgt), (x, y + hgt)]) / REDUCE
    left, right = seen[[0, 3], 0].mean(), seen[[1, 2], 0].mean()
    top, bottom = seen[:2, 1].mean(), seen[2:, 1].mean()
    return [int(round(v)) for v in (left, top, right - left, bottom - top)]


def _reflection(rng, width, height, strength):
    """A soft bright streak, as a lamp leaves on the glass."""
    y, x = np.mgrid[0:height, 0:width]
    angle = rng.uniform(-0.9, 0.9)
    across = (x - rng.uniform(0, width)) * np.cos(angle) + (y - height / 2) * np.sin(angle)
    along = (y - rng.uniform(0, height)) / (height * rng.uniform(0.3, 1.0))
    sigma = rng.uniform(6, 26)
    return strength * np.exp(-0.5 * (across / sigma) ** 2 - 0.5 * along ** 2)


def photograph(rng, canvas, windows, camera):
    """(picture: uint8 RGB array, boxes: one [x, y, w, h] a window)."""
    height, width = canvas.shape[:2]
    corners = _corners(width, height)
    moved = _moved(rng, corners, camera, height)
    image = Image.fromarray(np.clip(canvas, 0, 255).astype(np.uint8))
    fill = tuple(int(v) for v in canvas[2, 2].clip(0, 255))
    image = image.transform(image.size, Image.PERSPECTIVE, tuple(_homography(moved, corners)),
                            Image.BILINEAR, fillcolor=fill)
    image = image.reduce(REDUCE).filter(ImageFilter.GaussianBlur(camera.blur))
    pixels = np.asarray(image, np.float32) * camera.gain + camera.offset
    if camera.glare:
        pixels += _reflection(rng, image.width, image.height, camera.glare)[:, :, None]
    pixels += rng.normal(0, camera.noise, pixels.shape[:2])[:, :, None]
    to_picture = _homography(corners, moved)
    boxes = [_box(to_picture, window) for window in windows]
    return np.clip(pixels + 0.5, 0, 255).astype(np.uint8), boxes
