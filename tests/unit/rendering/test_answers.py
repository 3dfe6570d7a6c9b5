import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.answer.links import links_in
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.rendering.answers import GrowingMessage, render
from tests.unit.rendering.seen import check_sendable, citation, rendered, shown

PIECES = (
    *("**bold** ", "_i_ ", "||s|| ", "`code` ", "$x$ ", "~~gone~~ ", "<b>html</b> "),
    *("[1]", "[2] and ", "[1]: https://gone.example\n", "[a](https://a.example) "),
    *("https://b.example/x?y=1 ", "![i](https://c.example) "),
    *("# Head\n", "- item\n", "1. one\n", "> quote\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"),
    *("```py\nx[1] = 2\n", "```\n", "<div>x</div>\n\n", "\n\n", "😀", "\x00", "\ud800", "\ue0f0"),
)
MARKDOWN = st.lists(st.text(max_size=80) | st.sampled_from(PIECES), max_size=60).map("".join)


@pytest.mark.costs("it tries many examples")
@settings(max_examples=150)
@given(MARKDOWN, st.integers(1, 60))
def test_render_keeps_to_telegrams_limits(text: str, times: int) -> None:
    """Every part of any answer can be sent."""
    answer = Answer(text * times, (citation(1, "https://a.example/1"), citation(2, "file:///x.md")))
    for message in render(answer, locale="en"):
        check_sendable(message)


@pytest.mark.costs("it tries many examples")
@settings(max_examples=150)
@given(MARKDOWN)
def test_growing_message_takes_any_prefix(text: str) -> None:
    """A growing text never breaks, wherever it is cut."""
    for end in range(0, len(text), 7):
        message = GrowingMessage().show(text[:end])
        if message:
            check_sendable(message)


@given(st.text(alphabet="abc d\n😀あ", max_size=400), st.integers(1, 80))
@settings(max_examples=60)
def test_render_loses_no_word_of_a_long_text(text: str, times: int) -> None:
    """Parts put together are the text."""
    parts = render(Answer(text * times), locale="en")
    together = "".join(part.text for part in parts)
    expected = re.sub(r"\s", "", text * times) or "…"
    assert re.sub(r"\s", "", together) == expected


def test_render_links_markers_to_their_sources() -> None:
    """A marker opens its source, and so does the line in the list of sources."""
    message = rendered(
        "It grows [1]. So [1][2].",
        citation(1, "https://a.example/doc#start"),
        citation(2, "https://b.example"),
    )
    assert message.text == (
        "It grows [1]. So [1][2].\n\nSources\n[1] Guide › Start\n[2] Guide › Start"
    )
    assert shown(message, "text_link") == [
        ("[1]", "https://a.example/doc#start"),
        ("[1]", "https://a.example/doc#start"),
        ("[2]", "https://b.example"),
        ("[1] Guide › Start", "https://a.example/doc#start"),
        ("[2] Guide › Start", "https://b.example"),
    ]
    assert shown(message, "bold") == [("Sources", None)]


def test_render_names_a_local_source_without_linking_it() -> None:
    """A file of the operator's machine cannot be opened by the user, but it has a name."""
    message = rendered("Yes [1].", citation(1, "file:///srv/docs/my%20guide.md"))
    assert message.text.endswith("[1] Guide › Start · my guide.md")
    assert shown(message, "text_link") == []
    assert shown(message, "code") == [("my guide.md", None)]


def test_render_keeps_markers_that_markdown_would_swallow() -> None:
    """A marker that looks like a link definition stays, with its text."""
    message = rendered("[1]: https://a.example/x is the place", citation(1, "https://a.example/x"))
    assert message.text.startswith("[1]: https://a.example/x is the place")
    assert shown(message, "text_link")[0] == ("[1]", "https://a.example/x")


def test_render_leaves_code_alone() -> None:
    """An index in code is no citation."""
    message = rendered("`a[1]`\n\n```py\nb[1] = 2\n```", citation(1, "https://a.example"))
    assert message.text.startswith("a[1]\nb[1] = 2") or "b[1] = 2" in message.text
    assert [text for text, _ in shown(message, "text_link")] == ["[1] Guide › Start"]
    assert message.entities[1].language == "py"


