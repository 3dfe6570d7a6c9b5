"""Texts and entities as Telegram's server leaves them."""

import pytest

from rich_agent_sandbox.telegram.refusals import BotApiError
from rich_agent_sandbox.telegram.text.entities import (
    Entity,
    detect_entities,
    fix_text,
    link_target,
    read_entities,
    utf16_length,
)


def test_utf16_length_counts_an_emoji_as_two() -> None:
    """Characters outside the first plane take two units."""
    assert utf16_length("a👋é") == 4


def test_fix_text_trims_both_edges_and_moves_entities() -> None:
    """White space is trimmed, and an entity keeps its words."""
    fixed = fix_text(" \n one two \n", [Entity("bold", 7, 3)])
    assert fixed.text == "one two"
    assert fixed.entities == (Entity("bold", 4, 3),)


def test_fix_text_keeps_the_white_space_that_an_entity_begins_with() -> None:
    """A text is not trimmed into its first entity."""
    fixed = fix_text("  one", [Entity("code", 1, 4)])
    assert fixed.text == " one"
    assert fixed.entities == (Entity("code", 0, 4),)


def test_fix_text_cuts_an_entity_at_the_end_of_the_text() -> None:
    """An entity over trailing white space becomes shorter or disappears."""
    fixed = fix_text("one  ", [Entity("bold", 0, 5), Entity("italic", 4, 1)])
    assert fixed.entities == (Entity("bold", 0, 3),)


def test_fix_text_replaces_control_characters() -> None:
    """A tab or NUL is shown as a space, a carriage return not at all."""
    fixed = fix_text("a\x00b\r\nc\td", [Entity("bold", 5, 1)])
    assert fixed.text == "a b\nc d"
    assert fixed.entities == (Entity("bold", 4, 1),)


@pytest.mark.parametrize("entity", [Entity("bold", 0, 4), Entity("bold", 1, 1)])
def test_fix_text_refuses_an_entity_that_does_not_fit(entity: Entity) -> None:
    """Beyond the end, or in the middle of an emoji."""
    with pytest.raises(BotApiError, match="can't parse entities: entity beginning at"):
        fix_text("👋a", [entity])


@pytest.mark.parametrize(
    "items", ["x", [5], [{"type": "shout", "offset": 0, "length": 1}], [{"type": "bold"}]]
)
def test_read_entities_refuses_what_is_no_list_of_entities(items: object) -> None:
    """The shape and the type are checked."""
    with pytest.raises(BotApiError, match="can't parse entities"):
        read_entities(items)


def test_fix_text_drops_a_link_that_telegram_would_not_open() -> None:
    """Such a link is gone without a word; a good one stays."""
    bad, good = {"url": "javascript:alert(1)"}, {"url": "https://example.com"}
    fixed = fix_text("a b", [Entity("text_link", 0, 1, bad), Entity("text_link", 2, 1, good)])
    assert fixed.entities == (Entity("text_link", 2, 1, {"url": "https://example.com/"}),)


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://example.com", "https://example.com/"),
        ("http://127.0.0.1:8080/library/a#b", "http://127.0.0.1:8080/library/a#b"),
        ("example.com/a", "http://example.com/a"),
        ("tg://user?id=1", "tg://user?id=1"),
        ("mailto:a@example.com", "mailto:a@example.com"),
        ("file:///etc/passwd", None),
        ("/etc/passwd", None),
        ("https://", None),
        ("", None),
    ],
)
def test_link_target_knows_what_opens(url: str, target: str | None) -> None:
    """Web, mail and Telegram addresses open; files and scripts do not."""
    assert link_target(url) == target


def test_fix_text_keeps_code_free_of_other_marks() -> None:
    """Bold does not reach into code; a quote may hold it."""
    code = Entity("code", 2, 1)
    fixed = fix_text("a b c", [Entity("bold", 0, 5), Entity("blockquote", 0, 5), code])
    assert fixed.entities == (Entity("blockquote", 0, 5), code)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("/start@a_bot now", [("bot_command", "/start@a_bot")]),
        ("(see https://a.io/b_(c)).", [("url", "https://a.io/b_(c)")]),
        ("👋 example.com, ok", [("url", "example.com")]),
        ("mail me@example.com", [("email", "me@example.com")]),
        (
            "@someone #news $SOL",
            [("mention", "@someone"), ("hashtag", "#news"), ("cashtag", "$SOL")],
        ),
        ("and/or 1/2 a@b #1 file.js 1.2.3 the end.In short x².pw", []),
        (
            "README.md EVIL.COM 10.0.0.1",
            [("url", w) for w in ("README.md", "EVIL.COM", "10.0.0.1")],
        ),
        (
            "пример.рф xn--e1afmkfd.xn--p1ai",
            [("url", w) for w in ("пример.рф", "xn--e1afmkfd.xn--p1ai")],
        ),
        ("http://nodot tg://resolve?domain=x", [("url", "tg://resolve?domain=x")]),
        (
            "見て：https://a.io/を をhttp://a.io",
            [("url", "https://a.io/を"), ("url", "http://a.io")],
        ),
        (
            "ssh://a.io a.io@b c@d.io http://a.io.",
            [("url", "a.io"), ("email", "c@d.io"), ("url", "http://a.io")],
        ),
        ("+1 212 555 0123", [("phone_number", "+1 212 555 0123")]),
    ],
)
def test_detect_entities_marks_what_the_text_shows(text: str, found: list[tuple[str, str]]) -> None:
    """Commands, links and tags are found; what only resembles them is not."""
    units = text.encode("utf-16-le")
    shown = [
        (entity.type, units[entity.offset * 2 : entity.end * 2].decode("utf-16-le"))
        for entity in detect_entities(text)
    ]
    assert shown == found


def test_detect_entities_leaves_code_alone() -> None:
    """A link in code is not a link."""
    assert detect_entities("https://a.io", [Entity("code", 0, 12)]) == []


@pytest.mark.parametrize("form", ["", "r", "t", "wDT", "wdt", None])
def test_date_time_is_kept_with_its_moment_and_format(form: str | None) -> None:
    """Clients show it in their own zone; a word in it is no link."""
    given = {
        "type": "date_time",
        "offset": 0,
        "length": 4,
        "unix_time": 1,
        "date_time_format": form,
    }
    (kept,) = fix_text("@now", read_entities([given])).entities
    assert kept.extra["unix_time"] == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"unix_time": -1},
        {"unix_time": "soon"},
        {"unix_time": 1, "date_time_format": "HH:MM"},
        {"unix_time": 1, "date_time_format": "rt"},
        {"unix_time": 1, "date_time_format": "dD"},
    ],
)
def test_date_time_without_a_moment_or_with_a_wrong_format_is_refused(
    wrong: dict[str, object],
) -> None:
    """Relative, or weekday, date and time in this order, each once."""
    with pytest.raises(BotApiError):
        read_entities([{"type": "date_time", "offset": 0, "length": 4, **wrong}])
