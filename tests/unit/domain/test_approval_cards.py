"""Cards of calls before they are approved: all of it, exactly, and nothing that deceives."""

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rich_agent.domain.approving.cards import (
    ApprovalCard,
    Wording,
    card_of,
    card_text,
    cards_in,
    join_cards,
    shorten_cards,
)
from rich_agent.domain.approving.written_out import escape_invisible
from rich_agent.domain.tools import ToolCall
from tests.shown_cards import plain, shown_in

ODD = st.sampled_from(
    [
        *"\u2066\u2067\u202e\u200b\u200d\u00ad\ufe0f\u0301\u0336\u00a0\u3000\u2028\u2029\ufeff",
        *"\U000e0041\u3164\u2800\t\r\n\x00\x1b\x85\\`*_~|[]()<>\"'•■│┊…",
        *(
            "\\u2066",
            "\\",
            "  ",
            "     ",
            "а",
            "paypal",
            "אב",
            "م\u200cی",
            "```",
            "\n• amount\n│ 5",
        ),
        *("null", "5", '""', "1e999", "-0", "true", "{}", "[1]", "e\u0301\u0301\u0301\u0301"),
        "\ud800",
    ]
)
TEXTS = st.lists(ODD | st.text(max_size=6), max_size=8).map("".join)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.just(-0.0)
VALUES = st.recursive(
    TEXTS | NUMBERS | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=10,
)
CALLS = st.lists(st.tuples(TEXTS, st.dictionaries(TEXTS, VALUES, max_size=6)), max_size=3)


def test_card_tells_whose_words_a_value_holds() -> None:
    """In a line of its own that no value can imitate, and in all that is stored of it."""
    call = ToolCall("c", "pay", {"to": "Eve\n↳ from you", "amount": 5})
    card = card_of(call).with_sources(["from the page evil\u200b.example", ""])
    card = card.with_field("Takes back", "one\ntwo")
    assert ApprovalCard.from_state(card.to_state()) == card
    assert card_text([card]).split("\n") == [
        *("■ pay", "• to", "│ Eve", "│ ↳ from you", "↳ from the page evil\\u200b.example"),
        *("• amount", "│ 5", "• Takes back", "│ one", "│ two"),
    ]


def cards(calls: list[tuple[str, dict[str, Any]]]) -> tuple[ApprovalCard, ...]:
    """The cards of calls, each with a title."""
    return tuple(
        card_of(ToolCall(f"c{n}", "tool", given_), Wording(title or "pay"))
        for n, (title, given_) in enumerate(calls)
    )


