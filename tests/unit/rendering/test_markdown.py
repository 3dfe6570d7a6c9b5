import time

import pytest

from rich_agent.rendering.dialect import read_dialect
from rich_agent.rendering.markdown import LONG_QUOTE_UNITS, convert
from tests.unit.rendering.seen import marked, rendered


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# One\n## Two\n###### Six", "One\nTwo\nSix"),
        ("a\n\nb\nc", "a\n\nb\nc"),
        ("a  \nb\\\nc", "a\nb\nc"),
        ("- a\n- b\n  - c\n    - d\n- e", "• a\n• b\n  • c\n    • d\n• e"),
        ("3. a\n4. b\n   1. c", "3. a\n4. b\n  1. c"),
        ("- [x] done\n- [ ] to do\n  - [ ] more", "☑ done\n☐ to do\n  ☐ more"),
        ("- a\n\n  more\n\n- b", "• a\n  more\n• b"),
        ("a:\n- b\n\nc", "a:\n• b\n\nc"),
        ("-\n- b", "• \n• b"),
        ("a\n\n---\n\nb", "a\n\n————————\n\nb"),
        ("a ~~b~~ ~5 to ~10", "a b ~5 to ~10"),
        ("a&amp;b &lt;c&gt; &copy;", "a&b <c> ©"),
        (r"\*a\* \_b\_ \[1\] 1\. c", "*a* _b_ [1] 1. c"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        (
            "<b>a</b> <br> <!-- c -->\n\n<div>\n**d**\n</div>",
            "<b>a</b> <br> <!-- c -->\n\n<div>\nd\n</div>",
        ),
        ("x < y > z <- a", "x < y > z <- a"),
        ("2*3*4 = 24, x*y*z, 2**10 and 3**2", "2*3*4 = 24, x*y*z, 2**10 and 3**2"),
        ("At https://a.example/a_b/__init__.py.", "At https://a.example/a_b/__init__.py."),
        ("**https://a.example/x*y*z**: *a*", "https://a.example/x*y*z: a"),
        ("www.a.example/_a_/*b*, a/__init__.py", "www.a.example/_a_/*b*, a/__init__.py"),
        ("H<sub>2</sub>O, m<SUP>3</SUP>, v<sub>max</sub>", "H₂O, m³, v_(max)"),
        ("`H<sub>2</sub>O 2*3*4 [^1]`", "H<sub>2</sub>O 2*3*4 [^1]"),
        ("A.[^1] B.[^b]\n\n[^1]: C.\n[^b]: D.", "A.¹ B.[b]\n\n¹ C.\n[b] D."),
        ("これは*重要*です", "これは重要です"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("a\x00b\x07c\u202ed", "abcd"),
        ("if (a || b || c) || d", "if (a || b || c) || d"),
        ("```\ncode", "code"),
        ("    indented\n    code", "indented\ncode"),
        ("| a |", "| a |"),
        ("あ **b** `**「c」**d`", "あ b **「c」**d"),
        ("", ""),
    ],
)
def test_convert_shows_every_construct_in_words(markdown: str, text: str) -> None:
    """No symbol is added but those of lists and rules, and nothing is dropped."""
    assert convert(markdown).text == text


@pytest.mark.parametrize(
    ("markdown", "kind", "words"),
    [
        ("# A **b** c", "bold", ["A b c"]),
        ("##### small", "bold", ["small"]),
        (
            "これは**「重要」**です。**大事！**な**点（注）**も",
            "bold",
            ["「重要」", "大事！", "点（注）"],
        ),
        ("**名前**：**値**", "bold", ["名前", "値"]),
        ("`あ**「b」**` **c**", "bold", ["c"]),
        ("**a *b* c**", "italic", ["b"]),
        ("***a***", "bold", ["a"]),
        ("~~a~~", "strikethrough", ["a"]),
        ("a ||secret **b**|| c", "spoiler", ["secret b"]),
        ("||a||\n\n| x || y |", "spoiler", ["a"]),
        ("`||a||` ||b||", "spoiler", ["b"]),
        ("- ||a||", "spoiler", ["a"]),
        ("**`a` b**", "bold", [" b"]),
        ("> a\n> - b\n\nc", "blockquote", ["a\n• b"]),
        ("> a\n> > b", "blockquote", ["a\nb"]),
        ("> ```py\n> a\n> ```", "pre", ["a"]),
        ("- **a** b", "bold", ["a"]),
        ("1. `a`\n2. [b](https://b.example)", "code", ["a"]),
        ("[**a**](https://a.example)", "bold", ["a"]),
    ],
)
def test_convert_marks_what_was_marked(markdown: str, kind: str, words: list[str]) -> None:
    """Marks cover their words, not bullets, and do not lie over code."""
    assert marked(convert(markdown), kind) == words


def test_convert_folds_long_quotes_only() -> None:
    """A short quote is read at once."""
    short, long = convert("> " + "word " * 20), convert("> " + "word " * LONG_QUOTE_UNITS)
    assert [entity.type for entity in short.entities] == ["blockquote"]
    assert [entity.type for entity in long.entities] == ["expandable_blockquote"]


@pytest.mark.parametrize(
    ("fence", "language"),
    [("```python", "python"), ("~~~ c++ title=x", "c++"), ("```", None), ("```{.js}", None)],
)
def test_convert_keeps_the_language_of_code(fence: str, language: str | None) -> None:
    """The first word of a fence names it."""
    (block,) = convert(f"{fence}\nx\n{fence[:3]}").entities
    assert (block.type, block.language) == ("pre", language)


def test_convert_shows_an_image_by_its_words_or_its_address() -> None:
    """A picture cannot be shown in a text; nothing of it vanishes."""
    message = convert("![chart](https://a.example/c.png) ![](https://a.example/d.png)")
    assert message.text == "chart https://a.example/d.png"
    assert marked(message, "text_link") == ["chart"]


def test_render_says_something_when_there_is_nothing_to_see() -> None:
    """Telegram refuses a message of white space and invisible characters."""
    assert rendered("\u200b \u2060\n\x07\ufeff").text == "…"


def test_spoilers_are_read_in_linear_time() -> None:
    """Also marks that never close, and many of them in one line."""
    began = time.process_time()
    for text in ("||a||| " * 14_000, "||a" * 33_000, "||a " * 25_000):
        read_dialect(text)
    assert time.process_time() - began < 1
