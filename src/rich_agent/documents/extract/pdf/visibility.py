"""Tells which words of a PDF page a person sees.

Where colours do not tell it, the page is rendered with and without the text, and the pixels are
compared.
"""

import ctypes
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import pypdfium2 as pdfium
from PIL import Image, ImageChops
from pypdfium2 import raw

from rich_agent.documents.extract.pdf.doubts import (
    Doubt,
    PageObject,
    PageTexts,
)
from rich_agent.documents.extract.pdf.page_objects import box_of_object
from rich_agent.documents.extract.pdf.words import Box

_SEEN_LEVELS = 16
"""The least contrast in pixels, where strokes are paler than their colour."""
_INK_SHARE, _SEEN_SHARE = 0.03, 0.4
"""Shares of the pixels of a word that letters have, and of its rows and columns."""
_ROW, _MOST_ROWS = 8.0, 32
"""The height of rows that texts are looked up by, in points, and the most that are looked at."""
_PIXELS = 2_100_000
_RENDERING_S = 6.0
_SAME_PLACE = 0.5
"""The offset of a shadow, as a share of the height of its text."""
_EMPTY_BYTES = 2


@dataclass(slots=True)
class RenderingTime:
    """The processor time for rendering pages of a document; then, doubtful words count as seen."""

    left_s: float = _RENDERING_S

    @contextmanager
    def spent(self) -> Iterator[None]:
        """Subtract what is done within."""
        start = time.process_time()
        try:
            yield
        finally:
            self.left_s -= time.process_time() - start


class PageVisibility:
    """Tells which words of a page a person sees."""

    def __init__(
        self, page: pdfium.PdfPage, text: pdfium.PdfTextPage, rendering: RenderingTime
    ) -> None:
        self._page, self._text, self._rendering = page, text, rendering
        self._texts = PageTexts(page)
        self._doubts = {_address(item): (doubt, item) for item, doubt in self._texts.doubts()}

    @property
    def has_doubts(self) -> bool:
        """Whether a person may not see some of the words."""
        return bool(self._doubts)

    def doubts(self, address: int) -> bool:
        """Whether a person may not see words of the text object at an address."""
        return address in self._doubts

    def shows(self, address: int, boxes: Callable[[], Iterable[Box]]) -> bool:
        """Whether a person sees a word of the text object at an address.

        `boxes` gives the boxes of its letters, in points of the page.
        """
        doubt, item = self._doubts.get(address, (None, None))
        if doubt is None:
            return True
        if doubt is not Doubt.COLOUR:
            has_ink = doubt is Doubt.INK
            picture = self._without_texts if has_ink else self._drawn_by_texts
            if picture is None:
                return True
            area = self._area(picture, list(boxes()))
            if _has_ink(area) if has_ink else _has_letters(area):
                return True
        return self._is_doubled(item)

    @cached_property
    def _paper(self) -> Box:
        return Box(*self._page.get_bbox())

    @cached_property
    def _drawn_by_texts(self) -> Image.Image | None:
        """The pixels that doubtful texts change, None if there is no time for it."""
        if self._rendering.left_s <= 0:
            return None
        items = [item for doubt, item in self._doubts.values() if doubt is Doubt.PIXELS]
        with self._rendering.spent():
            with_texts = self._render()
            with _without(items):
                difference = ImageChops.difference(with_texts, self._render())
            red, green, blue = difference.split()
            levels = ImageChops.lighter(ImageChops.lighter(red, green), blue)
            return levels.point(lambda level: 255 if level > _SEEN_LEVELS else 0)

    @cached_property
    def _without_texts(self) -> Image.Image | None:
        """The page without texts, None if there is no time for it."""
        if self._rendering.left_s <= 0:
            return None
        with self._rendering.spent(), _without([item for _, item in self._texts.texts]):
            return self._render()

    def _area(self, picture: Image.Image, boxes: Sequence[Box]) -> Image.Image:
        """The part of a rendered page around boxes; at least a pixel."""
        paper, area = self._paper, Box.union(boxes)
        across = picture.width / (paper.right - paper.left)
        up = picture.height / (paper.top - paper.bottom)
        low_x = math.floor((area.left - paper.left) * across)
        low_y = math.floor((paper.top - area.top) * up)
        high_x = math.ceil((area.right - paper.left) * across)
        high_y = math.ceil((paper.top - area.bottom) * up)
        low_x, low_y = min(max(low_x, 0), picture.width - 1), min(max(low_y, 0), picture.height - 1)
        high_x = min(max(high_x, low_x + 1), picture.width)
        high_y = min(max(high_y, low_y + 1), picture.height)
        return picture.crop((low_x, low_y, high_x, high_y))

    def _is_doubled(self, item: PageObject) -> bool:
        """Whether a text is a shadow: drawn again beside it, but read only once by PDFium."""
        place = box_of_object(item)
        slack = _SAME_PLACE * (place[3] - place[1])
        rows = range(int((place[1] - slack) // _ROW), int((place[1] + slack) // _ROW) + 1)
        return any(
            all(abs(a - b) < slack for a, b in zip(place, other_place, strict=True))
            and raw.FPDFTextObj_GetText(other, self._text, None, 0) <= _EMPTY_BYTES
            for row in rows[:_MOST_ROWS]
            for other_place, other in self._others_by_row.get(row, ())
        )

    @cached_property
    def _others_by_row(self) -> Mapping[int, Sequence[tuple[Box, PageObject]]]:
        """The texts that are certainly seen, with their boxes, by the height where they stand."""
        others = defaultdict(list)
        for _, item in self._texts.texts:
            if _address(item) not in self._doubts:
                place = box_of_object(item)
                others[int(place[1] // _ROW)].append((place, item))
        return others

    def _render(self) -> Image.Image:
        width, height = self._page.get_size()
        scale = math.sqrt(_PIXELS / max(width * height, 1.0))
        bitmap = self._page.render(
            scale=scale,
            rotation=-self._page.get_rotation() % 360,
            may_draw_forms=False,
            bitmap_maker=pdfium.PdfBitmap.new_native,
        )
        picture: Image.Image = bitmap.to_pil().convert("RGB")
        bitmap.close()
        return picture


@contextmanager
def _without(items: Sequence[PageObject]) -> Iterator[None]:
    """Switch text objects off while something is done."""
    for item in items:
        raw.FPDFPageObj_SetIsActive(item, 0)
    try:
        yield
    finally:
        for item in items:
            raw.FPDFPageObj_SetIsActive(item, 1)


def _address(item: PageObject) -> int:
    return ctypes.addressof(item.contents)


def _has_letters(area: Image.Image) -> bool:
    """Whether pixels change as they do where letters are seen: enough, and not in few rows."""
    columns, rows = area.getprojection()
    return (
        area.histogram()[-1] >= _INK_SHARE * area.width * area.height
        and sum(columns) >= _SEEN_SHARE * area.width
        and sum(rows) >= _SEEN_SHARE * area.height
    )


def _has_ink(area: Image.Image) -> bool:
    """Whether something other than a plain colour is seen."""
    extrema = [channel.getextrema() for channel in area.split()]
    return any(cast("int", high) - cast("int", low) > _SEEN_LEVELS for low, high in extrema)
