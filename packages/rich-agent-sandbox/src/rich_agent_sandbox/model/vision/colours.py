"""Names for colours: the nearest of a small palette (CSS Color Module names)."""

import numpy as np
from numpy.typing import NDArray

NAMED_COLOURS: dict[str, tuple[int, int, int]] = {
    "black": (0, 0, 0),
    "dark grey": (72, 72, 72),
    "grey": (128, 128, 128),
    "light grey": (205, 205, 205),
    "white": (255, 255, 255),
    "red": (220, 20, 30),
    "dark red": (130, 0, 0),
    "orange": (255, 150, 0),
    "brown": (130, 75, 25),
    "tan": (210, 180, 140),
    "gold": (255, 200, 20),
    "yellow": (255, 245, 50),
    "olive": (128, 128, 0),
    "lime": (110, 255, 40),
    "green": (20, 150, 40),
    "dark green": (0, 75, 20),
    "teal": (0, 128, 128),
    "cyan": (0, 235, 245),
    "sky blue": (125, 200, 240),
    "blue": (20, 70, 240),
    "navy": (0, 0, 115),
    "purple": (128, 0, 150),
    "violet": (190, 110, 240),
    "magenta": (250, 20, 220),
    "pink": (255, 175, 195),
    "salmon": (250, 128, 114),
}
NAMES = tuple(NAMED_COLOURS)
_PALETTE = np.array(list(NAMED_COLOURS.values()), dtype=np.float64)


def nearest_names(pixels: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Index into `NAMES` of every pixel of an (height, width, 3) RGB array.

    Distance is "redmean", which follows the eye closer than plain RGB
    (https://www.compuphase.com/cmetric.htm).
    """
    rgb = pixels.astype(np.float64)[:, :, None, :]
    red_mean = (rgb[..., 0] + _PALETTE[:, 0]) / 2
    red, green, blue = np.moveaxis((rgb - _PALETTE) ** 2, -1, 0)
    distance = (2 + red_mean / 256) * red + 4 * green + (2 + (255 - red_mean) / 256) * blue
    nearest: NDArray[np.intp] = np.argmin(distance, axis=-1)
    return nearest
