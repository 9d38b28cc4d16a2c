"""How one counter looks: every random choice about a meter's face is made here."""
from dataclasses import dataclass
from typing import Optional, Tuple

Colour = Tuple[float, float, float]


@dataclass
class Style:
    font: str
    drum_width: int      # of a drum's window, canvas pixels
    drum_height: int
    gap: int             # between two windows
    digit_height: float  # share of the window
    squeeze: float       # horizontal scale of the digits
    pitch: float         # distance of two digits on the drum, in window heights
    bend: float          # half of the drum's visible angle, radians
    light: float         # light from below (-1) to above (1)
    edge: float          # how dark the edges between drums are, 0..1
    shadow: float        # shadow of the window's upper frame, 0..1
    plate: Colour
    paper: Colour
    ink: Colour
    fraction_paper: Colour
    fraction_ink: Colour
    fraction_frame: Optional[Colour]


def _tinted(rng, low, high):
    level = rng.uniform(low, high)
    return tuple(float(level + rng.uniform(-8, 8)) for _ in range(3))


def _red(rng):
    return (float(rng.uniform(150, 215)), float(rng.uniform(20, 55)), float(rng.uniform(20, 50)))


def drum_colours(rng, light_drum):
    if light_drum:
        return _tinted(rng, 185, 240), _tinted(rng, 10, 60)
    return _tinted(rng, 15, 70), _tinted(rng, 190, 245)


def fraction_colours(rng, kind, paper, ink):
    """(paper, ink, frame) of the drums behind the decimal mark."""
    if kind == "frame":
        return paper, ink, _red(rng)
    if kind == "drum":
        return _red(rng), _tinted(rng, 205, 245), None
    return _tinted(rng, 195, 240), _red(rng), None


def random_style(rng, fonts, light_drum=None, fraction=None):
    if light_drum is None:
        light_drum = rng.random() < 0.45
    if fraction is None:
        fraction = ("frame", "drum", "ink")[rng.integers(3)]
    paper, ink = drum_colours(rng, light_drum)
    fraction_paper, fraction_ink, frame = fraction_colours(rng, fraction, paper, ink)
    height = int(rng.integers(92, 117))
    return Style(
        font=fonts[rng.integers(len(fonts))],
        drum_width=int(height * rng.uniform(0.62, 0.76)),
        drum_height=height,
        gap=int(rng.integers(2, 19)),
        digit_height=float(rng.uniform(0.58, 0.78)),
        squeeze=float(round(rng.uniform(0.8, 1.05), 2)),
        pitch=float(rng.uniform(0.98, 1.15)),
        bend=float(rng.uniform(0.3, 0.85)),
        light=float(rng.uniform(-1, 1)),
        edge=float(rng.uniform(0.2, 0.9)),
        shadow=float(rng.uniform(0, 0.6)),
        plate=_tinted(rng, 20, 225),
        paper=paper, ink=ink,
        fraction_paper=fraction_paper, fraction_ink=fraction_ink, fraction_frame=frame,
    )
