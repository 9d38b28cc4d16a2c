"""Draws the face of a mechanical counter: drums, windows, plate.

A drum's position is a number in [0, 10): 3.0 shows a 3 upright, 3.4 shows it leaving upwards
with the 4 following from below.
"""
import numpy as np
from PIL import Image, ImageDraw

from fonts import glyph, load

MARGIN_X, MARGIN_Y = 44, 44  # plate around the windows, canvas pixels


def label_of(position):
    """The digit read: the leaving one until it is more than half gone, then the next."""
    return int(np.ceil(position - 0.5)) % 10


def odometer(value, count):
    """Positions of `count` drums, most significant first, that show `value` (in last-drum units).

    The last drum turns evenly. Each other one stands still and moves on together with its right
    neighbour's step from 9 to 0, so that all drums of a carry are half gone at the same moment.
    """
    positions = [value % 10]
    for k in range(1, count):
        carry = max(0.0, positions[0] - 9)
        positions.insert(0, int(value // 10 ** k) % 10 + carry)
    return positions


def _strip(style, first):
    """Mask of a piece of the unrolled drum: four digits from `first` on, evenly spaced."""
    pitch = round(style.pitch * style.drum_height)
    strip = np.zeros((4 * pitch, style.drum_width), np.float32)
    height = round(style.digit_height * style.drum_height)
    for k in range(4):
        mask = glyph(style.font, (first + k) % 10, height, style.squeeze)
        mask = mask[:pitch, :style.drum_width]
        top = k * pitch + (pitch - mask.shape[0]) // 2
        left = (style.drum_width - mask.shape[1]) // 2
        strip[top:top + mask.shape[0], left:left + mask.shape[1]] = mask
    return strip


def _angles(style):
    """The drum's angle that each row of the window looks at, radians from its middle."""
    rows = (np.arange(style.drum_height) + 0.5) / style.drum_height * 2 - 1
    return np.arcsin(rows * np.sin(style.bend))


def _rolled(style, position):
    """Mask of the digits in the window, bent around the drum."""
    first = int(np.floor(position)) - 1
    strip = _strip(style, first % 10)
    pitch = strip.shape[0] / 4
    from_middle = _angles(style) / style.bend * style.drum_height / 2
    rows = (position - first + 0.5) * pitch + from_middle - 0.5
    low = np.clip(np.floor(rows).astype(int), 0, strip.shape[0] - 2)
    share = (rows - low)[:, None].astype(np.float32)
    return strip[low] * (1 - share) + strip[low + 1] * share


def _shading(style):
    """Brightness of each pixel: round drum, light's direction, frame's shadow, drum's edges."""
    rows = np.cos(_angles(style) + 0.5 * style.light * style.bend)
    near_top = np.arange(style.drum_height) < 0.09 * style.drum_height
    rows = rows * np.where(near_top, 1 - style.shadow, 1)
    columns = np.ones(style.drum_width)
    columns[:2] = columns[-2:] = 1 - style.edge
    return (rows[:, None] * columns).astype(np.float32)


def drum(style, position, fraction):
    paper = np.array(style.fraction_paper if fraction else style.paper, np.float32)
    ink = np.array(style.fraction_ink if fraction else style.ink, np.float32)
    mask = _rolled(style, position)[:, :, None]
    return (paper * (1 - mask) + ink * mask) * _shading(style)[:, :, None]


def _windows(style, count):
    step = style.drum_width + style.gap
    return [(MARGIN_X + k * step, MARGIN_Y, style.drum_width, style.drum_height)
            for k in range(count)]


def _rgb(colour):
    return tuple(int(np.clip(c, 0, 255)) for c in colour)


def _frame(draw, style, windows, colour, grow):
    x0, y0 = windows[0][0] - grow, windows[0][1] - grow
    x1 = windows[-1][0] + style.drum_width + grow
    draw.rectangle((x0, y0, x1, y0 + style.drum_height + 2 * grow), fill=_rgb(colour))


def _plate(style, windows, decimals, unit):
    """The plate with its slot, the fraction's frame and the unit, as yet without drums."""
    width = windows[-1][0] + style.drum_width + MARGIN_X
    plate = Image.new("RGB", (width, style.drum_height + 2 * MARGIN_Y), _rgb(style.plate))
    draw = ImageDraw.Draw(plate)
    _frame(draw, style, windows, [0.35 * c for c in style.plate], 4)
    if decimals and style.fraction_frame:
        grow = min(9, 4 + style.gap // 2)
        _frame(draw, style, windows[-decimals:], style.fraction_frame, grow)
    text = (30, 30, 30) if np.mean(style.plate) > 120 else (220, 220, 220)
    font = load("dejavu/DejaVuSans.ttf", 24)
    draw.text((width - MARGIN_X, 10), unit, fill=text, font=font, anchor="ra")
    return plate


def counter(style, positions, decimals=0, unit="kWh"):
    """(canvas: float RGB array, windows: one x, y, w, h a drum)."""
    windows = _windows(style, len(positions))
    canvas = np.asarray(_plate(style, windows, decimals, unit), np.float32).copy()
    for k, (x, y, w, h) in enumerate(windows):
        fraction = k >= len(positions) - decimals
        canvas[y:y + h, x:x + w] = drum(style, positions[k], fraction)
    return canvas, windows
