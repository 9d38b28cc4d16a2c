"""The six committed pictures: which counter, which value, which camera."""
from dataclasses import dataclass

from camera import Camera
from style import random_style


@dataclass
class Picture:
    value: float    # in units of the last drum
    drums: int
    decimals: int   # drums behind the decimal mark
    unit: str
    light_drum: bool
    fraction: str   # "frame", "drum" or "ink": how the decimals are told apart
    font: str
    camera: Camera

    def style(self, rng):
        face = random_style(rng, (self.font,), self.light_drum, self.fraction)
        face.plate = (196.0, 198.0, 194.0) if self.light_drum else (66.0, 70.0, 74.0)
        return face


def _camera(tilt=0.0, skew=0.015, blur=0.5, glare=0.0, gain=0.9, offset=8.0, noise=1.5):
    return Camera(tilt, skew, blur, glare, gain, offset, noise)


_DEJAVU = "dejavu/DejaVuSans.ttf"
_MONO = "dejavu/DejaVuSansMono.ttf"
_SANS = "liberation2/LiberationSans-Bold.ttf"
_SERIF = "liberation2/LiberationSerif-Bold.ttf"
_FREE = "freefont/FreeSans.ttf"

PICTURES = (
    Picture(48213.1, 5, 0, "kWh", False, "frame", _SANS, _camera()),
    Picture(60937.3, 6, 1, "kWh", False, "frame", _DEJAVU, _camera(tilt=0.02, noise=2.0)),
    Picture(257804.0, 6, 2, "m³", True, "drum", _FREE, _camera(skew=0.03, gain=0.8)),
    # 9 going to 0 turns three drums at once; they are 30 % gone, so the old digits are read.
    Picture(173299.3, 6, 0, "MWh", True, "ink", _SERIF, _camera(blur=0.8)),
    # The same moment 70 % gone: the new digits are read.
    Picture(4506899.7, 7, 3, "m³", False, "drum", _MONO, _camera(tilt=-0.015)),
    Picture(9081546.2, 7, 1, "GJ", True, "ink", _SANS,
            _camera(tilt=-0.02, skew=0.04, glare=90.0, gain=0.65, noise=2.5)),
)
