"""The parse modes HTML and MarkdownV2."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rich_agent_sandbox.telegram.refusals import BotApiError
from rich_agent_sandbox.telegram.text.html_markup import parse_html
from rich_agent_sandbox.telegram.text.markdown_markup import parse_markdown_v2


def shape(parsed: tuple[str, list[Any]]) -> tuple[str, list[tuple[Any, ...]]]:
    """The text, and its entities by place."""
    text, entities = parsed
    found = [(item.type, item.offset, item.length, *item.extra.values()) for item in entities]
    return text, sorted(found, key=lambda item: (item[1], -item[2], item[0]))


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("<b>a <i>b</i></b>", "a b", [("bold", 0, 3), ("italic", 2, 1)]),
        ("👋<u>a</u><s>b</s>", "👋ab", [("underline", 2, 1), ("strikethrough", 3, 1)]),
        (
            '<a href="https://x.y/?a=1&amp;b">l</a>',
            "l",
            [("text_link", 0, 1, "https://x.y/?a=1&b")],
        ),
        ("&lt;b&gt; &#128075; &nbsp;", "<b> 👋 &nbsp;", []),
        ("<pre><code class='language-py'>x</code></pre>", "x", [("pre", 0, 1, "py")]),
        ("<pre>x</pre>", "x", [("pre", 0, 1)]),
        ("<blockquote expandable>q</blockquote>", "q", [("expandable_blockquote", 0, 1)]),
        ('<span class="tg-spoiler">s</span>', "s", [("spoiler", 0, 1)]),
        ("<b></b>a", "a", []),
    ],
)
def test_parse_html_reads_tags(source: str, text: str, entities: list[tuple[Any, ...]]) -> None:
    """Each tag becomes its entity, at UTF-16 offsets."""
    assert shape(parse_html(source)) == (text, entities)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("é<div>a</div>", 'Unsupported start tag "div" at byte offset 2'),
        ("<span>a</span>", 'Unsupported start tag "span" at byte offset 0'),
        ("a</b>", "Unexpected end tag at byte offset 1"),
        ("<b>a</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("<b>a", 'Can\'t find end tag corresponding to start tag "b"'),
        ("1 < 2", "Unclosed start tag at byte offset 2"),
    ],
)
def test_parse_html_refuses_in_telegrams_words(source: str, reason: str) -> None:
    """The reason names the tag and the byte."""
    with pytest.raises(BotApiError) as refused:
        parse_html(source)
    assert refused.value.description == f"Bad Request: can't parse entities: {reason}"


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("*a _b_*", "a b", [("bold", 0, 3), ("italic", 2, 1)]),
        (
            "__u__ ~s~ ||p||",
            "u s p",
            [("underline", 0, 1), ("strikethrough", 2, 1), ("spoiler", 4, 1)],
        ),
        ("👋 [l\\.](https://x.y/\\))", "👋 l.", [("text_link", 3, 2, "https://x.y/)")]),
        ("`a\\`b`", "a`b", [("code", 0, 3)]),
        ("```py\nx = 1\n```", "x = 1\n", [("pre", 0, 6, "py")]),
        (">q\n>r\nn", "q\nr\nn", [("blockquote", 0, 4)]),
        ("**>q\n>r||", "q\nr", [("expandable_blockquote", 0, 3)]),
        ("1\\. a\\!", "1. a!", []),
    ],
)
def test_parse_markdown_reads_marks(
    source: str, text: str, entities: list[tuple[Any, ...]]
) -> None:
    """Each mark becomes its entity, at UTF-16 offsets."""
    assert shape(parse_markdown_v2(source)) == (text, entities)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("a.", "Character '.' is reserved and must be escaped with the preceding '\\'"),
        ("a (b", "Character '(' is reserved and must be escaped with the preceding '\\'"),
        ("é*a", "Can't find end of Bold entity at byte offset 2"),
        ("*a _b*_", "Can't find end of Italic entity at byte offset 3"),
        ("`a", "Can't find end of Code entity at byte offset 0"),
        ("[a", "Can't find end of TextUrl entity at byte offset 0"),
    ],
)
def test_parse_markdown_refuses_in_telegrams_words(source: str, reason: str) -> None:
    """The reason names the character or the entity."""
    with pytest.raises(BotApiError) as refused:
        parse_markdown_v2(source)
    assert refused.value.description == f"Bad Request: can't parse entities: {reason}"


@given(st.text(alphabet="ab👋 \n\\*_~|`[]()>!.<b></b>&;", max_size=40))
def test_parse_modes_parse_or_refuse_anything(source: str) -> None:
    """Whatever comes, the outcome is a text with fitting entities, or a refusal."""
    for parse in (parse_html, parse_markdown_v2):
        try:
            text, entities = parse(source)
        except BotApiError:
            continue
        end = len(text.encode("utf-16-le")) // 2
        assert all(0 <= item.offset < item.end <= end for item in entities)
