"""Continuation of an answer whose tokens ran out, and how its parts are joined."""

import pytest

from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.chat import ContinuationJoin, ask_to_continue, last_words

WHOLE = (
    "Funding is paid every hour. It moves from one side of the market to the other, and its rate "
    "depends on how far the price of the perpetual is from that of the oracle. Long positions pay "
    "short ones while the perpetual is dearer, and the other way round while it is cheaper. "
    + "Each hour counts by itself, whatever was paid in the one before it. "
    * 12
)
CUTS = (1, 30, 95, 131, 132, 250, 300)


def _join(said: str, continuation: str, size: int) -> tuple[str, ContinuationJoin]:
    joint = ContinuationJoin(said)
    pieces = [continuation[at : at + size] for at in range(0, len(continuation), size)]
    return said + "".join(map(joint.feed, pieces)) + joint.finish(), joint


@pytest.mark.parametrize("size", [1, 9, 5000])
@pytest.mark.parametrize("at", CUTS)
@pytest.mark.parametrize("way", ["exact", "last words", "last words named", "sentence", "again"])
def test_joint_neither_repeats_nor_loses(way: str, at: int, size: int) -> None:
    """Whatever a model repeats before it goes on, the joined text is the whole one."""
    said, rest = WHOLE[:at], WHOLE[at:]
    continuation = {
        "exact": rest,
        "last words": last_words(said) + rest,
        "last words named": f"…{last_words(said)}{rest}",
        "sentence": said[-300:] + rest,
        "again": WHOLE,
    }[way]
    if way != "exact" and at == CUTS[0]:
        return  # too short to be told from new text
    assert _join(said, continuation, size)[0] == WHOLE


def test_joint_is_lost_when_the_answer_begins_again_in_other_words() -> None:
    """Two different beginnings are not joined."""
    said = WHOLE[:300]
    text, joint = _join(said, WHOLE[:200] + " And so on, in other words. " * 20, 20)
    assert joint.is_lost
    assert text == said


def test_short_likeness_at_the_joint_is_no_repetition() -> None:
    """Text that only looks repeated is not lost."""
    assert (
        _join("He laughed: ha ha", " ha ha, and left.", 3)[0]
        == "He laughed: ha ha ha ha, and left."
    )


def test_wish_to_continue_takes_the_room_of_the_oldest_messages() -> None:
    """The second call is no longer than the first where there was a conversation."""
    history = tuple(("user", f"{number} " + "word " * 100) for number in range(8))
    asked = ask_to_continue(Prompt("system", "question", history), "said " * 200)
    assert (asked.user, asked.follow_up[0]) == ("question", ("assistant", "said " * 200))
    assert asked.history[0] == history[3]
