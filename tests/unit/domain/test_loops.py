"""A model that repeats itself without end is noticed, and what is wanted is not."""

import base64
import random
import string

import pytest

from rich_agent.upstreams.models.repetition import LoopWatch

LINE = "I have to check this once more before I answer.\n"
ROWS = "".join(f"| {number} | open | 12:00 |\n" for number in range(2_000))
CODE = "".join(f"    values[{number}] = compute(values, {number})\n" for number in range(800))
ART = ("#" * 60 + "\n" + "#" + " " * 58 + "#\n" * 3) * 20
REFRAIN = "And the lamp went round, and the ships went by,\nand nobody asked the keeper why.\n" * 4
LETTERS = random.Random(7).choices(string.ascii_lowercase + " ", k=100_000)  # noqa: S311


def kept_of(text: str, size: int = 10) -> int | None:
    """The part kept of a text that grows by pieces of this size; None if it is never ended."""
    watch = LoopWatch()
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    return next((kept for kept in map(watch.feed, pieces) if kept is not None), None)


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("The funding rate is paid every hour.\n\n", LINE),
        ("", "ha "),
        ("Yes.", "\n"),
        ("答えは次のとおりです。", "もう一度確認します。"),
        ("Well:\n", "".join(f"{number}. A step of the plan.\n" for number in range(100))),
        ("So.\n", "One long passage " * 3 + "that takes its time and comes back. " * 30 + "\n"),
    ],
)
@pytest.mark.parametrize("size", [1, 10, 777, 100_000])
def test_repetition_is_ended_and_said_once(said: str, again: str, size: int) -> None:
    """Whatever the pieces: what was said stays, with the repeated passage once or a bit more."""
    kept = kept_of(said + again * (30_000 // len(again)), size)
    assert kept is not None
    assert len(said) <= kept <= len(said) + 2 * len(again)


def test_repetition_is_ended_soon() -> None:
    """After 8,000 characters of it, and not at the limit of tokens."""
    watch, text = LoopWatch(), "Fees are low. " + LINE * 1_000
    fed = next(at for at in range(0, len(text), 10) if watch.feed(text[at : at + 10]) is not None)
    assert 8_000 <= fed <= 9_000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ROWS, id="table"),
        pytest.param(CODE, id="code"),
        pytest.param(ART, id="art"),
        pytest.param("ha " * 2_000, id="laughter"),
        pytest.param("| | | |\n" * 500, id="empty rows"),
        pytest.param("| day | open |\n|--|--|\n" + "| yes | yes | yes |\n" * 250, id="cells"),
        pytest.param("I will not talk in class.\n" * 200, id="lines"),
        pytest.param("- [ ] Buy bread and butter for the week\n" * 40, id="list"),
        pytest.param("".join(f"{n}. Drink water.\n" for n in range(1, 901)), id="numbered"),
        pytest.param("    counter += 1\n    yield counter\n" * 150, id="code of two lines"),
        pytest.param("".join(f"Verse {n}.\n{REFRAIN}" for n in range(60)), id="refrain"),
        pytest.param("".join(f"{n},2026-01-01,open,0.00\n" for n in range(400)), id="csv"),
        pytest.param("2026-01-01,open,Oslo,sale,0.00,EUR\n" * 200, id="csv of equal rows"),
        pytest.param("はい、承知しました。\n" * 500, id="Japanese lines"),
        pytest.param(
            "".join(f"第{n}条　会員は会費を納める。\n" for n in range(600)), id="articles"
        ),
        pytest.param(base64.b64encode(bytes(4_000)).decode(), id="zeros"),
        pytest.param("".join(LETTERS), id="letters"),
        pytest.param("a" * 7_900 + "b" + "a" * 7_900, id="halves"),
        pytest.param("".join(f"{LINE}{number}" for number in range(1_000)), id="near"),
    ],
)
def test_what_only_looks_alike_is_not_ended(text: str) -> None:
    """Tables, code, songs, drawings, and moderate repetitions that somebody asked for."""
    assert kept_of(text) is None
