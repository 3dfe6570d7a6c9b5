"""Tells which colours a slide's text and its background have, as far as its XML says so."""

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from lxml import etree

from rich_agent.documents.extract.colours import Colour, named_colour

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_WHOLE: Final = 100_000  # percentages count in thousandths
_FAINT: Final = 10_000
_SOLID_BACKGROUND: Final = "1001"  # index of a theme's first background, which is plain
_PAINTS: Final = ("solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "noFill")


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a theme by name, and the names that a slide's master gives them."""

    colours: Mapping[str, Colour]
    names: Mapping[str, str]

    def colour(self, paint: etree._Element | None) -> Colour:
        """The colour within an element such as `solidFill`, None if it is not plain."""
        value = next(iter(paint), None) if paint is not None else None
        if value is None:
            return None
        kind, name = etree.QName(value).localname, value.get("val", "")
        if kind == "schemeClr":
            colour = self.colours.get(self.names.get(name, name))
        elif kind == "sysClr":
            colour = named_colour(f"#{value.get('lastClr', '')}")
        else:
            colour = named_colour(f"#{name}" if kind == "srgbClr" else name)
        return _adjusted(colour, value) if colour is not None else None


def read_palette(theme: etree._Element | None, colour_map: etree._Element | None) -> Palette:
    """The palette of a theme and of the names in a `clrMap`."""
    scheme = theme.find(f".//{A}clrScheme") if theme is not None else None
    plain = Palette({}, {})
    entries = scheme if scheme is not None else ()
    colours = {etree.QName(entry).localname: plain.colour(entry) for entry in entries}
    names = colour_map.attrib if colour_map is not None else {}
    return Palette(colours, {str(key): str(value) for key, value in names.items()})


def _adjusted(colour: tuple[int, int, int], value: etree._Element) -> Colour:
    """A colour after the changes of its brightness that stand within it."""
    hue, light, saturation = colorsys.rgb_to_hls(*(channel / 255 for channel in colour))
    for change in value:
        share = _share(change)
        match etree.QName(change).localname:
            case "lumMod" | "shade":
                light *= share
            case "lumOff":
                light += share
            case "tint":
                light = 1 - (1 - light) * share
    channels = colorsys.hls_to_rgb(hue, min(1.0, max(0.0, light)), saturation)
    red, green, blue = (round(255 * channel) for channel in channels)
    return red, green, blue


def _share(change: etree._Element) -> float:
    text = change.get("val", "")
    return int(text[:7]) / _WHOLE if text.isdecimal() else 1.0


def is_clear(paint: etree._Element) -> bool:
    """Whether a paint lets all through."""
    alphas = [alpha.get("val", "") for alpha in paint.iter(f"{A}alpha")]
    return paint.tag == f"{A}noFill" or any(
        alpha.isdecimal() and int(alpha[:7]) < _FAINT for alpha in alphas
    )


def paint_of(properties: etree._Element | None) -> etree._Element | None:
    """The paint among the properties of a shape, a run or a cell, None if they have none."""
    if properties is None:
        return None
    return next((child for child in properties if etree.QName(child).localname in _PAINTS), None)


def background(root: etree._Element, palette: Palette) -> tuple[bool, Colour]:
    """Whether a slide, layout or master has a background of its own, and its colour."""
    element = root.find(f"{_P}cSld/{_P}bg")
    if element is None:
        return False, None
    reference = element.find(f"{_P}bgRef")
    if reference is not None:
        is_plain = reference.get("idx") == _SOLID_BACKGROUND
        return True, palette.colour(reference) if is_plain else None
    paint = paint_of(element.find(f"{_P}bgPr"))
    is_plain = paint is not None and paint.tag == f"{A}solidFill"
    return True, palette.colour(paint) if is_plain else None
