"""Measured and drawn text in the fonts that come with the product."""

import pytest
from PIL import Image, ImageDraw

from rich_agent.features.day_picture.lettering import FONTS, Lettering, Pen

SIZE = 32
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)


@pytest.fixture(scope="module")
def lettering() -> Lettering:
    """The fonts."""
    return Lettering()


def ink(lettering: Lettering, text: str) -> bytes:
    """The pixels of a text."""
    picture = Image.new("RGB", (120, 60), _WHITE)
    lettering.write(ImageDraw.Draw(picture), (10, 44), text, Pen(SIZE, _BLACK))
    return picture.tobytes()


@pytest.mark.parametrize(
    "text", ["日", "本", "予", "あ", "ア", "ー", "W", "é", "ł", "Ж", "ї", "Ω", "ά", "ạ", "–", "…"]
)
def test_lettering_has_a_glyph_of_its_own_for_each_script(lettering: Lettering, text: str) -> None:
    """Not the box that fonts draw for what they do not have, and not nothing."""
    assert lettering.drawable(text) == text
    boxes = set()
    for font in FONTS:
        picture = Image.new("RGB", (120, 60), _WHITE)
        face = lettering._face(font, SIZE)
        ImageDraw.Draw(picture).text((10, 44), "\uffff", fill=_BLACK, font=face, anchor="ls")
        boxes.add(picture.tobytes())
    assert ink(lettering, text) not in boxes | {ink(lettering, "")}


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("Ⅳ. 会議, 5\u202fч.", True),
        ("", True),
        ("会议", False),
        ("회의 5", False),
        ("Job: عمل", False),
    ],
)
def test_lettering_knows_whether_a_letter_is_missing(
    lettering: Lettering, text: str, *, has: bool
) -> None:
    """Marks and spaces do not count: a text is read without them."""
    assert lettering.has_letters(text) is has


def test_lettering_draws_different_characters_differently(lettering: Lettering) -> None:
    """As tofu would not."""
    drawn = {ink(lettering, character) for character in "日本語予定会議休憩仕事"}
    assert len(drawn) == len("日本語予定会議休憩仕事")


@pytest.mark.parametrize(
    ("text", "drawable"),
    [
        ("Lunch 🍜 with 友", "Lunch with 友"),
        ("①ｶﾅ㈱", "1カナ(株)"),
        ("中文会议", "中文会…"),
        ("한국어", ""),
        ("👩‍👩‍👧", ""),
        ("a\u202eb\u2066c\x00\ud800", "abc"),
        ("Café 한", "Café …"),
        (" a \t b ", "a b"),
    ],
)
def test_lettering_leaves_out_what_no_font_has(
    lettering: Lettering, text: str, drawable: str
) -> None:
    """Simpler forms stand for some; most of the letters have to be there."""
    assert lettering.drawable(text) == drawable


@pytest.mark.parametrize(
    "text", ["word " * 30, "W" * 120, "検索手法の比較実験、結果（まとめ）" * 5, "a" * 40 + " b"]
)
def test_lettering_breaks_and_cuts_by_measured_width(lettering: Lettering, text: str) -> None:
    """No line is wider than the room; only the last one is cut."""
    lines = lettering.wrap(text, SIZE, 300, 3)
    assert len(lines) == 3 or (len(lines) < 3 and not lines[-1].endswith("…"))
    assert all(0 < lettering.width(line, SIZE) <= 300 for line in lines)
    assert all(not line.startswith(("、", "）", " ")) for line in lines)
    assert lettering.width(lettering.cut(text, SIZE, 200), SIZE) <= 200


def test_lettering_keeps_what_fits(lettering: Lettering) -> None:
    """A short text is one line, whole."""
    assert lettering.wrap("予定", SIZE, 300, 3) == ["予定"]
    assert lettering.cut("予定", SIZE, 300) == "予定"
    assert lettering.wrap("", SIZE, 300, 3) == []
