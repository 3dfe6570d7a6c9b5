"""Answers a question about an image from its pixels, and says what it cannot answer."""

import re
from collections import Counter

from rich_agent_sandbox.model.answering.small_talk import say
from rich_agent_sandbox.model.language.phrases import (
    asks_for_size,
    asks_to_count,
    asks_to_read,
    asks_what_is_shown,
    asks_where,
)
from rich_agent_sandbox.model.language.text import cjk_runs, content_terms, is_japanese, normalise
from rich_agent_sandbox.model.language.tongues import content_of, language_of
from rich_agent_sandbox.model.vision.colours import NAMES
from rich_agent_sandbox.model.vision.describing import (
    SIDE,
    MeasuredImage,
    describe_image,
    measure_image,
)
from rich_agent_sandbox.model.vision.image_summary import Table
from rich_agent_sandbox.model.vision.regions import Region

SHAPES = ("circle", "ellipse", "square", "rectangle", "triangle", "irregular shape")
_JAPANESE = {
    "円": "circle", "丸": "circle", "楕円": "ellipse", "正方形": "square", "四角": "square",
    "長方形": "rectangle", "三角": "triangle", "赤": "red", "青": "blue", "緑": "green",
    "黄色": "yellow", "オレンジ": "orange", "紫": "purple", "ピンク": "pink", "黒": "black",
    "灰色": "grey", "茶色": "brown", "水色": "sky blue",
}  # fmt: skip
_OF_ANY_PICTURE = frozenset(
    content_terms(
        "picture image photo screenshot describe description show shown see seen look tell about"
        " bild foto beschreib beschreibe imagen describe photo décris immagine"
    )
)
_PLURAL = r"(?:e?s)?\b"


def look(data: bytes, question: str) -> str:
    """The text, cell, count, place, size or colour that is asked for, else the description.

    Raises: ImageUnreadableError.
    """
    measured = measure_image(data)
    japanese = is_japanese(question)
    if asks_to_read(question):
        return _text(measured, japanese=japanese)
    report = describe_image(data)
    if cell := next(filter(None, (Table.read(t).answer(question) for t in report.tables)), ""):
        return cell
    shapes = _meant(measured, question)
    if asks_to_count(question):
        return _count(shapes, japanese=japanese)
    if shapes and (size := asks_for_size(question)):
        shapes = [(max if size == "largest" else min)(shapes, key=lambda found: found[1].share)]
    if shapes and (asks_where(question) or _names_shape(question) or asks_for_size(question)):
        told = "\n".join(f"- {_name(shape, measured)} {_place(shape)}" for shape in shapes)
        return told if len(shapes) > 1 else told.removeprefix("- ")
    told = report.summary
    return told if is_seen(question, told) else unseen(told, language_of(question))


def is_seen(question: str, told: str) -> bool:
    """Whether a description is relevant to the question, or the question asks for all of it."""
    if asks_what_is_shown(question) or asks_to_count(question):
        return True
    named = set(content_terms(" ".join(content_of(question)))) - _OF_ANY_PICTURE
    return not named or bool(cjk_runs(question)) or bool(named & set(content_terms(told)))


def unseen(told: str, language: str) -> str:
    """A reply that the question cannot be answered from pixels, with the description."""
    return f"{say('unseen', language)} {told}"


def _text(measured: MeasuredImage, *, japanese: bool) -> str:
    if not measured.text.lines:
        return "読み取れる文字はありません。" if japanese else "There is no text that I can read."
    lines = "\n".join(measured.text.lines)
    return f"文字は次のとおりです。\n{lines}" if japanese else f"The text reads:\n{lines}"


def _count(shapes: list[tuple[str, Region]], *, japanese: bool) -> str:
    counted = Counter(f"{NAMES[region.colour]} {shape}" for shape, region in shapes)
    listed = ", ".join(f"{number} × {name}" for name, number in counted.items())
    if japanese:
        return f"平らな図形を {len(shapes)} 個数えました。{listed}".rstrip()
    noun = "flat shape" if len(shapes) == 1 else "flat shapes"
    return f"I count {len(shapes)} {noun}: {listed or 'none of that kind'}."


def _meant(measured: MeasuredImage, question: str) -> list[tuple[str, Region]]:
    """The shapes that a question names by colour or form; all if it names neither."""
    asked = _in_english(normalise(question))
    found = [
        (region.shape(measured.width / measured.height), region)
        for region in measured.regions
        if not region.touches_all_edges(SIDE, SIDE)
    ]
    colours = {name for name in NAMES if re.search(rf"\b{name}\b", asked)}
    forms = {form for form in SHAPES if re.search(rf"\b{form}{_PLURAL}", asked)}
    return [
        (form, region)
        for form, region in found
        if (not colours or NAMES[region.colour] in colours) and (not forms or form in forms)
    ]


def _names_shape(question: str) -> bool:
    asked = _in_english(normalise(question))
    return any(re.search(rf"\b{form}{_PLURAL}", asked) for form in SHAPES)


def _in_english(question: str) -> str:
    """The question with its Japanese names of shapes and colours in English."""
    return " ".join([question, *(name for word, name in _JAPANESE.items() if word in question)])


def _name(found: tuple[str, Region], measured: MeasuredImage) -> str:
    form, region = found
    share = region.share * measured.width * measured.height
    article = "An" if NAMES[region.colour][0] in "aeiou" else "A"
    return f"{article} {NAMES[region.colour]} {form} (about {share:,.0f} pixels)"


def _place(found: tuple[str, Region]) -> str:
    """The position of a shape's middle in a 3 × 3 grid, in words."""
    top, left, bottom, right = found[1].box
    row = ("upper", "", "lower")[min(2, (top + bottom) * 3 // (2 * SIDE))]
    column = ("left", "", "right")[min(2, (left + right) * 3 // (2 * SIDE))]
    if not row and not column:
        return "in the middle"
    return f"at the {row} {column or 'centre'}" if row else f"in the middle of the {column} side"
