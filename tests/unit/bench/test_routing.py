"""The labelled utterances of `bench.routing`, and how they are counted."""

from collections import Counter

import pytest

from bench.routing.scoring import Routed, misses, report
from bench.routing.utterances import Utterance, load
from rich_agent.domain.routing.plan import known_intents
from tests import make

PLANS = {"direct", "rag", "web", "rag+web"}


@pytest.mark.req("ROUTE-1")
def test_utterances_are_labelled_with_what_the_product_knows() -> None:
    """Every intent and plan exists, each label often enough to say something."""
    utterances = load()
    assert len(utterances) >= 200
    intents = set(known_intents(make.DOMAIN))
    assert all(set(one.intents) <= intents and one.intents for one in utterances)
    assert all(set(one.plans) <= PLANS and one.plans for one in utterances)
    assert min(Counter(one.intents[0] for one in utterances).values()) >= 20
    assert min(Counter(one.plans[0] for one in utterances).values()) >= 20
    assert min(Counter(one.language for one in utterances).values()) >= 60
    assert set(Counter(one.language for one in utterances if one.held_back).values()) == {30}
    assert all(set(one.web_uses) <= {"never", "if_needed", "now"} for one in utterances)


def test_utterances_differ_and_lean_on_what_is_given() -> None:
    """No message comes twice; a follow-up has what it follows, and some have an image."""
    utterances = load()
    messages = [(one.text, one.history, str(one.image), str(one.forwarded)) for one in utterances]
    assert len(set(messages)) == len(messages)
    leaning = [one for one in utterances if one.query_names]
    assert len(leaning) >= 25
    assert all(one.history or one.image or one.reply_to or one.forwarded for one in leaning)
    assert all(one.text or one.forwarded for one in utterances)
    assert all(one.history[-1][0] == "assistant" for one in utterances if one.history)
    assert sum(bool(one.image) for one in utterances) >= 8


def test_load_takes_some_from_everywhere() -> None:
    """A limit does not leave the end of the file out."""
    some = load(30)
    assert len(some) == 30
    assert {one.language for one in some} == {one.language for one in load()}
    assert len({one.intents[0] for one in some}) >= 4


def test_report_counts_what_fits() -> None:
    """Any of the labels is right; the matrix shows where the others went."""
    one = Utterance("a", "en", ("x", "y"), ("rag", "web"), query_names=("Fee",))
    two = Utterance("b", "ja", ("x",), ("direct",))
    routed = [
        Routed(one, "y", "web", "the FEE", by_model=True, web="now", tokens=7),
        Routed(two, "z", "direct", "", by_model=False),
    ]
    text = report(routed)
    assert [line.split() for line in text.splitlines()[:4]] == [
        ["language", "of", "intent", "plan", "web", "both", "held", "back"],
        ["en", "1", "100%", "100%", "100%", "100%", "-"],
        ["ja", "1", "0%", "100%", "100%", "0%", "-"],
        ["overall", "2", "50%", "100%", "100%", "50%", "-"],
    ]
    assert "overall                   1/2 (50%)" in text
    assert "overall                   2/2 (100%)" in text
    assert "queries that name their subject: 1/1 (100%)" in text
    assert "model asked: 1, needed no model: 1, without a usable plan: 0, tokens used: 7" in text
    assert misses(routed) == "ja 'b': z, direct, never, ''; wanted x, direct, never"
