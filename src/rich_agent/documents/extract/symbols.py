"""Characters of the fonts Symbol and Wingdings, whose letters are drawn as other signs.

Source: Unicode's mapping tables of both fonts, with the plainer of similar signs.
"""

from collections.abc import Mapping
from typing import Final

_SYMBOL: Final = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?"
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
)
_SYMBOL_ABOVE: Final = (
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|—↵"
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓"
    "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
)
# First code, and the signs from there on.
_WINGDINGS: Final = (
    (0x22, "✂"), (0x28, "☎✆✉"), (0x36, "⌛"), (0x3F, "✍"), (0x41, "✌"), (0x43, "👍👎☜☞☝☟"),
    (0x4A, "☺😐☹"), (0x51, "✈☼"), (0x54, "❄✝✞"), (0x6C, "●○■□□❑❒◆◆◆❖◆☒"), (0x7D, "“”"),
    (0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"), (0x9E, "·•▪○○○◉◎○▪☐▲✦★✶✴✹"), (0xB5, "✪✰"),
    (0xB7, "🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛"), (0xD8, "➢"), (0xDF, "←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳"),
    (0xFB, "✗✓☒☑"),
)  # fmt: skip
_WINGDINGS_2: Final = (
    (0x2A, "☐"), (0x4F, "✗✓☒☑☒☒"), (0x69, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"), (0x95, "·•••"), (0xA1, "■■☐"),
)  # fmt: skip
_WINGDINGS_3: Final = ((0x66, "←→↑↓↖↗↙↘↔↕▲▼△▽◀▶◁▷"), (0x7C, "◀▶"), (0x84, "▶"))
_WEBDINGS: Final = ((0x61, "✔"), (0x63, "☐"), (0x67, "■"), (0x69, "ℹ"), (0x72, "✗❓"))


def _table(*rows: tuple[int, str]) -> dict[int, str]:
    return {first + place: sign for first, signs in rows for place, sign in enumerate(signs)}


_FONTS: Final[Mapping[str, Mapping[int, str]]] = {
    "symbol": _table((0x20, _SYMBOL), (0xA0, _SYMBOL_ABOVE)),
    "wingdings": _table((0x20, " "), *_WINGDINGS),
    "wingdings 2": _table((0x20, " "), *_WINGDINGS_2),
    "wingdings 3": _table((0x20, " "), *_WINGDINGS_3),
    "webdings": _table((0x20, " "), *_WEBDINGS),
}
_PRIVATE: Final = range(0xF000, 0xF100)


def is_symbol_font(font: str) -> bool:
    """Whether letters in this font are drawn as other signs."""
    return font.lower() in _FONTS


def symbol(font: str, code: int) -> str:
    """The character that a font draws for a code of 8 bits, or one of the private area above it.

    "" if the sign has no character, or is not known.
    """
    signs = _FONTS.get(font.lower())
    place = code - _PRIVATE.start if code in _PRIVATE else code
    if signs is None:
        return "" if code in _PRIVATE else chr(code)
    return signs.get(place, "" if code in _PRIVATE or place < 0x100 else chr(code))