def test_render_shows_html_as_it_was_written() -> None:
    """Nothing of an answer vanishes because it looks like a tag."""
    assert rendered("a <b>c</b>\n\n<div>d</div>").text == "a <b>c</b>\n\n<div>d</div>"


def test_render_writes_headings_without_symbols() -> None:
    """A heading is bold, not decorated."""
    message = rendered("# Head\n\ntext")
    assert message.text == "Head\n\ntext"
    assert ("Head", None) in shown(message, "bold")


@pytest.mark.parametrize(
    "text",
    [
        "[click](https://evil.example/?q=secret)",
        "[click](tg://user?id=5)",
        "[click](javascript:alert(1))",
        "![image](https://evil.example/p.png)",
    ],
)
def test_render_takes_away_links_to_unknown_places(text: str) -> None:
    """An answer cannot lead anywhere but to its sources."""
    message = rendered(text)
    assert message.entities == ()
    assert "evil" not in message.text


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/?q=secret",
        "http://evil.example",
        "www.evil.example",
        "evil.com/secret",
        "secret.evil.example",
        "tg://resolve?domain=evil",
    ],
)
def test_render_shows_unknown_urls_as_code(url: str) -> None:
    """Telegram makes links of bare URLs, but not in code."""
    message = rendered(f"See {url}, it is **great**.")
    assert shown(message, "code") == [(url, None)]
    assert shown(message, "bold") == [("great", None)]


def test_render_keeps_links_that_the_user_wrote() -> None:
    """Links that the user brought may be clicked."""
    url = "https://user.example/page"
    message = rendered(f"[your page]({url}) is at {url}", allowed=tuple(links_in(f"Read {url}!")))
    assert shown(message, "text_link") == [("your page", url)]
    assert shown(message, "code") == []


def test_render_cuts_code_blocks_into_code_blocks() -> None:
    """A long block goes on as a block, in its language, cut at a line end."""
    code = "\n".join(f"    line_{n} = {n}" for n in range(400))
    parts = render(Answer(f"Here:\n\n```python\n{code}\n```\n\nEnd."), locale="en")
    assert len(parts) > 1
    for part in parts:
        check_sendable(part)
        (block,) = (entity for entity in part.entities if entity.type == "pre")
        assert block.language == "python"
    assert all(part.text.splitlines()[0].startswith("    line_") for part in parts[1:])
    assert all(re.search(r"= \d+\Z", part.text) for part in parts[:-1])
    assert parts[-1].text.endswith("End.")


def test_render_speaks_the_users_language() -> None:
    """The heading over the sources is ours to translate."""
    (message,) = render(Answer("はい [1]", (citation(1, "https://a.example"),)), locale="ja")
    assert "\n\n出典\n[1] " in message.text


def test_growing_message_has_no_links_yet() -> None:
    """A link that is still being written leads nowhere."""
    message = GrowingMessage().show("Look at [this](https://a.example) and https://b.example/x")
    assert message == RenderedMessage(
        "Look at this and https://b.example/x …", (TextEntity("code", 17, 19),)
    )


def test_growing_message_of_nothing_is_nothing() -> None:
    """Telegram takes no empty message."""
    assert GrowingMessage().show("  \n") is None
    assert render(Answer("  "), locale="en") == [RenderedMessage("…")]


def test_render_tells_the_web_and_the_users_photo_from_documents() -> None:
    """The list of sources says what kind each is; a photo is no link."""
    document = citation(1, "https://a.example/doc")
    web = replace(citation(2, "https://b.example"), id="web:1", kind="web")
    photo = replace(citation(3, ""), id="photo", kind="photo", title="Your photo", section="")
    message = rendered("So [1][2][3].", document, web, photo)
    assert message.text.endswith("[1] Guide › Start\n[2] Guide › Start (web)\n[3] Your photo")
    assert ("[2] Guide › Start (web)", "https://b.example") in shown(message, "text_link")
    assert not any("Your photo" in text for text, _ in shown(message, "text_link"))
