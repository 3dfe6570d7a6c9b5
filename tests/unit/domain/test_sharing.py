import random

import pytest

from rich_agent.domain.sharing import Share, share_of

TOTAL = 30.0


def test_share_is_everything_for_one_alone() -> None:
    """Whatever it wants."""
    assert share_of(TOTAL, 0, []) == TOTAL
    assert share_of(TOTAL, 500, []) == TOTAL


def test_share_goes_by_what_each_wants() -> None:
    """Those who want nothing count a little, so that they can begin."""
    assert share_of(TOTAL, 0, [Share(0, 0), Share(0, 0)]) == 10
    assert share_of(TOTAL, 20, [Share(10, 0)]) == 20
    assert share_of(TOTAL, 29, [Share(0, 0)]) == 29


def test_share_takes_nothing_that_another_still_has() -> None:
    """Whatever it wants more; it is never quite silent."""
    assert share_of(TOTAL, 20, [Share(20, 24)]) == 6
    assert share_of(TOTAL, 20, [Share(20, 30)]) == 1


def test_share_of_a_new_process_is_half_its_part_at_once() -> None:
    """After a crash the dead one still holds everything for some seconds; more if more is free."""
    assert share_of(TOTAL, 20, [Share(20, 30)], is_new=True) == 7.5
    assert share_of(TOTAL, 20, [Share(20, 18)], is_new=True) == 12
    assert share_of(TOTAL, 0, [], is_new=True) == TOTAL


def test_share_of_very_many_is_less_than_one() -> None:
    """All together keep the limit."""
    others = [Share(5, 0.5)] * 59
    assert share_of(TOTAL, 5, others) == pytest.approx(0.5)


def test_shares_settle_within_two_rounds_and_never_pass_the_total() -> None:
    """Whatever is wanted and whoever asks first; what is wanted most is given most."""
    chance = random.Random(7)  # noqa: S311 - the same cases each time
    for _ in range(200):
        wanted = [chance.choice([0.0, 0.5, 3.0, 40.0]) for _ in range(chance.randint(2, 8))]
        given = [TOTAL / len(wanted)] * len(wanted)
        for number in chance.sample(range(len(wanted)), len(wanted)) * 2:
            others = [
                Share(w, g)
                for n, (w, g) in enumerate(zip(wanted, given, strict=True))
                if n != number
            ]
            given[number] = share_of(TOTAL, wanted[number], others)
            assert sum(given) <= TOTAL + 1e-9
        ranked = [share for _, share in sorted(zip(wanted, given, strict=True))]
        assert ranked[-1] == max(given)
        assert sum(given) > TOTAL - len(wanted)