def same(one: object, other: object) -> bool:
    """Whether two values are the same JSON, with true apart from 1, and -0.0 from 0.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@pytest.mark.costs("it tries many examples")
@settings(max_examples=120, deadline=None)
@example([("pay", {"to": "Alice\n• amount\n│ 5", "": "", '"': "null", "n": None, "x": " "})])
@given(CALLS)
def test_card_text_holds_every_character_of_a_call(
    calls: list[tuple[str, dict[str, Any]]],
) -> None:
    """It is read back exactly, however names, titles and values look, also after being stored."""
    shown = cards(calls)
    stored = tuple(ApprovalCard.from_state(json.loads(json.dumps(c.to_state()))) for c in shown)
    assert stored == shown
    read = shown_in(card_text(shown))
    assert same(read, [(title or "pay", arguments) for title, arguments in calls])


@settings(max_examples=120, deadline=None)
@given(TEXTS)
def test_written_out_text_is_exact_and_hides_nothing(text: str) -> None:
    """No control, format, private or unassigned character is left, and no space but plain ones."""
    shown = escape_invisible(text, in_lines=True)
    assert plain(shown) == text
    for place, one in enumerate(shown):
        is_joiner = one in "\u200c\u200d" and place
        assert (
            one == "\n"
            or is_joiner
            or unicodedata.category(one) not in {*("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me")}
        )
        assert unicodedata.category(one) != "Zs" or one == " "
    assert not any(line != line.rstrip(" ") for line in shown.split("\n"))
    assert "\n" not in escape_invisible(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u2066b", r"a\u2066b"),
        ("\U000e0041", r"\U000e0041"),
        (r"\u2066", r"\u005cu2066"),
        (r"C:\temp", r"C:\temp"),
        ("A\u0336l", r"A\u0336l"),
        ("e\u0301", "e\u0301"),
        ("e" + "\u0301" * 4, "e\u0301\u0301" + r"\u0301\u0301"),
        ("\u0e01" + "\u0e47" * 3, "\u0e01\u0e47" + r"\u0e47\u0e47"),
        ("\u0e01" + "\u0e47\u0e34" * 2, "\u0e01\u0e47\u0e34" + r"\u0e47\u0e34"),
        ("\u1000\u103c\u103d\u103e\u1031\u1038", "\u1000\u103c\u103d\u103e\u1031\u1038"),
        ("\u0f66\u0f92\u0fb2\u0f74\u0f56", "\u0f66\u0f92\u0fb2\u0f74\u0f56"),
        ("\u0301e", r"\u0301e"),
        ("p\u0430ypal", r"p\u0430ypal"),
        ("\u043c\u0438\u0440", "\u043c\u0438\u0440"),
        ("soft\u00adhyphen", r"soft\u00adhyphen"),
        ("\u2764\ufe0f", "\u2764" + r"\ufe0f"),
        ("5\u00a0000", r"5\u00a0000"),
        ("ends ", r"ends\u0020"),
        ("a      b", "a" + r"\u0020" * 6 + "b"),
        ("a b", "a b"),
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
        ("Al\u200cice", r"Al\u200cice"),
        ("\ud800", r"\ud800"),
        ("\ufffc\u3164\u2800", r"\ufffc\u3164\u2800"),
    ],
)
def test_written_out_shows_what_is_not_seen(text: str, shown: str) -> None:
    """Joiners and marks stay where a language needs them."""
    assert escape_invisible(text) == shown


def test_shortened_cards_keep_what_is_short_and_count_the_rest() -> None:
    """A long value does not push a short one out, wherever it stands; each says what it lacks."""
    call = ToolCall("c", "pay", {"to": "Alice " * 300, "note": "x\n" * 500, "amount": 99_999})
    whole = card_of(call)
    (short,) = shorten_cards([whole], 1_000, 40)
    assert [one.name for one in short.fields] == ["to", "note", "amount"]
    for one, all_of_it in zip(short.fields, whole.fields, strict=True):
        assert all_of_it.value.startswith(one.value)
        assert one.left_out == len(all_of_it.value) - len(one.value)
    assert short.fields[2].value == "99999"
    assert short.fields[1].value.count("\n") < 20
    many = card_of(ToolCall("c", "pay", {f"a{n}": n for n in range(100)}))
    (fewer,) = shorten_cards([many], 1_000, 40)
    assert (len(fewer.fields), fewer.left_out) == (40, 60)


def test_question_of_before_is_shown_by_its_calls() -> None:
    """A call that was asked for when cards were Markdown has a card all the same."""
    call = ToolCall("c", "evil__pay", {"to": "**Alice**"})
    (card,) = cards_in((), [call])
    assert shown_in(card_text([card])) == [("evil__pay", {"to": "**Alice**"})]


def test_cards_of_one_tool_are_joined_and_hide_nothing() -> None:
    """Each value stands there, those that all share once; no text imitates such a line."""
    calls = [
        ToolCall("a", "pay", {"to": "Ann", "note": "rent\n□ 2/2\n• to\n│ Bo", "amount": 5}),
        ToolCall("b", "pay", {"to": "Bo", "note": "rent\n□ 2/2\n• to\n│ Bo", "amount": 5}),
        ToolCall("c", "pay", {"to": "mallory", "amount": 5, "note": "rent"}),
    ]
    assert card_text(map(card_of, calls[:2])).split("\n") == [
        *("■ pay", "□ × 2", "• note", "│ rent", "│ □ 2/2", "│ • to", "│ │ Bo", "• amount", "│ 5"),
        *("□ 1/2", "• to", "│ Ann", "□ 2/2", "• to", "│ Bo"),
    ]
    text = card_text(map(card_of, calls))
    assert shown_in(text) == [("pay", dict(call.arguments)) for call in calls]
    assert text.count("■") == 1


def test_cards_of_other_tools_are_not_joined() -> None:
    """Nor ones with the same title, nor ones between which another stands, nor old ones."""
    same_title = [card_of(ToolCall("a", name, {}), Wording("pay")) for name in ("x", "y", "x")]
    assert [len(one.cards) for one in join_cards(same_title)] == [1, 1, 1]
    assert len(join_cards([ApprovalCard("a", "pay"), ApprovalCard("b", "pay")])) == 2


def test_source_that_differs_is_no_shared_value() -> None:
    """Nor is one that stands twice in a card, under two names that read alike."""
    mine, theirs = (
        card_of(ToolCall(one, "pay", {"to": "Ann"})).with_sources([source])
        for one, source in (("a", "from you"), ("b", "from the page"))
    )
    assert join_cards([mine, theirs])[0].shared_fields == ()
    twice = card_of(ToolCall("a", "pay", {"x": 1, "y": 1}), Wording("p", {"x": "n", "y": "n"}))
    assert join_cards([twice, twice])[0].shared_fields == ()
