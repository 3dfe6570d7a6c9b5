"""Recognises the sample pictures by a small copy, also if they are scaled or recompressed."""

import io
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from rich_agent_sandbox.pictures import SamplePicture, sample_pictures

_SIDE = 32
_MOST_APART = 3.0  # mean difference of a pixel, 0..255; JPEG makes about 1, another chart over 10
_RATIOS_APART = 0.02


def known_picture(image: Image.Image) -> SamplePicture | None:
    """The sample picture that an RGB image shows, None for other images."""
    seen, ratio = _small(image), image.width / image.height
    for sample in sample_pictures():
        known, known_ratio = _of_sample(sample.name)
        if abs(ratio / known_ratio - 1) < _RATIOS_APART:
            apart = np.abs(seen.astype(np.int16) - known.astype(np.int16)).mean()
            if apart < _MOST_APART:
                return sample
    return None


@cache
def _of_sample(name: str) -> tuple[NDArray[np.uint8], float]:
    sample = next(one for one in sample_pictures() if one.name == name)
    with Image.open(io.BytesIO(sample.content), formats=("PNG",)) as image:
        return _small(image.convert("RGB")), image.width / image.height


def _small(image: Image.Image) -> NDArray[np.uint8]:
    return np.asarray(image.resize((_SIDE, _SIDE), Image.Resampling.BOX), dtype=np.uint8)
