"""The digit shapes: fonts of Debian packages, turned into grey masks."""
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONT_ROOT = Path("/usr/share/fonts/truetype")  # where Debian's font packages install
GLYPH_HEIGHT = 96  # masks are drawn this high (digit 0) and scaled down later

TRAIN_FONTS = (
    "dejavu/DejaVuSans.ttf",
    "dejavu/DejaVuSans-Bold.ttf",
    "dejavu/DejaVuSansMono.ttf",
    "dejavu/DejaVuSerif-Bold.ttf",
    "liberation2/LiberationSans-Regular.ttf",
    "liberation2/LiberationSans-Bold.ttf",
    "liberation2/LiberationSerif-Bold.ttf",
    "liberation2/LiberationMono-Bold.ttf",
    "freefont/FreeSans.ttf",
    "freefont/FreeSansOblique.ttf",
    "freefont/FreeMonoBold.ttf",
    "freefont/FreeSerif.ttf",
)

# Never seen in training: a part of the test crops shows how far the network carries over.
HELD_OUT_FONTS = (
    "dejavu/DejaVuSansMono-Bold.ttf",
    "liberation2/LiberationMono-Regular.ttf",
    "freefont/FreeSansBold.ttf",
)


@lru_cache(maxsize=None)
def load(name, size):
    path = FONT_ROOT / name
    if not path.exists():
        raise SystemExit(f"{path}: not found. Install fonts-dejavu-core, fonts-liberation2, "
                         "fonts-freefont-ttf")
    return ImageFont.truetype(str(path), size)


@lru_cache(maxsize=None)
def _fitted(name):
    """The font at the size that makes digit 0 GLYPH_HEIGHT pixels high."""
    left, top, right, bottom = load(name, 100).getbbox("0")
    return load(name, round(100 * GLYPH_HEIGHT / (bottom - top)))


@lru_cache(maxsize=None)
def _full_size(name, digit):
    font = _fitted(name)
    left, top, right, bottom = font.getbbox(str(digit))
    mask = Image.new("L", (right - left, bottom - top), 0)
    ImageDraw.Draw(mask).text((-left, -top), str(digit), fill=255, font=font)
    return mask


@lru_cache(maxsize=4096)
def glyph(name, digit, height, squeeze):
    """Mask in 0..1 of one digit; digit 0 is `height` pixels high, widths are times `squeeze`."""
    mask = _full_size(name, digit)
    scale = height / GLYPH_HEIGHT
    size = (max(1, round(mask.width * scale * squeeze)), max(1, round(mask.height * scale)))
    return np.asarray(mask.resize(size, Image.BILINEAR), np.float32) / 255
