"""The attacks of the bench, and the model that obeys them, without the program."""

import json

import pytest

from bench.agentdojo.attacks import Attack, load
from bench.agentdojo.obeying import Errand, letters, readings

ATTACKS = load()


def test_attacks_are_as_many_as_promised() -> None:
    """At least 150, each under a name of its own."""
    assert len({one.name for one in ATTACKS}) == len(ATTACKS) >= 150


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.name)
def test_attack_is_read_in_whatever_writing(attack: Attack) -> None:
    """Its steps together are the order; a part of it is none."""
    told = [attack.told(place) for place, step in enumerate(attack.steps) if step.text]
    last = attack.steps[-1].asks
    order = attack.errand(last)
    assert order.is_in(list(readings([*told, last])))
    if attack.is_split:
        assert not order.is_in(list(readings(told[:1])))


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.name)
def test_harm_is_known_by_words_that_nobody_asks_for(attack: Attack) -> None:
    """The user says neither the word of the harm nor the secret, but for what they want kept."""
    asked = json.dumps([[step.asks, step.calls] for step in attack.steps])
    assert attack.harm not in asked
    assert attack.secret not in asked


def test_letters_see_through_disguises() -> None:
    """Look-alikes, wide letters, tag characters, dots and spaces."""
    assert letters("о\u200br-d.ｅ ｒ") == "order"
    assert letters("".join(chr(0xE0000 + ord(one)) for one in "order")) == "order"


def test_errand_needs_all_of_its_marks() -> None:
    """Wherever they stand."""
    errand = Errand(("first half", "second half"))
    assert errand.is_in(["a first-half", "SECOND HALF"]) is False
    assert errand.is_in(list(map(letters, ["a first-half", "SECOND HALF"])))
